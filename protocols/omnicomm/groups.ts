import { type Reader, readVarint, skipProtobuf, WIRE } from '#codec';

/** By their field; undefined where a group has none of it. */
export type Numbers = readonly (number | undefined)[];

/** Fields from here on are not read. */
const MOST_FIELDS = 12;
const NONE: Numbers = Array.from({ length: MOST_FIELDS }, () => undefined);

/** Numbers of a group; other fields are skipped. */
function readGroup(reader: Reader): Numbers {
  const numbers = NONE.slice();
  for (let tag = readVarint(reader); (tag & 7) !== WIRE.close; tag = readVarint(reader)) {
    if ((tag & 7) === WIRE.varint) {
      const value = readVarint(reader);
      if (tag >>> 3 < MOST_FIELDS) numbers[tag >>> 3] = value;
    } else skipProtobuf(reader, tag & 7, 1);
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
