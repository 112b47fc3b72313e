import { type Attributes, CodecError, Draft, type Reader } from '#codec';
import { readCompressed } from './compressed.ts';
import { eventBytes, expansionBitOf, GV600 } from './devices.ts';
import { locationBytes, readLocation, readTime } from './location.ts';
import { type Content, type Ids, idsOf, isSet, TAIL_BYTES } from './message.ts';
import { readSensors } from './sensors.ts';

/** Ignition and motion, by the state of the motion. */
const STATES: Readonly<Record<number, Attributes>> = {
  0x10: { ignition: false },
  0x11: { ignition: false, motion: false },
  0x12: { ignition: false, motion: true },
  0x16: { ignition: false, motion: true },
  0x20: { ignition: true },
  0x21: { ignition: true, motion: false },
  0x22: { ignition: true, motion: true },
  0x41: { motion: false },
  0x42: { motion: true },
};

const CALL = 3;
export const SENSORS = 18;
const COMPRESSED = 100;

/** Bits of the report mask: which fields there are. Source: @Track HEX protocol of GV300CAN, 4.3 and 4.5. */
const BIT = {
  sendTime: 4,
  count: 5,
  model: 8,
  protocol: 9,
  firmware: 10,
  batteryLevel: 11,
  power: 12,
  analogueMode: 13,
  analogue: 14,
  secondAnalogue: 15,
  lines: 17,
  motion: 18,
  satellites: 19,
  trip: 20,
  mileage: 21,
  hours: 22,
  totalHours: 23,
  tag: 24,
} as const;

const WIDE_MODEL = 0x80;
const [TRIP_BYTES, MILEAGE_BYTES, HOURS_BYTES, TOTAL_HOURS_BYTES, TAG_BYTES] = [3, 5, 3, 6, 4];
const [SEND_TIME_BYTES, COUNT_BYTES] = [7, 2];
/** What stands behind the places. */
const BEHIND: readonly (readonly [bit: number, bytes: number])[] = [
  [BIT.trip, TRIP_BYTES],
  [BIT.mileage, MILEAGE_BYTES],
  [BIT.hours, HOURS_BYTES],
  [BIT.totalHours, TOTAL_HOURS_BYTES],
  [BIT.tag, TAG_BYTES],
  [BIT.sendTime, SEND_TIME_BYTES],
  [BIT.count, COUNT_BYTES],
];

interface Head {
  readonly type: number;
  readonly mask: number;
  /** which sensors there are */
  readonly sensors: number;
  readonly device: number;
  readonly ids: Ids;
  readonly versionFw: string | undefined;
  readonly attributes: Attributes;
}

/** The number of a device; of some it is 80, and two bytes follow. */
function readDevice(reader: Reader): number {
  const device = reader.u8();
  if (device === WIDE_MODEL) reader.skip(2);
  return device;
}

/** What reports and events begin with, to the satellites. */
function readHead(reader: Reader, hasSensors: boolean): Head {
  const type = reader.u8();
  const mask = reader.u32();
  const has = (bit: number): boolean => isSet(mask, bit);
  const sensors = hasSensors && type === SENSORS ? reader.u32() : 0;
  reader.skip(2);
  const device = has(BIT.model) ? readDevice(reader) : 0;
  if (has(BIT.protocol)) reader.skip(2);
  const versionFw = has(BIT.firmware) ? String(reader.u16()) : undefined;
  const ids = idsOf(reader);
  const hasExpansion = has(expansionBitOf(device));
  const attributes: Attributes = {};
  if (has(BIT.batteryLevel)) attributes['batteryLevel'] = reader.u8();
  if (has(BIT.power)) attributes['power'] = reader.u16() / 1000;
  if (has(BIT.analogueMode)) reader.skip(2);
  if (has(BIT.analogue)) attributes['adc1'] = reader.u16() / 1000;
  if (has(BIT.secondAnalogue)) attributes['adc2'] = reader.u16() / 1000;
  if (hasExpansion) reader.skip(1);
  if (has(BIT.lines)) attributes['input'] = reader.u8();
  if (hasExpansion) reader.skip(1);
  if (has(BIT.lines)) attributes['output'] = reader.u8();
  if (has(BIT.motion)) Object.assign(attributes, STATES[reader.u8()]);
  if (has(BIT.satellites)) attributes['sat'] = reader.u8() & 0x0f;
  return { type, mask, sensors, device, ids, versionFw, attributes };
}

