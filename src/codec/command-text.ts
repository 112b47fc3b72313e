import type { CommandDefinition, CommandParameter, CommandParameters, EncodeContext } from './contract.ts';
import { CodecError } from './errors.ts';
import { bytesParameter, textParameter } from './parameters.ts';
import { fromLatin1 } from './reader.ts';

const LONGEST_TEXT = 1_000;

/** Bytes of a text that has a byte a character. Throws CodecError `bad-parameter` where it has others. */
export function commandBytes(text: string): Uint8Array {
  for (let at = 0; at < text.length; at++)
    if (text.charCodeAt(at) > 0xff) throw new CodecError('bad-parameter', 'text of other than 8 bits a character');
  return fromLatin1(text);
}

/** A command of a text protocol. `text` gives what is sent. */
export function textCommand<State>(
  title: string,
  text: string | ((context: EncodeContext<State>, params: CommandParameters) => string),
  {
    repeatable = true,
    params = {},
  }: { readonly repeatable?: boolean; readonly params?: Readonly<Record<string, CommandParameter>> } = {},
): CommandDefinition<State> {
  return {
    title,
    params,
    repeatable,
    encode: (given, context) => commandBytes(typeof text === 'string' ? text : text(context, given)),
  };
}

/** `custom`: the operator's text, wrapped as the protocol wants. */
export function customCommand<State>(
  title: string,
  wrap: (data: string, context: EncodeContext<State>) => string = (data) => data,
): CommandDefinition<State> {
  return textCommand<State>(title, (context, params) => wrap(textParameter(params, 'data', LONGEST_TEXT), context), {
    params: { data: { type: 'string', title: 'Text', required: true } },
  });
}

/** `custom` of a binary protocol whose messages have no room for text: whole messages, in hex. */
export function bytesCommand<State>(title: string, most = LONGEST_TEXT): CommandDefinition<State> {
  return {
    title,
    params: { data: { type: 'string', title: 'Pairs of hex digits', required: true } },
    repeatable: true,
    encode: (params) => bytesParameter(params, 'data', most),
  };
}

/** The two characters `\r` and `\n`, as an operator writes them, made into line ends. */
export const withLineEnds = (text: string): string => text.replaceAll('\\r', '\r').replaceAll('\\n', '\n');
