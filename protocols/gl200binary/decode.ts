import {
  type Attributes,
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  type Message,
  Reader,
  readOptional,
  storedTextReply,
  toLatin1,
} from '#codec';
import { readCompressed } from './compressed.ts';
import { HEAD_BYTES, isBeat, isRecords, isStored } from './frame.ts';
import { readCell, readLocation, readTime } from './location.ts';

type Ids = readonly [string, ...string[]];

interface Content {
  readonly ids: Ids;
  readonly drafts: readonly Draft[];
}

/** Ignition and motion, by the state of the motion. */
const STATES: Readonly<Record<number, Attributes>> = {
  0x11: { ignition: false, motion: false },
  0x12: { ignition: false, motion: true },
  0x16: { ignition: false, motion: true },
  0x21: { ignition: true, motion: false },
  0x22: { ignition: true, motion: true },
  0x41: { motion: false },
  0x42: { motion: true },
};

const ANSWER = '+ACK';
/** the second letter of what is sent from the device's memory */
const STORED = 'B';
const MESSAGES: ReadonlyMap<string, (reader: Reader) => Content> = new Map([
  ['+RSP', readReport],
  ['+EVT', readEvent],
  ['+BSP', readReport],
  ['+BVT', readEvent],
  ['+INF', readInformation],
  ['+BNF', readInformation],
]);

export function decode(bytes: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  if (bytes.length < HEAD_BYTES) throw new CodecError('truncated', `${bytes.length} bytes of a header`);
  if (isBeat(bytes)) return beat(new Reader(bytes, 3), state);
  const header = toLatin1(bytes, 0, 4);
  const read = isRecords(bytes) ? readRecords : MESSAGES.get(header);
  if (read === undefined) return { state, messages: [...nameIn(header, bytes), other(header, bytes)], replies: [] };
  const { ids, drafts } = read(new Reader(bytes, 4));
  if (header[1] === STORED || isStored(bytes)) for (const { attributes } of drafts) attributes['archive'] = true;
  const messages: Message[] = [{ type: 'login', ids }, ...drafts.map((draft) => draft.toPosition())];
  return { state, messages, replies: [] };
}

const other = (header: string, bytes: Uint8Array): Message =>
  header === ANSWER ? { type: 'answer', outcome: 'done', bytes: bytes.slice() } : { type: 'heartbeat' };

/** Where a message that is no report has the device's number; a name, or nothing, may stand there. */
const NUMBER_AT: Readonly<Record<string, number>> = { '+ACK': 12, '+HBD': 11 };
const BYTES_WITH_NUMBER = 32;

function nameIn(header: string, bytes: Uint8Array): Message[] {
  const at = NUMBER_AT[header];
  if (at === undefined || bytes.length < BYTES_WITH_NUMBER) return [];
  const imei = imeiAt(bytes, at);
  return imei === undefined ? [] : [{ type: 'login', ids: [imei] }];
}

/** Device, versions, time; the answer repeats the count. Source: @Track Protocol Pro of GL601, heartbeat. */
function beat(reader: Reader, state: undefined): Decoded<undefined> {
  const id = reader.hex(8).slice(1);
  reader.skip(2 + 2 + 1 + 4);
  const replies = [storedTextReply(`+SACK:${reader.hex(2).toUpperCase()}$`)];
  return { state, messages: [{ type: 'login', ids: [id] }, { type: 'heartbeat' }], replies };
}

const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));
const IMEI_BYTES = 8;

/** Two decimal digits a byte, in the last one digit. */
function imeiAt(bytes: Uint8Array, start: number): string | undefined {
  const last = start + IMEI_BYTES - 1;
  let text = '';
  for (let at = start; at < last; at++) {
    const digits = TWO_DIGITS[bytes[at]!];
    if (digits === undefined) return undefined;
    text += digits;
  }
  return bytes[last]! > 9 ? undefined : text + String(bytes[last]);
}

/** Units that hold a name in the place of the number give what its bytes are. */
function idsOf(reader: Reader): Ids {
  const at = reader.offset;
  const number = String(reader.i64()).padStart(15, '0');
  const imei = imeiAt(reader.bytes, at);
  // what earlier versions named such a device
  return imei === undefined ? [number] : [imei, number];
}

const COMPRESSED = 100;
const CALL = 3;

