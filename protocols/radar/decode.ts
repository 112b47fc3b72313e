import { CodecError, type DecodeContext, type Decoded, Draft, decodedFor, type Message, Reader } from '#codec';
import {
  type Field,
  type FieldList,
  fix,
  fixNumber,
  flagByMask,
  inOrder,
  layout,
  type NumberUse,
  number,
  skip,
  u16,
  u32,
} from '#codec/binary';
import { CRC_BYTES, TRACKING } from './frame.ts';

const fixTime: Field = ({ reader, into }) => {
  into.fixTime = reader.u32() * 1000;
};
const deviceTime: Field = ({ reader, into }) => {
  into.deviceTime = reader.u32() * 1000;
};
const coordinate = (property: 'latitude' | 'longitude'): Field =>
  number('i32', fixNumber(property, { divisor: 360_000 }));

/** so many fields of this size that say nothing known */
const unread = (count: number, bytes: number): Field[] => Array.from({ length: count }, () => skip(bytes));

const STATUS_BITS = [
  flagByMask(0x01, 'ignition'),
  flagByMask(0x02, 'charge'),
  flagByMask(0x04, 'motion'),
  flagByMask(0x10, 'in0'),
  flagByMask(0x20, 'in1'),
  flagByMask(0x40, 'in2'),
];

const MIN_SATELLITES = 3;
/**
 * The number of satellites in the upper half. The bits of the lower half are clear in recorded fixes of 12 and 13
 * satellites, so they do not say that a fix is valid: the number does.
 */
const satellites: NumberUse = (raw, { into }) => {
  const sat = raw >> 4;
  into.valid = sat >= MIN_SATELLITES;
  into.attributes['sat'] = sat;
};

const MS = 1_000;
const DRIVER_BYTES = 6;
const NO_DRIVER = '0'.repeat(2 * DRIVER_BYTES);
const driver: Field = ({ reader, into }) => {
  const id = reader.hex(DRIVER_BYTES);
  if (id !== NO_DRIVER) into.attributes['driverUniqueId'] = id;
};

const OPERATOR_BYTES = 10;
/** Text that zeros fill up. */
const operator: Field = ({ reader, into }) => {
  const [name] = reader.latin1(OPERATOR_BYTES).split('\0', 1);
  if (name !== '') into.attributes['operator'] = name!;
};

/** The vendor's elements by the flagByMask of the mask. */
const ELEMENTS: readonly Field[] = (
  [
    deviceTime,
    fixTime,
    coordinate('latitude'),
    coordinate('longitude'),
    fix.speed('u16'),
    fix.course('u16', { divisor: 10 }),
    fix.altitude('i16'),
    number('u8', satellites),
    number('u32', ...STATUS_BITS),
    number('u16', flagByMask(0x01, 'blocked'), flagByMask(0x10, 'out0')),
    ...unread(5, 2),
    u32('odometer', { factor: 100 }),
    skip(4),
    ...unread(11, 1),
    ...Array.from({ length: 5 }, () => [skip(12), skip(1)]).flat(),
    driver,
    ...unread(4, 2),
    operator,
    u16('power', { divisor: 10 }),
    ...unread(5, 1),
    skip(2),
    // seconds with the ignition on; those of the next element are a few more
    u32('hours', { factor: MS }),
    skip(4),
  ] satisfies FieldList[]
).map(inOrder);

const READERS = ELEMENTS.map((element) => layout(element));

/** Times, latitude and longitude: a record without one of them has no fix. */
const FIX_BITS = [0, 1, 2, 3];

const isSet = (mask: Uint8Array, index: number): boolean => ((mask[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;

/** Event, mask, length of the whole record, and a field for each flagByMask of the mask. */
function readRecord(reader: Reader): Message {
  const start = reader.offset;
  const draft = new Draft();
  draft.attributes['event'] = reader.u16();
  const mask = reader.view(reader.u8());
  const bytes = reader.u16();
  const head = reader.offset - start;
  if (bytes < head) throw new CodecError('bad-length', `a record of ${bytes} bytes`, start);
  const fields = reader.slice(Math.min(bytes - head, reader.remaining));
  for (const [index, read] of READERS.entries()) if (isSet(mask, index)) read(fields, draft);
  draft.hasFix = FIX_BITS.every((index) => isSet(mask, index));
  return draft.toPosition();
}

/** Counters of the memory, the count of records, the number of the first. */
function readRecords(reader: Reader): Message[] {
  reader.skip(2 + 2);
  const count = reader.u16();
  reader.skip(2);
  return Array.from({ length: Math.min(count, reader.remaining) }, () => readRecord(reader));
}

export function decode(bytes: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const reader = new Reader(bytes, 2, bytes.length - CRC_BYTES);
  const serial = reader.u32();
  reader.skip(1 + 4);
  const type = reader.u8();
  reader.skip(2);
  return decodedFor(String(serial), { messages: type === TRACKING ? readRecords(reader) : [] }, state);
}
