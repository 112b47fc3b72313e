import {
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  degreesFromMinutes,
  KNOT_KMH,
  type Message,
  type Position,
  Reader,
  storedTextReply,
  utcFromParts,
} from '#codec';
import { HISTORY, IMEI_BYTES, imeiAt, LOCATION } from './frame.ts';

/** Packets of records do not name the device. */
export interface State {
  readonly isLoggedIn: boolean;
}

export const initialState = (deviceId?: string): State => ({ isLoggedIn: deviceId !== undefined });

export function decode(bytes: Uint8Array, { state }: DecodeContext<State>): Decoded<State> {
  const type = bytes[0]!;
  const at = imeiAt(type);
  if (at !== undefined) return login(bytes, at);
  if (!state.isLoggedIn) throw new CodecError('not-identified', 'a record before the login', 0);
  return { state, messages: recordsOf(type, bytes), replies: [] };
}

/** Answered with the checksum of the packet. */
function login(bytes: Uint8Array, at: number): Decoded<State> {
  const imei = new Reader(bytes, at).hex(IMEI_BYTES).slice(1);
  if (!/^\d{15}$/.test(imei)) throw new CodecError('bad-value', 'an IMEI with digits beyond 9', at);
  const reply = storedTextReply(`resp_crc=${String.fromCharCode(bytes.at(-1)!)}`);
  return { state: { isLoggedIn: true }, messages: [{ type: 'login', ids: [imei] }], replies: [reply] };
}

const RECORD_BYTES = 42;
const MAX_RECORDS = 6;

function recordsOf(type: number, bytes: Uint8Array): Message[] {
  const reader = new Reader(bytes, 1);
  if (type === LOCATION) return [readRecord(reader, true)];
  if (type !== HISTORY) return [readShort(reader)];
  const count = reader.u8() & 0x0f;
  if (count > MAX_RECORDS) throw new CodecError('bad-value', `${count} records`, 1);
  reader.skip(2);
  if (count === 0) return [{ type: 'heartbeat' }];
  return Array.from({ length: count }, () => readRecord(reader.slice(RECORD_BYTES), false));
}

/** Source of these, of the unit of the battery and of the dilution: beatTracking, a server of others. */
const [EXTERNAL_SUPPLY, MOVING] = [0x01, 0x08] as const;
const BATTERY_PER_VOLT = 20;
const FIX = 0xc0;
const SATELLITES = 0x3f;

/** Two digits each of degrees, minutes and four decimals of them. */
const degreesOf = (value: number): number => {
  const degrees = Math.trunc(value / 1_000_000);
  return degreesFromMinutes(degrees, (value - degrees * 1_000_000) / 10_000);
};

function readRecord(reader: Reader, isFull: boolean): Position {
  const draft = new Draft();
  const { attributes } = draft;
  // a history comes from the memory of the device
  if (!isFull) attributes['archive'] = true;
  // interval and settings
  if (isFull) reader.skip(9);
  const status = reader.u8();
  attributes['status'] = status;
  attributes['charge'] = (status & EXTERNAL_SUPPLY) !== 0;
  attributes['motion'] = (status & MOVING) !== 0;
  if (isFull) reader.skip(2);
  attributes['battery'] = reader.u8() / BATTERY_PER_VOLT;
  // a time, and in full two schedules
  reader.skip(isFull ? 30 : 6);
  attributes['temp1'] = reader.i8();
  const rssi = -reader.u8();
  draft.addCell({ mcc: reader.u16(), mnc: reader.u16(), lac: reader.u16(), cid: reader.u16(), rssi });
  const flags = reader.u8();
  attributes['sat'] = flags & SATELLITES;
  setFix(draft, readTime(reader), flags, degreesOf(reader.i32()), degreesOf(reader.i32()));
  draft.setMovement(reader.i16(), reader.u8() * KNOT_KMH, reader.u8() * 2);
  attributes['hdop'] = reader.u16() / 10;
  return draft.toPosition();
}

/** Where the clock is not set there has not been a fix. */
function setFix(draft: Draft, time: number | undefined, flags: number, latitude: number, longitude: number): void {
  if (time !== undefined) draft.setFix(time, (flags & FIX) !== 0, latitude, longitude);
}

/** Undefined for the day 0 of a clock that is not set. */
function readTime(reader: Reader): number | undefined {
  const [day, month, year, hour, minute, second] = [0, 0, 0, 0, 0, 0].map(() => reader.u8());
  return day === 0 ? undefined : utcFromParts(year!, month!, day!, hour!, minute!, second!);
}

const ALARM = 0x80;

/** Location of type 45: 33 bytes behind the first. */
function readShort(reader: Reader): Position {
  const draft = new Draft();
  const { attributes } = draft;
  const first = reader.u8();
  if ((first & ALARM) !== 0) draft.addAlarm('general');
  attributes['batteryLevel'] = first & ~ALARM;
  reader.skip(2);
  attributes['temp1'] = reader.i8();
  // timer, mode, interval and a cell, whose parts are not known
  reader.skip(10);
  const flags = reader.u8();
  attributes['sat'] = flags & SATELLITES;
  const [clock, date] = [reader.u24(), reader.u24()];
  const [day, month, year] = [Math.trunc(date / 10_000), Math.trunc(date / 100) % 100, date % 100];
  const time = utcFromParts(year, month, day, Math.trunc(clock / 10_000), Math.trunc(clock / 100) % 100, clock % 100);
  setFix(draft, day === 0 ? undefined : time, flags, readDegrees(reader), readDegrees(reader));
  const speed = reader.u8() * KNOT_KMH;
  draft.setMovement(undefined, speed, reader.u16());
  return draft.toPosition();
}

/** Degrees, then ten thousandths of a minute in 20 bits; the last bit is that of the north or the east. */
function readDegrees(reader: Reader): number {
  const degrees = reader.u8();
  const rest = reader.u24();
  const value = degreesFromMinutes(degrees, (rest >> 4) / 10_000);
  return (rest & 1) === 1 ? value : 0 - value;
}
