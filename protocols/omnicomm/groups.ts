import { type Reader, readVarint, skipProtobuf, WIRE } from '#codec';

export type Numbers = ReadonlyMap<number, number>;

/** Numbers of a group, by their field; what is none is passed over. */
function readGroup(reader: Reader): Numbers {
  const numbers = new Map<number, number>();
  for (let tag = readVarint(reader); (tag & 7) !== WIRE.close; tag = readVarint(reader)) {
    if ((tag & 7) === WIRE.varint) numbers.set(tag >>> 3, readVarint(reader));
    else skipProtobuf(reader, tag & 7, 1);
  }
  return numbers;
}

/** The groups of a message whose fields are wanted, by their number; the last of a number counts. */
export function readGroups(reader: Reader, wanted: ReadonlySet<number>): ReadonlyMap<number, Numbers> {
  const groups = new Map<number, Numbers>();
  while (reader.remaining > 0) {
    const tag = readVarint(reader);
    if ((tag & 7) === WIRE.open && wanted.has(tag >>> 3)) groups.set(tag >>> 3, readGroup(reader));
    else skipProtobuf(reader, tag & 7);
  }
  return groups;
}
