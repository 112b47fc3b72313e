import type { NewCommand } from '../../../contract/command.ts';
import { AppError } from '../../../platform/errors.ts';
import type { CheckResult, CommandKnowledge } from './dispatcher.ts';
import { matchesPattern } from './privileged.ts';
import type { CommandRequest } from './schema.ts';
import { type OptionValues, protocolOf, type Target } from './target.ts';

export const MAX_BYTES = 1_024;
const MIN_TTL_S = 1;
const MAX_TTL_S = 30 * 86_400;
const DEFAULT_TTL_S = 86_400;
/** longest time to live of a privileged command, and its default */
export const PRIVILEGED_TTL_S = 300;

/** A command request that has been checked, except for what depends on its device. */
export interface CheckedCommandRequest extends CommandRequest {
  readonly command: string;
  readonly params: OptionValues;
  /** as given in the request; the command type if there is no text */
  readonly text: string;
}

/**
 * Checks what can be checked without a device. Throws AppError `invalid`, `command-too-long`, `ttl-out-of-range`.
 */
export function checkCommandRequest(commandRequest: CommandRequest): CheckedCommandRequest {
  const { gprsCommand, type, attributes = {}, encoding, ttlSeconds } = commandRequest;
  if ((gprsCommand === undefined) === (type === undefined)) {
    throw invalidMember('/gprsCommand', 'either a text (gprsCommand) or a type is needed');
  }
  checkTtl(ttlSeconds);
  if (gprsCommand === undefined) {
    if (encoding === 'hex') throw invalidMember('/encoding', 'only a text can be hex');
    checkLength('/attributes', JSON.stringify(attributes), MAX_BYTES);
    for (const value of Object.entries(attributes).flat()) checkStorable('/attributes', String(value));
    const { data } = attributes;
    const text = type === 'custom' && typeof data === 'string' ? data : type!;
    return { ...commandRequest, command: type!, params: attributes, text };
  }
  if (Object.keys(attributes).length > 0) throw invalidMember('/attributes', 'parameters belong to a type');
  checkLength('/gprsCommand', gprsCommand, encoding === 'hex' ? 2 * MAX_BYTES : MAX_BYTES);
  checkStorable('/gprsCommand', gprsCommand);
  if (encoding === 'hex' && !/^(?:[0-9a-f]{2})+$/i.test(gprsCommand)) {
    throw invalidMember('/gprsCommand', 'hex is pairs of 0-9 and a-f');
  }
  return { ...commandRequest, command: 'custom', params: { data: gprsCommand }, text: gprsCommand };
}

/** Throws AppError `ttl-out-of-range`. */
export function checkTtl(ttlSeconds: number | undefined, max = MAX_TTL_S): void {
  if (ttlSeconds !== undefined && !(ttlSeconds >= MIN_TTL_S && ttlSeconds <= max)) {
    throw new AppError('ttl-out-of-range', `A time to live is ${MIN_TTL_S} to ${max} s here`, [
      { pointer: '/ttlSeconds', detail: `${MIN_TTL_S} to ${max}` },
    ]);
  }
}

function checkLength(pointer: string, text: string, max: number): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= max) return;
  throw new AppError('command-too-long', `${bytes} bytes`, [{ pointer, detail: `at most ${max} bytes` }]);
}

function checkStorable(pointer: string, text: string): void {
  if (/\0|\p{Surrogate}/u.test(text)) throw invalidMember(pointer, 'U+0000 and halves of surrogate pairs are no text');
}

const invalidMember = (pointer: string, detail: string): AppError =>
  new AppError('invalid', 'The body is not valid', [{ pointer, detail }]);

export interface Rules {
  readonly knowledge: CommandKnowledge;
  readonly scopes: ReadonlySet<string>;
  /** epoch ms */
  readonly now: number;
}

type Planned = Omit<NewCommand, 'id' | 'tenantId' | 'batchId' | 'createdBy'>;

