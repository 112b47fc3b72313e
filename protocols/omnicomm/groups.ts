import { type Reader, readVarint, skipProtobuf, WIRE } from '#codec';

/** Fields of a group by their number; of bytes, their place in the message. */
export interface Group {
  readonly numbers: readonly (number | undefined)[];
  /** IDDrv of General */
  readonly bytes?: Uint8Array;
}

/** Fields from here on are not read: the last is FLLS8. */
const MOST_FIELDS = 25;
const NONE: Group['numbers'] = Array.from({ length: MOST_FIELDS }, () => undefined);
/** The only field of bytes that is read. */
const BYTES_FIELD = 3;

function readGroup(reader: Reader): Group {
  const numbers = NONE.slice();
  let bytes: Uint8Array | undefined;
  for (let tag = readVarint(reader); (tag & 7) !== WIRE.close; tag = readVarint(reader)) {
    const [field, type] = [tag >>> 3, tag & 7];
    if (type === WIRE.varint) {
      const value = readVarint(reader);
      if (field < MOST_FIELDS) numbers[field] = value;
    } else if (type === WIRE.bytes && field === BYTES_FIELD) bytes = reader.view(readVarint(reader));
    else skipProtobuf(reader, type, 1);
  }
  return bytes === undefined ? { numbers } : { numbers, bytes };
}

/** The groups of a message by their number, of those that are `wanted`; the last of a number counts. */
export function readGroups(reader: Reader, wanted: ReadonlySet<number>): ReadonlyMap<number, Group> {
  const groups = new Map<number, Group>();
  while (reader.remaining > 0) {
    const tag = readVarint(reader);
    if ((tag & 7) === WIRE.open && wanted.has(tag >>> 3)) groups.set(tag >>> 3, readGroup(reader));
    else skipProtobuf(reader, tag & 7);
  }
  return groups;
}
