import type { CommandDefinition, CommandParameter, CommandParameters, EncodeContext } from './contract.ts';
import { bytesParameter, integerParameter, textParameter } from './parameters.ts';
import { fromHex, fromLatin1 } from './reader.ts';
import { Writer } from './writer.ts';

/** A piece of a command's body: what it wants to know, and how it is written. */
export interface BodyField {
  readonly params: Readonly<Record<string, CommandParameter>>;
  write(writer: Writer, params: CommandParameters, context: Pick<EncodeContext<unknown>, 'options'>): void;
}

/** Bytes that are always the same, in hex. */
export function literalBodyField(hex: string): BodyField {
  const bytes = fromHex(hex);
  return { params: {}, write: (writer) => writer.raw(bytes) };
}

/** What stands for a parameter that is not given: a value, an option of the device. */
interface Fallback {
  readonly option?: string;
  readonly value?: number;
}

const WRITERS = {
  u8: (writer: Writer, value: number) => writer.u8(value),
  u16: (writer: Writer, value: number) => writer.u16(value),
  u32: (writer: Writer, value: number) => writer.u32(value),
  u16LE: (writer: Writer, value: number) => writer.u16LE(value),
  u32LE: (writer: Writer, value: number) => writer.u32LE(value),
} as const;

type Width = keyof typeof WRITERS;

const define = (key: string, type: CommandParameter['type'], title: string, isRequired: boolean) => ({
  [key]: { type, title, ...(isRequired ? { required: true } : {}) },
});

function withFallback(
  key: string,
  { option, value }: Fallback,
  params: CommandParameters,
  { options }: Pick<EncodeContext<unknown>, 'options'>,
): CommandParameters {
  if (params[key] !== undefined) return params;
  return { [key]: (option === undefined ? undefined : options[option]) ?? value };
}

/** A whole number from the command's parameters. */
export function numberBodyField(
  key: string,
  title: string,
  width: Width,
  [least, most]: readonly [least: number, most: number],
  fallback?: Fallback,
): BodyField {
  const put = WRITERS[width];
  return {
    params: define(key, 'number', title, fallback === undefined),
    write: (writer, params, context) =>
      put(writer, integerParameter(withFallback(key, fallback ?? {}, params, context), key, least, most)),
  };
}

/** ASCII text from the command's parameters; with its length before it where `length` says so. */
export function textBodyField(
  key: string,
  title: string,
  { most = 255, length, ...fallback }: Fallback & { readonly most?: number; readonly length?: 'u8' } = {},
): BodyField {
  return {
    params: define(key, 'string', title, fallback.option === undefined),
    write: (writer, params, context) => {
      const bytes = fromLatin1(textParameter(withFallback(key, fallback, params, context), key, most));
      if (length !== undefined) writer.u8(bytes.length);
      writer.raw(bytes);
    },
  };
}

/** Bytes from the command's parameters, given in hex; with their count before them where `length` says so. */
export function bytesBodyField(key: string, title: string, most: number, length?: 'u8'): BodyField {
  return {
    params: define(key, 'string', title, true),
    write: (writer, params) => {
      const bytes = bytesParameter(params, key, most);
      if (length !== undefined) writer.u8(bytes.length);
      writer.raw(bytes);
    },
  };
}

/** A protocol's way to say something to its devices. */
export type WrapBody<State> = (body: Uint8Array, context: EncodeContext<State>) => Uint8Array;

/** A command whose body is made of pieces. It may be repeated unless it says `once`. */
export function binaryCommand<State>(
  title: string,
  wrap: WrapBody<State>,
  fields: readonly BodyField[],
  once?: 'once',
): CommandDefinition<State> {
  return {
    title,
    params: Object.assign({}, ...fields.map(({ params }) => params)) as CommandDefinition<State>['params'],
    repeatable: once === undefined,
    encode: (params, context) => {
      const writer = new Writer();
      for (const piece of fields) piece.write(writer, params, context);
      return wrap(writer.finish(), context);
    },
  };
}
