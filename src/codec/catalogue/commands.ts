import { CodecError, fromHex, isHex, type OptionValue, type Protocol, toHex, toLatin1 } from '#codec';
import type { Catalogue } from './index.ts';

export type OptionValues = Readonly<Record<string, OptionValue>>;

/** A command as it is checked before it is stored. */
export interface CommandToCheck {
  readonly type: string;
  readonly params: OptionValues;
  readonly deviceId: string;
  readonly options: OptionValues;
  /** `data` is the bytes themselves, in hex: nothing is encoded */
  readonly isRaw: boolean;
}

type Outcome =
  | { readonly type: 'ok' }
  /** `takes`: names of the commands that there are */
  | { readonly type: 'unsupported'; readonly takes: readonly string[] }
  | { readonly type: 'bad-parameters'; readonly detail: string };

export type CommandCheck = Outcome & {
  /** not repeatable, or its text or bytes are what a protocol marks as privileged */
  readonly isPrivileged: boolean;
  /** what would reach the device: as text and in hex, as given and as encoded */
  readonly texts: readonly string[];
};

/** A codec's result, with the bytes for the device if it can carry the command. */
type Encoded = { readonly outcome: Outcome; readonly bytes?: Uint8Array };

/** Codecs with the name, or of the service with the name; all codecs if neither exists. */
function codecsOf(catalogue: Catalogue, protocol: string | undefined): readonly Protocol[] {
  const named = protocol === undefined ? [] : catalogue.named(protocol);
  return named.length === 0 ? catalogue.protocols : named;
}

/**
 * Can a protocol carry the command, and is it privileged there? Of several codecs one is enough for either. `now` in
 * epoch ms.
 */
export function checkCommand(
  catalogue: Catalogue,
  protocol: string | undefined,
  command: CommandToCheck,
  now: number,
): CommandCheck {
  const codecs = codecsOf(catalogue, protocol);
  const texts = new Set(givenTexts(command));
  const results = codecs.map((codec) => ({ codec, ...encodeBy(codec, command, now) }));
  const carried = results.filter(({ outcome }) => outcome.type === 'ok');
  const isPrivileged = (carried.length > 0 ? carried : results).some(({ codec, bytes }) => {
    const own = bytes === undefined ? [] : textsOf(bytes);
    for (const text of own) texts.add(text);
    return isPrivilegedBy(codec, command, [...givenTexts(command), ...own]);
  });
  const refusal = results.find(({ outcome }) => outcome.type === 'bad-parameters')?.outcome;
  const takes = () => [...new Set(codecs.flatMap(({ commands }) => Object.keys(commands)))].sort();
  const outcome: Outcome = carried.length > 0 ? { type: 'ok' } : (refusal ?? { type: 'unsupported', takes: takes() });
  return { ...outcome, isPrivileged, texts: [...texts] };
}

/** An operator's own text as it is and, where it is hex, what its bytes say; of a typed command its bytes say all. */
function givenTexts({ type, params }: Pick<CommandToCheck, 'type' | 'params'>): string[] {
  const { data } = params;
  if (type !== 'custom' || typeof data !== 'string') return [];
  return isHex(data) ? [data, ...textsOf(fromHex(data))] : [data];
}

const textsOf = (bytes: Uint8Array): string[] => [toLatin1(bytes), toHex(bytes)];

const isPrivilegedBy = ({ commands, privileged }: Protocol, { type }: CommandToCheck, texts: readonly string[]) =>
  (Object.hasOwn(commands, type) && commands[type]?.repeatable === false) ||
  privileged.some((pattern) => texts.some((text) => pattern.test(text)));

/** Does a device that executes the command end its session? Without a protocol, as any of them has it. */
export function endsSession(
  catalogue: Catalogue,
  protocol: string | null,
  command: Pick<CommandToCheck, 'type' | 'params'>,
): boolean {
  const texts = givenTexts(command);
  return codecsOf(catalogue, protocol ?? undefined).some(
    ({ commands, sessionEnding }) =>
      (Object.hasOwn(commands, command.type) && commands[command.type]?.endsSession === true) ||
      sessionEnding.some((pattern) => texts.some((text) => pattern.test(text))),
  );
}

function encodeBy(codec: Protocol, { type, params, deviceId, options, isRaw }: CommandToCheck, now: number): Encoded {
  const command = Object.hasOwn(codec.commands, type) ? codec.commands[type] : undefined;
  if (command === undefined) return { outcome: { type: 'unsupported', takes: Object.keys(codec.commands).sort() } };
  if (isRaw) return { outcome: { type: 'ok' } };
  const unknown = Object.keys(params).find((name) => !Object.hasOwn(command.params, name));
  if (unknown !== undefined) {
    const takes = Object.keys(command.params).join(', ') || 'none';
    const detail = `${type} has no parameter ${unknown}; it takes ${takes}`;
    return { outcome: { type: 'bad-parameters', detail } };
  }
  try {
    const state = codec.initialState(deviceId);
    return { outcome: { type: 'ok' }, bytes: command.encode(params, { state, deviceId, options, ticket: '1', now }) };
  } catch (error) {
    if (error instanceof CodecError) return { outcome: { type: 'bad-parameters', detail: error.message } };
    throw error;
  }
}
