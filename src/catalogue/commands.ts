import { CodecError, type OptionValue, type Protocol } from '#codec';
import type { Catalogue } from './index.ts';

export type OptionValues = Readonly<Record<string, OptionValue>>;

/** A command as it is checked before it is stored. */
export interface CommandToCheck {
  readonly type: string;
  readonly params: OptionValues;
  readonly deviceId: string;
  readonly options: OptionValues;
  /** the very bytes: nothing is encoded */
  readonly isRaw: boolean;
}

export type CommandCheck =
  | { readonly type: 'ok' }
  /** `takes`: names of the commands that there are */
  | { readonly type: 'unsupported'; readonly takes: readonly string[] }
  | { readonly type: 'bad-parameters'; readonly detail: string };

/** Codecs of a name, of a codec or a service; all of them where none is known. */
function codecsOf(catalogue: Catalogue, protocol: string | undefined): readonly Protocol[] {
  const named = protocol === undefined ? [] : catalogue.named(protocol);
  return named.length === 0 ? catalogue.protocols : named;
}

/** Can a protocol carry the command? Of several codecs one is enough. `now` in epoch ms. */
export function checkCommand(
  catalogue: Catalogue,
  protocol: string | undefined,
  command: CommandToCheck,
  now: number,
): CommandCheck {
  const codecs = codecsOf(catalogue, protocol);
  let refusal: CommandCheck | undefined;
  for (const codec of codecs) {
    const result = checkBy(codec, command, now);
    if (result.type === 'ok') return result;
    if (result.type === 'bad-parameters') refusal ??= result;
  }
  const takes = [...new Set(codecs.flatMap(({ commands }) => Object.keys(commands)))].sort();
  return refusal ?? { type: 'unsupported', takes };
}

/** Privileged: not repeatable, or marked by the protocol; without a protocol, marked by any protocol. */
export function isPrivilegedCommand(
  catalogue: Catalogue,
  protocol: string | undefined,
  type: string,
  texts: readonly string[],
): boolean {
  return codecsOf(catalogue, protocol).some(
    ({ commands, privileged }) =>
      (Object.hasOwn(commands, type) && commands[type]?.repeatable === false) ||
      (type === 'custom' && privileged.some((pattern) => texts.some((text) => text.search(pattern) >= 0))),
  );
}

function checkBy(
  codec: Protocol,
  { type, params, deviceId, options, isRaw }: CommandToCheck,
  now: number,
): CommandCheck {
  const command = Object.hasOwn(codec.commands, type) ? codec.commands[type] : undefined;
  if (command === undefined) return { type: 'unsupported', takes: Object.keys(codec.commands).sort() };
  if (isRaw) return { type: 'ok' };
  const unknown = Object.keys(params).find((name) => !Object.hasOwn(command.params, name));
  if (unknown !== undefined) {
    const takes = Object.keys(command.params).join(', ') || 'none';
    return { type: 'bad-parameters', detail: `${type} has no parameter ${unknown}; it takes ${takes}` };
  }
  try {
    command.encode(params, { state: codec.initialState(deviceId), deviceId, options, ticket: '1', now });
    return { type: 'ok' };
  } catch (error) {
    if (error instanceof CodecError) return { type: 'bad-parameters', detail: error.message };
    throw error;
  }
}
