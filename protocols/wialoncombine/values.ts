import { CodecError, type Reader } from '#codec';

/** A byte, or two with the highest bit set. */
export function readExtendable(reader: Reader): number {
  const first = reader.u8();
  return (first & 0x80) === 0 ? first : ((first & 0x7f) << 8) | reader.u8();
}

const MAX_TEXT_BYTES = 1_024;

/** Text up to a zero, which is passed over. */
export function readText(reader: Reader): string {
  let length = 0;
  while (length < reader.remaining && length <= MAX_TEXT_BYTES && reader.peekU8(length) !== 0) length++;
  if (length > MAX_TEXT_BYTES) throw new CodecError('bad-value', 'a text without an end', reader.offset);
  const text = reader.utf8(length);
  reader.skip(1);
  return text;
}

const WHOLE: readonly ((reader: Reader) => number)[] = [
  (reader) => reader.u8(),
  (reader) => reader.u16(),
  (reader) => reader.u32(),
  (reader) => Number(reader.u64()),
  (reader) => reader.i8(),
  (reader) => reader.i16(),
  (reader) => reader.i32(),
  (reader) => Number(reader.i64()),
];
const [FLOAT, DOUBLE, TEXT] = [8, 9, 10];

export interface Param {
  readonly id: number;
  readonly value: number | string;
}

/** Id, type with the number of decimal places, value. Throws CodecError `bad-value` for an unknown type. */
export function readParam(reader: Reader): Param {
  const id = readExtendable(reader);
  const form = reader.u8();
  const type = form & 0x1f;
  if (type === FLOAT) return { id, value: reader.f32() };
  if (type === DOUBLE) return { id, value: reader.f64() };
  if (type === TEXT) return { id, value: readText(reader) };
  const read = WHOLE[type];
  if (read === undefined) throw new CodecError('bad-value', `type ${type} of a parameter`, reader.offset);
  return { id, value: read(reader) / 10 ** (form >> 5) };
}

/** A count of one byte, then as many parameters. */
export function readParams(reader: Reader): Param[] {
  return Array.from({ length: reader.u8() }, () => readParam(reader));
}
