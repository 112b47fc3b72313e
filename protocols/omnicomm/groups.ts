import { type Reader, readVarint, skipProtobuf, WIRE } from '#codec';

/** Fields of a group by their number; of bytes, their place in the message. */
export interface Group {
  readonly numbers: readonly (number | undefined)[];
  /** IDDrv of General */
  readonly bytes: Uint8Array | undefined;
  /** the group within it: OneWire of Other */
  readonly inner: Group | undefined;
}

/** Fields from here on are not read: the last is FLLS8. */
const MAX_FIELDS = 25;
const NONE: Group['numbers'] = Array.from({ length: MAX_FIELDS }, () => undefined);
/** The only field of bytes that is read. */
const BYTES_FIELD = 3;
/** The only group within a group that is read. */
const INNER_FIELD = 1;

function readGroup(reader: Reader, isOuter = true): Group {
  const numbers = NONE.slice();
  let bytes: Uint8Array | undefined;
  let inner: Group | undefined;
  for (let tag = readVarint(reader); (tag & 7) !== WIRE.close; tag = readVarint(reader)) {
    const field = tag >>> 3;
    const type = tag & 7;
    if (type === WIRE.varint) {
      const value = readVarint(reader);
      if (field < MAX_FIELDS) numbers[field] = value;
    } else if (type === WIRE.bytes && field === BYTES_FIELD) bytes = reader.view(readVarint(reader));
    else if (type === WIRE.open && field === INNER_FIELD && isOuter) inner = readGroup(reader, false);
    else skipProtobuf(reader, type, 1);
  }
  return { numbers, bytes, inner };
}

const EVENTS_FIELD = 1;

/** What a message holds: its groups, of those that are wanted, and the numbers of its events. */
export interface Content {
  readonly groups: ReadonlyMap<number, Group>;
  readonly events: readonly number[];
}

/** The groups of a message by their number, of those that are `wanted`; the last of a number counts. */
export function readContent(reader: Reader, wanted: ReadonlySet<number>): Content {
  const groups = new Map<number, Group>();
  const events: number[] = [];
  while (reader.remaining > 0) {
    const tag = readVarint(reader);
    const field = tag >>> 3;
    const type = tag & 7;
    if (type === WIRE.open && wanted.has(field)) groups.set(field, readGroup(reader));
    else if (type === WIRE.bytes && field === EVENTS_FIELD) {
      const packed = reader.slice(readVarint(reader));
      while (packed.remaining > 0) events.push(readVarint(packed));
    } else skipProtobuf(reader, type);
  }
  return { groups, events };
}