/** Bits of the report mask: which fields there are. Source: @Track HEX protocol of GV300CAN, 4.3 and 4.5. */
const BIT = {
  speed: 0,
  course: 1,
  altitude: 2,
  cell: 3,
  sendTime: 4,
  count: 5,
  model: 8,
  protocol: 9,
  firmware: 10,
  batteryLevel: 11,
  power: 12,
  analogue: 14,
  lines: 17,
  motion: 18,
  satellites: 19,
  trip: 20,
  mileage: 21,
  hours: 22,
  totalHours: 23,
  furtherLines: 26,
} as const;

const isSet = (mask: number, bit: number): boolean => ((mask >>> bit) & 1) !== 0;
const WIDE_MODEL = 0x80;

interface Head {
  readonly type: number;
  readonly mask: number;
  readonly ids: Ids;
  readonly versionFw: string | undefined;
  readonly attributes: Attributes;
}

/** What reports and events begin with, to the satellites. */
function readHead(reader: Reader): Head {
  const type = reader.u8();
  const mask = reader.u32();
  const has = (bit: number): boolean => isSet(mask, bit);
  reader.skip(2);
  if (has(BIT.model)) reader.skip(reader.peekU8() === WIDE_MODEL ? 3 : 1);
  if (has(BIT.protocol)) reader.skip(2);
  const versionFw = has(BIT.firmware) ? String(reader.u16()) : undefined;
  const ids = idsOf(reader);
  const attributes: Attributes = {};
  if (has(BIT.batteryLevel)) attributes['batteryLevel'] = reader.u8();
  if (has(BIT.power)) attributes['power'] = reader.u16() / 1000;
  if (has(BIT.analogue)) attributes['adc1'] = reader.u16() / 1000;
  if (has(BIT.furtherLines)) reader.skip(1);
  if (has(BIT.lines)) attributes['input'] = reader.u8();
  if (has(BIT.furtherLines)) reader.skip(1);
  if (has(BIT.lines)) attributes['output'] = reader.u8();
  if (has(BIT.motion)) Object.assign(attributes, STATES[reader.u8()]);
  if (has(BIT.satellites)) attributes['sat'] = reader.u8() & 0x0f;
  return { type, mask, ids, versionFw, attributes };
}

function readPlaces(reader: Reader, { mask, attributes }: Head): Draft[] {
  const drafts: Draft[] = [];
  for (let count = reader.u8(); count > 0; count--) {
    const draft = new Draft(count > 1 ? { ...attributes } : attributes);
    readLocation(reader, draft, mask);
    drafts.push(draft);
  }
  return drafts;
}

const [TRIP_BYTES, MILEAGE_BYTES] = [3, 5];

/** The mileage stands behind the last place; short messages have none. */
function readMileage(reader: Reader, { mask }: Head, last: Draft | undefined): void {
  const before = isSet(mask, BIT.trip) ? TRIP_BYTES : 0;
  if (!isSet(mask, BIT.mileage) || reader.remaining < before + MILEAGE_BYTES) return;
  reader.skip(before);
  const whole = reader.u32();
  last?.setNumber('odometer', (whole * 10 + reader.u8()) * 100);
}

/** +RSP: places with the state that they were sent in. */
function readReport(reader: Reader): Content {
  const head = readHead(reader);
  const { ids, type } = head;
  if (type === COMPRESSED) return { ids, drafts: readCompressed(reader) };
  reader.skip(1);
  if (type === CALL) skipPhone(reader);
  const drafts = readPlaces(reader, head);
  readMileage(reader, head, drafts.at(-1));
  return { ids, drafts };
}

/** A length, then digits, two in a byte, to the first F. */
function skipPhone(reader: Reader): void {
  reader.skip(1);
  let byte = 0;
  do byte = reader.u8();
  while ((byte & 0x0f) !== 0x0f && byte >> 4 !== 0x0f);
}

/** Bytes of an event that are its own. */
const EVENT_BYTES: ReadonlyMap<number, number> = new Map([
  [6, 2],
  [13, 4],
  [14, 4],
  [15, 3],
  [17, 4],
  [21, 5],
  [23, 1],
  [25, 2],
  [26, 12],
  [31, 2],
  [33, 1],
  [34, 3],
  [35, 1],
  [45, 7],
  [46, 7],
]);
const IGNITION: ReadonlyMap<number, boolean> = new Map([
  [13, true],
  [14, false],
]);