/**
 * Plans the command of a request for a device. Throws AppError `invalid`, `unsupported-by-protocol`, `bad-parameters`,
 * `missing-scope`, `ttl-out-of-range`.
 */
export function planCommand(commandRequest: CheckedCommandRequest, target: Target, rules: Rules): Planned {
  const { command, params, encoding } = commandRequest;
  const checked = checkFor({ type: command, params, encoding }, target, rules.knowledge);
  const refusal = refusalOf(commandRequest, protocolOf(target), checked);
  if (refusal !== undefined) throw refusal;
  const { isPrivileged } = checked;
  if (isPrivileged) {
    requirePrivilegedScope(rules.scopes);
    checkTtl(commandRequest.ttlSeconds, PRIVILEGED_TTL_S);
  }
  const ttlSeconds = commandRequest.ttlSeconds ?? (isPrivileged ? PRIVILEGED_TTL_S : DEFAULT_TTL_S);
  if (commandRequest.notBefore !== undefined && commandRequest.notBefore >= rules.now + 1000 * ttlSeconds) {
    throw invalidMember('/notBefore', 'the command would have expired by then');
  }
  const conditions = Object.keys(commandRequest.conditions ?? {}).length === 0 ? undefined : commandRequest.conditions;
  return {
    deviceId: target.id,
    priority: commandRequest.priority,
    type: commandRequest.command,
    params: commandRequest.params,
    text: commandRequest.text,
    encoding: commandRequest.encoding,
    once: commandRequest.delivery === undefined ? isPrivileged : commandRequest.delivery === 'at_most_once',
    maxAttempts: commandRequest.maxAttempts,
    conditions: conditions as Planned['conditions'],
    notBefore: commandRequest.notBefore,
    ttlMs: Math.round(1000 * ttlSeconds),
    answerMs: Math.round(1000 * commandRequest.ackTimeoutSeconds),
    dedupeKey: commandRequest.dedupeKey,
    callbackUrl: commandRequest.callbackUrl,
  };
}

/** Throws AppError `missing-scope`. */
export function requirePrivilegedScope(scopes: ReadonlySet<string>): void {
  if (!scopes.has('commands:privileged')) {
    throw new AppError('missing-scope', 'The command is privileged: the scope commands:privileged is needed');
  }
}

/**
 * Whether the device supports the command, and whether the command is privileged there: by its protocol or by the
 * tenant's patterns. The bytes that the device would receive are checked, so that raw and typed requests follow the
 * same rules.
 */
export function checkFor(
  { type, params, encoding }: Pick<NewCommand, 'type' | 'params' | 'encoding'>,
  target: Target,
  knowledge: CommandKnowledge,
): CheckResult {
  const { imei: deviceId, options, privilegedPatterns } = target;
  const isRaw = encoding === 'hex';
  const result = knowledge.check(protocolOf(target), { type, params, deviceId, options, isRaw });
  const isPrivileged = result.isPrivileged || matchesPattern(privilegedPatterns, [type, ...result.texts]);
  return { ...result, isPrivileged };
}

/** Why a device of the protocol does not support the command; undefined if it does. */
export function refusalOf(
  { command }: Pick<CheckedCommandRequest, 'command'>,
  protocol: string | undefined,
  result: CheckResult,
): AppError | undefined {
  if (result.type === 'unsupported') {
    const takes = result.takes.length === 0 ? 'no commands' : result.takes.join(', ');
    const subject = protocol === undefined ? 'No protocol takes it; there are' : `${protocol} takes`;
    return new AppError('unsupported-by-protocol', `${subject} ${takes}`, [
      { pointer: command === 'custom' ? '/gprsCommand' : '/type', detail: `one of ${takes}` },
    ]);
  }
  if (result.type === 'bad-parameters') {
    const pointer = command === 'custom' ? '/gprsCommand' : '/attributes';
    return new AppError('bad-parameters', result.detail, [{ pointer, detail: result.detail }]);
  }
  return undefined;
}
