import type { CommandDefinition, CommandParameter, CommandParameters, EncodeContext } from './contract.ts';
import { CodecError } from './errors.ts';
import { bytesParameter, integerParameter, textParameter } from './parameters.ts';
import { fromLatin1 } from './reader.ts';

const MAX_TEXT_CHARS = 1_000;

/** Bytes of a text with one byte a character. Throws CodecError `bad-parameter` if a character has more than 8 bits. */
export function commandBytes(text: string): Uint8Array {
  for (let at = 0; at < text.length; at++)
    if (text.charCodeAt(at) > 0xff) throw new CodecError('bad-parameter', 'text of other than 8 bits a character');
  return fromLatin1(text);
}

/** What stands for `{name}` in a command's text: a parameter of that name, and how its value is written. */
export interface Placeholder {
  readonly parameter: CommandParameter;
  /** Throws CodecError `bad-parameter`. */
  write(params: CommandParameters, name: string): string;
}

/** Plain ASCII text. */
export const textPlaceholder = (title: string, longest = MAX_TEXT_CHARS): Placeholder => ({
  parameter: { type: 'string', title, required: true },
  write: (params, name) => textParameter(params, name, longest),
});

/** A whole number, written in decimal. */
export const integerPlaceholder = (title: string, min: number, max: number): Placeholder => ({
  parameter: { type: 'number', title, required: true },
  write: (params, name) => String(integerParameter(params, name, min, max)),
});

/** One text for true, another for false. */
export const switchPlaceholder = (title: string, on: string, off: string): Placeholder => ({
  parameter: { type: 'boolean', title, required: true },
  write: (params, name) => {
    if (typeof params[name] !== 'boolean') throw new CodecError('bad-parameter', `${name} is true or false`);
    return params[name] ? on : off;
  },
});

/** A placeholder whose parameter may be left out; `absent` is written then. */
export const optionalPlaceholder = ({ parameter, write }: Placeholder, absent: string): Placeholder => ({
  parameter: { type: parameter.type, title: parameter.title },
  write: (params, name) => (params[name] === undefined || params[name] === '' ? absent : write(params, name)),
});

/** How a protocol puts a command's text on the wire: what stands around it. */
type Wrap<State> = (text: string, context: EncodeContext<State>) => string | Uint8Array;

export interface TextSettings {
  readonly repeatable?: boolean;
  readonly endsSession?: true;
  readonly params?: Readonly<Record<string, CommandParameter>>;
  readonly placeholders?: Readonly<Record<string, Placeholder>>;
}

/** A command that does harm when it is run twice. */
export const NOT_REPEATABLE: TextSettings = { repeatable: false };

/** Settings of `custom`, where `{data}` is the operator's text. */
export const CUSTOM_TEXT: TextSettings = { placeholders: { data: textPlaceholder('Text') } };

/** A command by which the device ends its session: restart, firmware update, factory reset. */
export const ENDS_SESSION: TextSettings = { repeatable: false, endsSession: true };

const BLANK = /\{(\w+)\}/g;

/**
 * A command of a text protocol. `text` is what is sent, with placeholders in it, or gives that: by the
 * device's options or state.
 */
export function textCommand<State>(
  title: string,
  text: string | ((context: EncodeContext<State>, params: CommandParameters) => string),
  { repeatable = true, endsSession, params = {}, placeholders = {} }: TextSettings = {},
  wrap: Wrap<State> = (whole) => whole,
): CommandDefinition<State> {
  const blankParams = Object.entries(placeholders).map(([name, { parameter }]) => [name, parameter] as const);
  const fill = (parameters: CommandParameters, template: string): string =>
    template.replaceAll(BLANK, (whole, name: string) => placeholders[name]?.write(parameters, name) ?? whole);
  return {
    title,
    params: { ...params, ...Object.fromEntries(blankParams) },
    repeatable,
    ...(endsSession === undefined ? {} : { endsSession }),
    encode: (parameters, context) => {
      const template = typeof text === 'string' ? text : text(context, parameters);
      const wrapped = wrap(fill(parameters, template), context);
      return typeof wrapped === 'string' ? commandBytes(wrapped) : wrapped;
    },
  };
}

/** Makes a protocol's commands, which all go on the wire in one way. */
export const wrapWith =
  <State>(wrap: Wrap<State>) =>
  (
    title: string,
    text: string | ((context: EncodeContext<State>, params: CommandParameters) => string),
    settings?: TextSettings,
  ): CommandDefinition<State> =>
    textCommand<State>(title, text, settings, wrap);

/** `custom`: the operator's text, wrapped as the protocol wants. */
export const customCommand = <State>(
  title: string,
  wrap: (data: string, context: EncodeContext<State>) => string = (data) => data,
): CommandDefinition<State> => textCommand<State>(title, '{data}', CUSTOM_TEXT, wrap);

/** `custom` of a binary protocol whose messages have no room for text: whole messages, in hex. */
export function bytesCommand<State>(title: string, most = MAX_TEXT_CHARS): CommandDefinition<State> {
  return {
    title,
    params: { data: { type: 'string', title: 'Pairs of hex digits', required: true } },
    repeatable: true,
    encode: (params) => bytesParameter(params, 'data', most),
  };
}

/** The two characters `\r` and `\n`, as an operator writes them, made into line ends. */
export const unescapeLineEnds = (text: string): string => text.replaceAll('\\r', '\r').replaceAll('\\n', '\n');

/**
 * The operator's text as a whole message, with its line ends unescaped. Throws CodecError
 * `bad-parameter` if the message has no end: the device would read the next message as a part of it.
 */
export const wholeMessage =
  (end: string) =>
  (data: string): string => {
    const message = unescapeLineEnds(data);
    if (!message.endsWith(end)) throw new CodecError('bad-parameter', `data does not end in ${end}`);
    return message;
  };