function readEvent(reader: Reader): Content {
  const head = readHead(reader);
  const { ids, type, versionFw, attributes } = head;
  if (versionFw !== undefined) attributes['versionFw'] = versionFw;
  const ignition = IGNITION.get(type);
  if (ignition !== undefined) attributes['ignition'] = ignition;
  reader.skip(EVENT_BYTES.get(type) ?? 0);
  const drafts = readPlaces(reader, head);
  readMileage(reader, head, drafts.at(-1));
  return { ids, drafts };
}

const [VERSION, SUPPLY, RADIO, CELL] = [6, 7, 5, 10];

/** +INF: what the device is and how it fares. */
function readInformation(reader: Reader): Content {
  const draft = new Draft();
  const { attributes } = draft;
  const type = reader.u8();
  reader.skip(4 + 2);
  const ids = idsOf(reader);
  reader.skip(1 + 2);
  attributes['versionFw'] = String(reader.u16());
  reader.skip(type === VERSION ? 8 : 2);
  attributes['sat'] = reader.u8();
  readOptional(() => {
    reader.skip(21);
    if (type === SUPPLY) readSupply(reader, draft);
    reader.skip(10);
    if (type === RADIO) {
      attributes['rssi'] = reader.u8();
      reader.skip(1);
    }
    reader.skip(1 + 2);
    if (type === CELL) {
      reader.skip(2);
      readCell(reader, draft);
      reader.skip(2);
    }
    draft.deviceTime = readTime(reader);
  });
  return { ids, drafts: [draft] };
}

function readSupply(reader: Reader, { attributes }: Draft): void {
  attributes['charge'] = reader.u8() !== 0;
  attributes['power'] = reader.u16() / 1000;
  attributes['battery'] = reader.u16() / 1000;
  attributes['batteryLevel'] = reader.u8();
}

/** place, time and speed; and with it hdop, course, altitude and satellites */
const [SHORT_PLACE, PLACE] = [0x51, 0x52];
const TAIL_BYTES = 4;

/** 2B 00, 2D 00: records of items, each with its length. */
function readRecords(reader: Reader): Content {
  const more = reader.u8() & 0x80;
  if (more) reader.skip(2);
  const ids: Ids = [reader.hex(8).slice(1)];
  reader.skip(2 + 2 + 1);
  reader.skip(reader.u8());
  const drafts: Draft[] = [];
  const end = reader.bytes.length - TAIL_BYTES;
  readOptional(() => {
    while (reader.offset < end) {
      const start = reader.offset;
      const length = readVariable(reader);
      const record = new Reader(reader.bytes, reader.offset, Math.min(start + length, end));
      readRecord(record, drafts);
      reader.skip(Math.max(length - (reader.offset - start), 0));
    }
  });
  return { ids, drafts };
}

/** A byte, or two where the first has its highest bit set. */
function readVariable(reader: Reader): number {
  const byte = reader.u8();
  return byte & 0x80 ? ((byte & 0x7f) << 8) | reader.u8() : byte;
}

/** Time, counter, ids; then items. */
function readRecord(reader: Reader, drafts: Draft[]): void {
  reader.skip(4 + 2 + 1 + 1);
  while (reader.remaining > 0) {
    const item = readVariable(reader);
    const content = reader.slice(readVariable(reader));
    if (item === PLACE || item === SHORT_PLACE) drafts.push(readPlace(content, item === PLACE));
  }
}

const FIXED = 2;

function readPlace(reader: Reader, isWhole: boolean): Draft {
  const draft = new Draft();
  const valid = ((reader.u8() >> 2) & 3) === FIXED;
  const longitude = reader.i32() / 1e6;
  const latitude = reader.i32() / 1e6;
  draft.setFix(reader.u32() * 1000, valid, latitude, longitude);
  const speed = reader.u16() / 10;
  draft.setMovement(undefined, speed, undefined);
  if (!isWhole) return draft;
  draft.attributes['hdop'] = reader.u8() / 10;
  const course = reader.u16();
  draft.setMovement(reader.u24() / 10, speed, course);
  draft.attributes['sat'] = reader.u8();
  return draft;
}
