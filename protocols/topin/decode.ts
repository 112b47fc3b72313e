import {
  CodecError,
  calendarReader,
  type DecodeContext,
  type Decoded,
  Draft,
  fixFlags,
  type Message,
  ninePlaces,
  Reader,
  type Reply,
  readOptional,
  storedReply,
  utcToParts,
  Writer,
} from '#codec';
import { BODY_AT, isOfCells, isOfPosition, TYPE_AT } from './frame.ts';

const [LOGIN, GPS, STORED_GPS, STORED_POSITION, STATUS, TIME, VIBRATION, SOS] = [
  0x01, 0x08, 0x09, 0x11, 0x13, 0x30, 0x94, 0x99,
];
const TAIL_BYTES = 2;
const TIME_BYTES = 6;
const ACCEPTED = Uint8Array.of(0x01);
const REJECTED = Uint8Array.of(0x44);
const TIME_LENGTH = 7;
const PER_DEGREE = 1_800_000;
const FLAGS = fixFlags({ valid: 0x1000, north: 0x0400, west: 0x0800 });
const [COURSE, HAS_IGNITION, IGNITION] = [0x03ff, 0x4000, 0x8000];
const ALARMS: Readonly<Record<number, string>> = { [VIBRATION!]: 'vibration', [SOS!]: 'sos' };

const readTime = calendarReader('yMdHms');
const readBcdTime = calendarReader('yMdHms', 'bcd');

const message = (length: number, type: number, content: Uint8Array): Uint8Array =>
  new Writer().hex('7878').u8(length).u8(type).raw(content).hex('0d0a').finish();

/** The time of the server. */
function timeMessage(now: number): Uint8Array {
  const [year, ...parts] = utcToParts(now);
  const content = new Writer().u16(2000 + year!);
  for (const part of parts) content.u8(part);
  return message(TIME_LENGTH, TIME!, content.finish());
}

/** Degrees, then 24 bits: a sign in the upper four, a decimal fraction. */
function readDegrees(reader: Reader): number {
  const degrees = reader.u8();
  const rest = reader.u24();
  const size = degrees + (rest & 0x0f_ffff) / 1_000_000;
  return rest >> 20 === 0 ? size : 0 - size;
}

function readGps(reader: Reader, draft: Draft, isLive: boolean): void {
  const time = readTime(reader);
  const latitude = readDegrees(reader);
  draft.setFix(time, isLive, latitude, readDegrees(reader));
  readOptional(() => {
    reader.skip(8);
    draft.speed = reader.u8();
    draft.course = reader.u8() * 2;
    draft.attributes['sat'] = reader.u8();
  });
}

/** The first of the bits that is set. */
function readAlarm(reader: Reader, draft: Draft): void {
  const alarm = reader.u8();
  draft.addAlarm((alarm & 0x01) !== 0 ? 'vibration' : (alarm & 0x02) !== 0 ? 'overspeed' : undefined);
  if ((alarm & 0x13) === 0x10) draft.addAlarm('lowPower');
}

function readPosition(reader: Reader, draft: Draft): void {
  const time = readTime(reader);
  draft.attributes['sat'] = reader.u8() & 0x0f;
  const [latitude, longitude] = [ninePlaces(reader.u32() / PER_DEGREE), ninePlaces(reader.u32() / PER_DEGREE)];
  draft.speed = reader.u8();
  const flags = reader.u16();
  draft.course = flags & COURSE;
  draft.setFix(time, FLAGS.isValid(flags), FLAGS.latitude(flags, latitude), FLAGS.longitude(flags, longitude));
  if ((flags & HAS_IGNITION) !== 0) draft.attributes['ignition'] = (flags & IGNITION) !== 0;
  if (reader.remaining < 3) return;
  draft.altitude = reader.i16();
  readAlarm(reader, draft);
}

function readStatus(reader: Reader, { attributes }: Draft): void {
  readOptional(() => {
    attributes['batteryLevel'] = reader.u8();
    attributes['versionFw'] = reader.u8();
    reader.skip(2);
    attributes['rssi'] = reader.u8();
    if (reader.remaining >= 3) reader.skip(3);
    attributes['charge'] = reader.u8() > 0;
    attributes['heartRate'] = reader.u8();
  });
}

const negative = (level: number): number => (level === 0 ? 0 : -level);

function readNetwork(reader: Reader, draft: Draft, accessPoints: number): void {
  draft.deviceTime = readBcdTime(reader);
  for (let n = 0; n < accessPoints; n++) draft.addAccessPoint(reader.mac(), negative(reader.u8()));
  const cells = reader.u8();
  const [mcc, mnc] = [reader.u16(), reader.u8()];
  for (let n = 0; n < cells; n++)
    draft.addCell({ mcc, mnc, lac: reader.u16(), cid: reader.u16(), rssi: negative(reader.u8()) });
  if (reader.remaining > 0) readAlarm(reader, draft);
}

function readBody(type: number, length: number, reader: Reader, draft: Draft): void {
  if (type === GPS || type === STORED_GPS) {
    if (reader.remaining > 0) readGps(reader, draft, type === GPS);
  } else if (isOfPosition(type)) readPosition(reader, draft);
  else if (type === STATUS) readStatus(reader, draft);
  else if (isOfCells(type)) readNetwork(reader, draft, length);
  else if (ALARMS[type] !== undefined) draft.addAlarm(ALARMS[type]);
  else if (type !== TIME) throw new CodecError('unknown-type', `message ${type} is not known`, TYPE_AT);
  if (type === STORED_GPS || type === STORED_POSITION) draft.attributes['archive'] = true;
}

function repliesTo(frame: Uint8Array, type: number, now: number): Reply[] {
  const length = frame[2]!;
  if (type === TIME) return [storedReply(timeMessage(now))];
  if (type === STATUS) return [storedReply(frame.slice())];
  if (!isOfPosition(type) && !isOfCells(type)) return [];
  return [storedReply(message(length, type, frame.subarray(BODY_AT, BODY_AT + TIME_BYTES)))];
}

export function decode(frame: Uint8Array, { state, now }: DecodeContext<undefined>): Decoded<undefined> {
  const reader = new Reader(frame, 2, frame.length - TAIL_BYTES);
  const [length, type] = [reader.u8(), reader.u8()];
  if (type === LOGIN) {
    const id = reader.hex(8).slice(1);
    if (!/^\d{15}$/.test(id)) throw new CodecError('bad-value', 'no device id', BODY_AT);
    const refused: Reply = { when: 'refused', bytes: message(length, type, REJECTED) };
    const replies = [refused, storedReply(message(length, type, ACCEPTED)), storedReply(timeMessage(now))];
    return { state, messages: [{ type: 'login', ids: [id] }], replies };
  }
  const draft = new Draft();
  readBody(type, length, reader, draft);
  const messages: Message[] = [draft.isEmpty ? { type: 'heartbeat' } : draft.toPosition()];
  return { state, messages, replies: repliesTo(frame, type, now) };
}
