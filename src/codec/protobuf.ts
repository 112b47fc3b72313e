import { CodecError } from './errors.ts';
import type { Reader } from './reader.ts';

/** Wire types of protobuf 2. Source: protobuf encoding, structure of a message. */
export const WIRE = { varint: 0, fixed64: 1, bytes: 2, open: 3, close: 4, fixed32: 5 } as const;

const DEEPEST = 8;

/** An unsigned varint of at most 64 bits, of which the lower 32 are kept. Throws CodecError `bad-value` for more. */
export function readVarint(reader: Reader): number {
  let value = 0;
  for (let shift = 0; shift < 70; shift += 7) {
    const byte = reader.u8();
    if (shift < 32) value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value >>> 0;
  }
  throw new CodecError('bad-value', 'a number of more than 64 bits', reader.offset);
}

/** The signed number (sint32) of a varint. */
export const fromZigzag = (value: number): number => (value >>> 1) ^ -(value & 1);

/** Moves past a value; a group with all that is in it. */
export function skipProtobuf(reader: Reader, wireType: number, depth = 0): void {
  if (wireType === WIRE.varint) readVarint(reader);
  else if (wireType === WIRE.fixed64) reader.skip(8);
  else if (wireType === WIRE.bytes) reader.skip(readVarint(reader));
  else if (wireType === WIRE.fixed32) reader.skip(4);
  else if (wireType === WIRE.open && depth < DEEPEST) {
    for (let tag = readVarint(reader); (tag & 7) !== WIRE.close; tag = readVarint(reader)) {
      skipProtobuf(reader, tag & 7, depth + 1);
    }
  } else throw new CodecError('bad-value', `wire type ${wireType}`, reader.offset);
}
