import { CodecError } from '../errors.ts';
import type { Reader } from '../reader.ts';
import { parseDecimal } from '../text/digits.ts';
import { type NumberType, readerOf } from './number-types.ts';
import { bytesLeft, type Field, nameIn, nameOf, type Scope } from './scope.ts';

/** How long a value is: so many bytes, as a number before it says, to the end of its part, or to a zero byte. */
type Size = number | NumberType | 'rest' | 'zero';

function sizeOf(size: Size): (scope: Scope) => number {
  if (typeof size === 'number') return () => size;
  if (size === 'rest') return bytesLeft;
  if (size === 'zero') return toZero;
  const read = readerOf(size);
  return ({ reader }) => read(reader);
}

/** Bytes before the zero byte; all if there is none. */
function toZero({ reader }: Scope): number {
  const at = reader.bytes.indexOf(0, reader.offset);
  return (at < 0 || at > reader.end ? reader.end : at) - reader.offset;
}

interface TextForm {
  /** without zero bytes and spaces around it */
  readonly trim?: true;
  /** without this at its end, as often as it stands there */
  readonly padding?: string;
  /** the text that says "no value" */
  readonly noValue?: string;
  /** empty text is not set */
  readonly unlessEmpty?: true;
  /** characters from this one on, and how many of them */
  readonly from?: number;
  readonly maxChars?: number;
  /** what stands for each comma */
  readonly comma?: string;
  /** default: one character a byte */
  readonly encoding?: 'utf-8' | 'gbk' | 'utf-16be' | 'utf-16le';
  /** the text is a decimal number, divided by this; not set if it is not a number */
  readonly number?: number;
}

const decoderOf = ({ encoding }: TextForm): ((reader: Reader, bytes: number) => string) => {
  if (encoding === undefined) return (reader, bytes) => reader.latin1(bytes);
  const decoder = new TextDecoder(encoding);
  return (reader, bytes) => decoder.decode(reader.view(bytes));
};

function shaped(text: string, { trim, padding, from = 0, maxChars, comma }: TextForm): string {
  let shape = text;
  if (padding !== undefined) while (shape.endsWith(padding)) shape = shape.slice(0, -padding.length);
  if (from > 0 || maxChars !== undefined)
    shape = shape.slice(from, maxChars === undefined ? undefined : from + maxChars);
  if (comma !== undefined) shape = shape.replaceAll(',', comma);
  return trim ? shape.replaceAll('\0', '').trim() : shape;
}

function setText(key: string, form: TextForm): (text: string, scope: Scope) => void {
  const name = nameOf(key);
  return (raw, scope) => {
    const shape = shaped(raw, form);
    if ((shape === '' && form.unlessEmpty) || shape === form.noValue) return;
    const value = form.number === undefined ? shape : parseDecimal(shape);
    if (value === undefined) return;
    scope.into.attributes[nameIn(name, scope)] = typeof value === 'number' ? value / form.number! : value;
  };
}

/** Text of so many bytes. */
export function text(key: string, size: Size, form: TextForm = {}): Field {
  const bytesOf = sizeOf(size);
  const decode = decoderOf(form);
  const set = setText(key, form);
  const hasEnd = size === 'zero';
  return (scope) => {
    const { reader } = scope;
    set(decode(reader, bytesOf(scope)), scope);
    if (hasEnd && reader.remaining > 0) reader.skip(1);
  };
}

/** Bytes as lower-case hexadecimal digits, of which the form counts each as a character. */
export function hex(key: string, size: Size, form: TextForm = {}): Field {
  const bytesOf = sizeOf(size);
  const set = setText(key, form);
  return (scope) => set(scope.reader.hex(bytesOf(scope)), scope);
}

/** Moves past a value of such a size. */
export function skipSized(size: Size): Field {
  const bytesOf = sizeOf(size);
  return (scope) => scope.reader.skip(bytesOf(scope));
}

/**
 * The rest of the part is text of fields, numbers under these keys; `undefined` passes one over. A field that is no
 * number sets nothing. Where the text must open with something and does not, nothing is set.
 */
export function numberFields(separator: string, keys: readonly (string | undefined)[], opening = ''): Field {
  return (scope) => {
    const whole = scope.reader.latin1(bytesLeft(scope));
    if (!whole.startsWith(opening)) return;
    const fields = whole.slice(opening.length).split(separator, keys.length);
    for (const [at, field] of fields.entries()) {
      const key = keys[at];
      const value = parseDecimal(field);
      if (key !== undefined && value !== undefined) scope.into.attributes[key] = value;
    }
  };
}

const MAX_MATCHED_BYTES = 1024;

/**
 * The rest of the part is text; what the pattern's named groups find in it is set by these forms. The pattern has
 * bounded quantifiers only, since the text may be anything.
 */
export function regexFields(pattern: RegExp, forms: Readonly<Record<string, TextForm>>): Field {
  const setters = Object.entries(forms).map(([key, form]) => [key, setText(key, form)] as const);
  return (scope) => {
    const bytes = bytesLeft(scope);
    if (bytes > MAX_MATCHED_BYTES) throw new CodecError('bad-text', `${bytes} bytes of text`, scope.start);
    const groups = pattern.exec(scope.reader.latin1(bytes))?.groups;
    if (groups === undefined) return;
    for (const [key, set] of setters) {
      const found = groups[key];
      if (found !== undefined) set(found, scope);
    }
  };
}

/** Whole numbers in a row as one text: `[1,2,3]`. */
export function numberList(key: string, kind: NumberType, count = 3): Field {
  const read = readerOf(kind);
  const name = nameOf(key);
  return (scope) => {
    const values = Array.from({ length: count }, () => read(scope.reader));
    scope.into.attributes[nameIn(name, scope)] = `[${values.join(',')}]`;
  };
}
