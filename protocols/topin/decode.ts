import {
  CodecError,
  calendarReader,
  type DecodeContext,
  type Decoded,
  type DeviceOptions,
  Draft,
  fileChunk,
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
import { utcToDigits } from '#codec/text';
import { BODY_AT, isOfCells, isOfLteCells, isOfPosition, isPiece, RECORDED, TYPE_AT } from './frame.ts';

const [LOGIN, GPS, STORED_GPS, STORED_POSITION, STATUS, SLEEP, RESET, TIME] = [
  0x01, 0x08, 0x09, 0x11, 0x13, 0x14, 0x15, 0x30,
] as const;
const [REJECTED, WORN, NOT_LOCATED, CHARGED, CHARGER, NO_CHARGER, OVERSPEED, VIBRATION, INTERVAL, SOS] = [
  0x44, 0x56, 0x80, 0x81, 0x82, 0x83, 0x86, 0x94, 0x98, 0x99,
] as const;
const [STEPS, SETTINGS, NUMBERS, PASSWORD, FENCE, CARD] = [0x54, 0x57, 0x58, 0x67, 0x73, 0xb3] as const;
const CALLS: readonly number[] = [0x40, 0x41, 0x42, 0x43];
const TAIL_BYTES = 2;
const TIME_BYTES = 6;
/** Answers that carry the time of a record have no length. */
const [NO_LENGTH, TYPE_LENGTH, TIME_LENGTH] = [0, 1, 7];
const NOTHING = new Uint8Array();
/** Status of an older layout, of which an example is in the annex of the protocol's document. */
const OLD_STATUS_BYTES = 7;
const OLD_CHARGING = 0x04;
const PER_DEGREE = 1_800_000;
const FLAGS = fixFlags({ valid: 0x1000, north: 0x0400, west: 0x0800 });
const [COURSE, HAS_IGNITION, IGNITION] = [0x03ff, 0x4000, 0x8000];
const ALARMS: Readonly<Record<number, string>> = {
  [FENCE]: 'geofence',
  [OVERSPEED]: 'overspeed',
  [VIBRATION]: 'vibration',
  [SOS]: 'sos',
};
/** Messages without values: they are heartbeats. */
const STORED: readonly number[] = [STORED_GPS, STORED_POSITION, 0x17, 0x19, 0x1b];
const PLAIN: readonly number[] = [SLEEP, RESET, TIME, INTERVAL, SETTINGS, NUMBERS];
const ECHOED: readonly number[] = [RESET, STEPS, INTERVAL];
/** Offset of the minutes between messages in the status. */
const STATUS_INTERVAL_AT = BODY_AT + 3;

/** A sound recording that is coming. All its pieces but the last are of one size. */
export interface TopinState {
  readonly recording?: { readonly name: string; readonly pieceBytes: number };
}

const USUAL_PIECE_BYTES = 512;

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

const [MIN_INTERVAL_S, MAX_INTERVAL_S, DEFAULT_INTERVAL_S] = [10, 7_200, 60] as const;
const GPS_ON = 0x01;

/**
 * The settings that a tracker asks for: seconds between its positions in decimal digits, its switches, three times of
 * an alarm clock, hours without calls, hours without GPS, and the numbers of the alarm button, of father and mother.
 */
function settings(options: DeviceOptions): Uint8Array {
  const wanted = Number(options['interval'] ?? DEFAULT_INTERVAL_S);
  const interval =
    Number.isInteger(wanted) && wanted >= MIN_INTERVAL_S && wanted <= MAX_INTERVAL_S ? wanted : DEFAULT_INTERVAL_S;
  const numbers = String(options['numbers'] ?? '').split(';');
  const content = new Writer().hex(String(interval).padStart(4, '0')).u8(GPS_ON).hex('00'.repeat(24));
  for (let n = 0; n < 3; n++) content.latin1(`${(numbers[n] ?? '').replace(/[^+\d]/g, '').slice(0, 20)};`);
  const bytes = content.finish();
  return message(1 + bytes.length, SETTINGS, bytes);
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
  const speed = reader.u8();
  const flags = reader.u16();
  if ((flags & HAS_IGNITION) !== 0) draft.attributes['ignition'] = (flags & IGNITION) !== 0;
  // a receiver that has not found a place sends zeros
  if (!FLAGS.isValid(flags) && latitude === 0 && longitude === 0) draft.deviceTime = time;
  else {
    draft.setFix(time, FLAGS.isValid(flags), FLAGS.latitude(flags, latitude), FLAGS.longitude(flags, longitude));
    draft.setMovement(undefined, speed, flags & COURSE);
  }
  if (reader.remaining >= 2) draft.altitude = reader.i16();
  if (reader.remaining > 0) readAlarm(reader, draft);
}

function readOldStatus(reader: Reader, { attributes }: Draft): void {
  attributes['charge'] = (reader.u8() & OLD_CHARGING) !== 0;
  attributes['batteryLevel'] = reader.u8();
  attributes['rssi'] = reader.u8();
  attributes['versionFw'] = reader.u8();
}

/** Trackers send more or fewer of the values; a heart rate of zero was not measured. */
function readStatus(reader: Reader, { attributes }: Draft): void {
  readOptional(() => {
    attributes['batteryLevel'] = reader.u8();
    attributes['versionFw'] = reader.u8();
    reader.skip(2); // time zone, minutes between messages
    attributes['rssi'] = reader.u8();
    attributes['charge'] = reader.u8() > 0;
    reader.skip(2); // temperature, whose unit is not known
    const heartRate = reader.u8();
    if (heartRate > 0) attributes['heartRate'] = heartRate;
    attributes['steps'] = reader.u32();
  });
}

const negative = (level: number): number => (level === 0 ? 0 : -level);

function readNetwork(reader: Reader, draft: Draft, accessPoints: number, isLte: boolean): void {
  draft.deviceTime = readBcdTime(reader);
  for (let n = 0; n < accessPoints; n++) draft.addAccessPoint(reader.mac(), negative(reader.u8()));
  const cells = reader.u8();
  const [mcc, mnc] = [reader.u16(), reader.u8()];
  for (let n = 0; n < cells; n++) {
    const [lac, cid] = isLte ? [reader.u32(), reader.u32()] : [reader.u16(), reader.u16()];
    draft.addCell({ mcc, mnc, lac, cid, rssi: negative(reader.u8()) });
  }
  if (reader.remaining > 0) readAlarm(reader, draft);
}

const ICCID = /^\d{18,20}[0-9A-Fa-f]?$/;

/** What has happened to the tracker. The event is the type of the message. */
function readEvent(type: number, length: number, reader: Reader, draft: Draft): void {
  const { attributes } = draft;
  attributes['event'] = type;
  if (type === CHARGED && length > 1) draft.addAlarm('lowBattery');
  else if (type === CHARGED || type === CHARGER) attributes['charge'] = true;
  else if (type === NO_CHARGER) attributes['charge'] = false;
  else if (type === NOT_LOCATED) attributes['status'] = reader.u8();
  else if (type === WORN && reader.u8() === 0) draft.addAlarm('removing');
  else if (type === STEPS) {
    // month and day of what is counted, in digits
    reader.skip(4);
    attributes['steps'] = reader.u24();
  } else if (type === CARD) {
    const iccid = reader.latin1();
    if (ICCID.test(iccid)) attributes['iccid'] = iccid;
  } else if (type === RECORDED && reader.remaining > 0) attributes['recording'] = reader.latin1();
}

const EVENTS: readonly number[] = [
  ...CALLS,
  STEPS,
  PASSWORD,
  WORN,
  NOT_LOCATED,
  CHARGED,
  CHARGER,
  NO_CHARGER,
  CARD,
  RECORDED,
];

function readBody(type: number, length: number, reader: Reader, draft: Draft): void {
  if (type === GPS || type === STORED_GPS) {
    if (reader.remaining > 0) readGps(reader, draft, type === GPS);
  } else if (isOfPosition(type)) readPosition(reader, draft);
  else if (type === STATUS) (reader.remaining === OLD_STATUS_BYTES ? readOldStatus : readStatus)(reader, draft);
  else if (isOfCells(type)) readNetwork(reader, draft, length, isOfLteCells(type));
  else if (ALARMS[type] !== undefined) draft.addAlarm(ALARMS[type]);
  else if (EVENTS.includes(type)) readEvent(type, length, reader, draft);
  else if (!PLAIN.includes(type)) throw new CodecError('unknown-type', `message ${type} is not known`, TYPE_AT);
  if (STORED.includes(type)) draft.attributes['archive'] = true;
}

/**
 * An answer sets the minutes between messages: they stay as the tracker says. Zhongxun protocol, message 13; the
 * server of the vendor by traccar/traccar#4548. The older layout is answered without (the log in the document).
 */
function answerToStatus(frame: Uint8Array): Uint8Array {
  const contentBytes = frame.length - BODY_AT - TAIL_BYTES;
  const minutes = contentBytes === OLD_STATUS_BYTES || contentBytes < 4 ? 0 : frame[STATUS_INTERVAL_AT]!;
  return minutes === 0
    ? message(TYPE_LENGTH, STATUS, NOTHING)
    : message(TYPE_LENGTH + 1, STATUS, Uint8Array.of(minutes));
}

function repliesTo(frame: Uint8Array, type: number, { now, options }: DecodeContext<TopinState>): Reply[] {
  if (type === SETTINGS) return [storedReply(settings(options))];
  if (type === TIME) return [storedReply(timeMessage(now))];
  if (type === STATUS) return [storedReply(answerToStatus(frame))];
  if (ECHOED.includes(type)) return [storedReply(frame.slice())];
  if (!isOfPosition(type) && !isOfCells(type)) return [];
  return [storedReply(message(NO_LENGTH, type, frame.subarray(BODY_AT, BODY_AT + TIME_BYTES)))];
}

/** Numbers count from 1. What the last piece was is kept, should it come again. */
function readPiece(frame: Uint8Array, { state, now }: DecodeContext<TopinState>): Decoded<TopinState> {
  const reader = new Reader(frame);
  reader.skip(2);
  const [total, number] = [reader.u8(), reader.u8()];
  const bytes = reader.view(reader.u16()).slice();
  if (number === 0 || number > total || bytes.length === 0)
    throw new CodecError('bad-value', 'a piece without its place', 3);
  const begun = number === 1 ? undefined : state.recording;
  const pieceBytes = number === 1 && total > 1 ? bytes.length : USUAL_PIECE_BYTES;
  const recording = begun ?? { name: `recording-${utcToDigits(now)}.amr`, pieceBytes };
  const offset = (number - 1) * recording.pieceBytes;
  const messages = fileChunk({ name: recording.name, media: 'audio', offset, bytes }, number === total);
  return { state: { recording }, messages, replies: [] };
}

export function decode(frame: Uint8Array, context: DecodeContext<TopinState>): Decoded<TopinState> {
  if (isPiece(frame)) return readPiece(frame, context);
  const { state, now } = context;
  const reader = new Reader(frame, 2, frame.length - TAIL_BYTES);
  const [length, type] = [reader.u8(), reader.u8()];
  if (type === LOGIN) {
    const id = reader.hex(8).slice(1);
    if (!/^\d{15}$/.test(id)) throw new CodecError('bad-value', 'no device id', BODY_AT);
    const refused: Reply = { when: 'refused', bytes: message(TYPE_LENGTH, REJECTED, NOTHING) };
    const replies = [refused, storedReply(message(TYPE_LENGTH, LOGIN, NOTHING)), storedReply(timeMessage(now))];
    return { state, messages: [{ type: 'login', ids: [id] }], replies };
  }
  const draft = new Draft();
  readBody(type, length, reader, draft);
  const messages: Message[] = [draft.isEmpty ? { type: 'heartbeat' } : draft.toPosition()];
  return { state, messages, replies: repliesTo(frame, type, context) };
}