function readPlaces(reader: Reader, { mask, device, attributes }: Head): Draft[] {
  const drafts: Draft[] = [];
  for (let left = reader.u8(); left > 0; left--) {
    const draft = new Draft(left > 1 ? { ...attributes } : attributes);
    readLocation(reader, draft, mask, device);
    drafts.push(draft);
  }
  return drafts;
}

/** Mileage and engine hours stand behind the last place; short messages have none. */
function readCounters(reader: Reader, { mask }: Head, last: Draft): void {
  const skip = (bit: number, bytes: number): void =>
    reader.skip(isSet(mask, bit) ? Math.min(bytes, reader.remaining) : 0);
  skip(BIT.trip, TRIP_BYTES);
  if (!isSet(mask, BIT.mileage) || reader.remaining < MILEAGE_BYTES) return;
  const whole = reader.u32();
  last.setNumber('odometer', (whole * 10 + reader.u8()) * 100);
  skip(BIT.hours, HOURS_BYTES);
  if (!isSet(mask, BIT.totalHours) || reader.remaining < TOTAL_HOURS_BYTES) return;
  const minutes = reader.u32() * 60 + reader.u8();
  last.setNumber('hours', (minutes * 60 + reader.u8()) * 1000);
}

/** The time of sending, before the count, is that of a record without a place. */
function setSendTime(reader: Reader, { mask }: Head, drafts: readonly Draft[]): void {
  if (!isSet(mask, BIT.sendTime) || drafts.every(({ hasFix }) => hasFix)) return;
  const at = reader.bytes.length - TAIL_BYTES - (isSet(mask, BIT.count) ? COUNT_BYTES : 0) - SEND_TIME_BYTES;
  if (at < reader.offset) return;
  reader.skip(at - reader.offset);
  const time = readTime(reader);
  for (const draft of drafts) if (!draft.hasFix) draft.deviceTime = time;
}

function readRest(reader: Reader, head: Head): Draft[] {
  const drafts = readPlaces(reader, head);
  const last = drafts.at(-1);
  if (last !== undefined) readCounters(reader, head, last);
  // a message of no place says what its head says
  else drafts.push(new Draft(head.attributes));
  setSendTime(reader, head, drafts);
  return drafts;
}

/** +RSP: places with the state that they were sent in. */
export function readReport(reader: Reader): Content {
  const head = readHead(reader, true);
  const { ids, type } = head;
  if (type === COMPRESSED) return { ids, drafts: readCompressed(reader) };
  reader.skip(1);
  if (type === CALL) head.attributes['phone'] = readPhone(reader);
  if (type === SENSORS) readExpansions(reader, head);
  return { ids, drafts: readRest(reader, head) };
}

const MAX_POSITIONS = 15;

/** What is in expansions of other devices is passed over: the number of places is the one that fits to what follows. */
function readExpansions(reader: Reader, { mask, sensors, device, attributes }: Head): void {
  if (GV600.has(device)) {
    reader.skip(1);
    readSensors(reader, sensors, attributes);
    return;
  }
  const size = locationBytes(mask, device);
  const end = BEHIND.reduce(
    (at, [bit, bytes]) => (isSet(mask, bit) ? at - bytes : at),
    reader.bytes.length - TAIL_BYTES,
  );
  for (let count = 1; count <= MAX_POSITIONS; count++) {
    const at = end - count * size - 1;
    if (at > reader.offset && reader.bytes[at] === count) {
      reader.skip(at - reader.offset);
      return;
    }
  }
  throw new CodecError('bad-length', 'no number of places fits', reader.offset);
}

const INTERNATIONAL = 1;

/** Bytes of it, this one included, and kind in one; then two digits in a byte, F where there is none. */
function readPhone(reader: Reader): string {
  const kind = reader.u8();
  const digits = reader.hex(Math.max(0, (kind >> 4) - 1)).replace(/f.*$/, '');
  return (kind & 0x0f) === INTERNATIONAL ? `+${digits}` : digits;
}

const IGNITION: ReadonlyMap<number, boolean> = new Map([
  [13, true],
  [14, false],
]);

export function readEvent(reader: Reader): Content {
  const head = readHead(reader, false);
  const { ids, type, device, versionFw, attributes } = head;
  if (versionFw !== undefined) attributes['versionFw'] = versionFw;
  const ignition = IGNITION.get(type);
  if (ignition !== undefined) attributes['ignition'] = ignition;
  reader.skip(eventBytes(device, type));
  return { ids, drafts: readRest(reader, head) };
}
