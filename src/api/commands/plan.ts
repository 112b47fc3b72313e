import type { NewCommand } from '../../contract/command.ts';
import { AppError } from '../../platform/errors.ts';
import { matchesPattern, readings } from './danger.ts';
import type { CommandKnowledge } from './dispatcher.ts';
import type { Order } from './schema.ts';
import { type OptionValues, protocolOf, type Target } from './target.ts';

export const MOST_BYTES = 1_024;
const LEAST_TTL_S = 1;
const MOST_TTL_S = 30 * 86_400;
const USUAL_TTL_S = 86_400;
/** longest life of a dangerous command, and the one that it has by default */
export const DANGEROUS_TTL_S = 300;

/** An order that is in order by itself, whoever it is for. */
export interface CheckedOrder extends Order {
  readonly command: string;
  readonly params: OptionValues;
  /** as it was given; the type where there is no text */
  readonly text: string;
}

/**
 * Checks what can be checked without a device. Throws AppError `invalid`, `command-too-long`, `ttl-out-of-range`.
 */
export function checkOrder(order: Order): CheckedOrder {
  const { gprsCommand, type, attributes = {}, encoding, ttlSeconds } = order;
  if ((gprsCommand === undefined) === (type === undefined)) {
    throw wrong('/gprsCommand', 'either a text (gprsCommand) or a type is needed');
  }
  checkTtl(ttlSeconds);
  if (gprsCommand === undefined) {
    if (encoding === 'hex') throw wrong('/encoding', 'only a text can be hex');
    checkLength('/attributes', JSON.stringify(attributes), MOST_BYTES);
    for (const value of Object.entries(attributes).flat()) checkStorable('/attributes', String(value));
    return { ...order, command: type!, params: attributes, text: type! };
  }
  if (Object.keys(attributes).length > 0) throw wrong('/attributes', 'parameters belong to a type');
  checkLength('/gprsCommand', gprsCommand, encoding === 'hex' ? 2 * MOST_BYTES : MOST_BYTES);
  checkStorable('/gprsCommand', gprsCommand);
  if (encoding === 'hex' && !/^(?:[0-9a-f]{2})+$/i.test(gprsCommand)) {
    throw wrong('/gprsCommand', 'hex is pairs of 0-9 and a-f');
  }
  return { ...order, command: 'custom', params: { data: gprsCommand }, text: gprsCommand };
}

/** Throws AppError `ttl-out-of-range`. */
export function checkTtl(ttlSeconds: number | undefined, most = MOST_TTL_S): void {
  if (ttlSeconds !== undefined && !(ttlSeconds >= LEAST_TTL_S && ttlSeconds <= most)) {
    throw new AppError('ttl-out-of-range', `A time to live is ${LEAST_TTL_S} to ${most} s here`, [
      { pointer: '/ttlSeconds', detail: `${LEAST_TTL_S} to ${most}` },
    ]);
  }
}

function checkLength(pointer: string, text: string, most: number): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= most) return;
  throw new AppError('command-too-long', `${bytes} bytes`, [{ pointer, detail: `at most ${most} bytes` }]);
}

function checkStorable(pointer: string, text: string): void {
  if (/\0|\p{Surrogate}/u.test(text)) throw wrong(pointer, 'U+0000 and halves of surrogate pairs are no text');
}

const wrong = (pointer: string, detail: string): AppError =>
  new AppError('invalid', 'The body is not valid', [{ pointer, detail }]);

export interface Rules {
  readonly knowledge: CommandKnowledge;
  readonly scopes: ReadonlySet<string>;
  /** epoch ms */
  readonly now: number;
}

type Planned = Omit<NewCommand, 'id' | 'tenantId' | 'batchId' | 'createdBy'>;

/**
 * What an order means for a device. Throws AppError `invalid`, `unsupported-by-protocol`, `bad-parameters`, `missing-scope`,
 * `ttl-out-of-range`.
 */
export function planCommand(order: CheckedOrder, target: Target, rules: Rules): Planned {
  const protocol = protocolOf(target);
  checkProtocol(order, target, protocol, rules.knowledge);
  const isDangerous = isDangerousFor(order, target, rules.knowledge);
  if (isDangerous) {
    allowDanger(rules.scopes);
    checkTtl(order.ttlSeconds, DANGEROUS_TTL_S);
  }
  const ttlSeconds = order.ttlSeconds ?? (isDangerous ? DANGEROUS_TTL_S : USUAL_TTL_S);
  if (order.notBefore !== undefined && order.notBefore >= rules.now + 1000 * ttlSeconds) {
    throw wrong('/notBefore', 'the command would have expired by then');
  }
  const conditions = Object.keys(order.conditions ?? {}).length === 0 ? undefined : order.conditions;
  return {
    deviceId: target.id,
    priority: order.priority,
    type: order.command,
    params: order.params,
    text: order.text,
    encoding: order.encoding,
    once: order.delivery === undefined ? isDangerous : order.delivery === 'at_most_once',
    maxAttempts: order.maxAttempts,
    conditions: conditions as Planned['conditions'],
    notBefore: order.notBefore,
    ttlMs: Math.round(1000 * ttlSeconds),
    answerMs: Math.round(1000 * order.ackTimeoutSeconds),
    dedupeKey: order.dedupeKey,
    callbackUrl: order.callbackUrl,
  };
}

/** Throws AppError `missing-scope`. */
export function allowDanger(scopes: ReadonlySet<string>): void {
  if (!scopes.has('commands:dangerous')) {
    throw new AppError('missing-scope', 'The command is dangerous: the scope commands:dangerous is needed');
  }
}

export function isDangerousFor(
  { command, text }: { readonly command: string; readonly text: string },
  target: Target,
  knowledge: CommandKnowledge,
): boolean {
  const texts = readings(text);
  return knowledge.isDangerous(protocolOf(target), command, texts) || matchesPattern(target.dangerousCommands, texts);
}

function checkProtocol(
  { command, params, encoding }: CheckedOrder,
  { imei, options }: Target,
  protocol: string | undefined,
  knowledge: CommandKnowledge,
): void {
  const isRaw = encoding === 'hex';
  const verdict = knowledge.check(protocol, { type: command, params, deviceId: imei, options, isRaw });
  if (verdict.type === 'unsupported') {
    const takes = verdict.takes.length === 0 ? 'no commands' : verdict.takes.join(', ');
    const who = protocol === undefined ? 'No protocol takes it; there are' : `${protocol} takes`;
    throw new AppError('unsupported-by-protocol', `${who} ${takes}`, [
      { pointer: command === 'custom' ? '/gprsCommand' : '/type', detail: `one of ${takes}` },
    ]);
  }
  if (verdict.type === 'bad-parameters') {
    const pointer = command === 'custom' ? '/gprsCommand' : '/attributes';
    throw new AppError('bad-parameters', verdict.detail, [{ pointer, detail: verdict.detail }]);
  }
}
