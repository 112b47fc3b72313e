import { CodecError, type Reader } from '#codec';

/** Wire types of protobuf 2. */
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const OPEN = 3;
const CLOSE = 4;
const FIXED32 = 5;

const DEEPEST = 8;

export type Numbers = ReadonlyMap<number, number>;

/** An unsigned varint of at most 64 bits, of which the lower 32 are kept. */
function varint(reader: Reader): number {
  let value = 0;
  for (let shift = 0; shift < 70; shift += 7) {
    const byte = reader.u8();
    if (shift < 32) value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value >>> 0;
  }
  throw new CodecError('bad-value', 'a number of more than 64 bits', reader.offset);
}

/** sint32: zigzag. */
export const signed = (value: number): number => (value >>> 1) ^ -(value & 1);

function skipValue(reader: Reader, wireType: number, depth: number): void {
  if (wireType === VARINT) varint(reader);
  else if (wireType === FIXED64) reader.skip(8);
  else if (wireType === BYTES) reader.skip(varint(reader));
  else if (wireType === FIXED32) reader.skip(4);
  else if (wireType === OPEN && depth < DEEPEST) skipGroup(reader, depth + 1);
  else throw new CodecError('bad-value', `wire type ${wireType}`, reader.offset);
}

function skipGroup(reader: Reader, depth: number): void {
  for (;;) {
    const tag = varint(reader);
    if ((tag & 7) === CLOSE) return;
    skipValue(reader, tag & 7, depth);
  }
}

/** Numbers of a group, by their field; what is none is passed over. */
function readGroup(reader: Reader): Numbers {
  const numbers = new Map<number, number>();
  for (;;) {
    const tag = varint(reader);
    if ((tag & 7) === CLOSE) return numbers;
    if ((tag & 7) === VARINT) numbers.set(tag >>> 3, varint(reader));
    else skipValue(reader, tag & 7, 1);
  }
}

/** The groups of a message whose fields are wanted, by their number; the last of a number counts. */
export function readGroups(reader: Reader, wanted: ReadonlySet<number>): ReadonlyMap<number, Numbers> {
  const groups = new Map<number, Numbers>();
  while (reader.remaining > 0) {
    const tag = varint(reader);
    if ((tag & 7) === OPEN && wanted.has(tag >>> 3)) groups.set(tag >>> 3, readGroup(reader));
    else skipValue(reader, tag & 7, 0);
  }
  return groups;
}
