import {
  type Attributes,
  addAlarm,
  CodecError,
  fixFlags,
  type Network,
  positionOf,
  type Reader,
  readOptional,
  statusPosition,
} from '#codec';
import { ALERTS, BIT, DATE_AND_TIME, DRIVER_ALERT, EMERGENCIES, NAMED_LINES } from './elements.ts';
import type { Reading } from './record.ts';

const FLAGS = fixFlags({ valid: 0x80, south: 0x40, west: 0x20 });

const [STATUS, ALERT] = [0x81, 0x82];
const [ZIP_STATUS, ZIP_EMERGENCY, ZIP_EVENT, ZIP_ALERT] = [0x10, 0x11, 0x12, 0x13];
/** hours, battery, live or not; the cell and its timing; the last byte of a message */
const [METER_BYTES, CELL_BYTES, END_BYTES] = [7, 10, 1];
const DIGITS = /^\d+$/;

/** Sign and magnitude in millionths of a degree. */
function degrees(r: Reader): number {
  const value = r.u32();
  return value & 0x8000_0000 ? -(value & 0x7fff_ffff) / 1e6 : value / 1e6;
}

/** Universal binary: the same mask as in text. */
export function readBinary(r: Reader): Reading {
  const type = r.u8();
  r.skip(2);
  const id = r.hex(5);
  if (!DIGITS.test(id)) throw new CodecError('bad-value', 'the id is not decimal', 3);
  const mask = r.u24();
  const has = (bit: number): boolean => (mask & (1 << bit)) !== 0;
  const attributes: Attributes = {};
  if (has(BIT.model)) r.skip(1);
  if (has(BIT.version)) attributes['versionFw'] = `${r.u8()}.${r.u8()}.${r.u8()}`;
  if (has(BIT.live) && r.u8() === 0) attributes['archive'] = true;
  const time = (mask & DATE_AND_TIME) === DATE_AND_TIME ? r.date6() : undefined;
  const cid = has(BIT.cell) ? r.u32() : undefined;
  const [mcc, mnc, lac] = [BIT.mcc, BIT.mnc, BIT.lac].map((bit) => (has(bit) ? r.u16() : undefined));
  if (has(BIT.rssi)) attributes['rssi'] = r.u8();
  const latitude = has(BIT.latitude) ? degrees(r) : undefined;
  const longitude = has(BIT.longitude) ? degrees(r) : undefined;
  const speed = has(BIT.speed) ? r.u16() / 100 : undefined;
  const course = has(BIT.course) ? r.u16() / 100 : undefined;
  if (has(BIT.satellites)) attributes['sat'] = r.u8();
  const valid = has(BIT.fix) && r.u8() > 0;
  readOptional(() => readValues(r, type, has, attributes));
  const network = networkOf({ mcc, mnc, lac, cid });
  if (time === undefined || latitude === undefined || longitude === undefined)
    return { id, messages: [statusPosition(attributes, time, network)] };
  return { id, messages: [positionOf({ time, valid, latitude, longitude, speed, course }, attributes, network)] };
}

/** A device without a network sends zeros. */
function networkOf({
  mcc,
  mnc,
  lac,
  cid,
}: { [K in 'mcc' | 'mnc' | 'lac' | 'cid']: number | undefined }): Network | undefined {
  if (!mcc || mnc === undefined || lac === undefined || cid === undefined) return undefined;
  return { cells: [{ mcc, mnc, lac, cid }] };
}

function readValues(r: Reader, type: number, has: (bit: number) => boolean, attributes: Attributes): void {
  if (has(BIT.input)) {
    const input = r.u8();
    attributes['input'] = input;
    attributes['ignition'] = (input & 1) === 1;
    for (let n = 1; n <= NAMED_LINES; n++) attributes[`in${n}`] = (input & (1 << n)) !== 0;
  }
  if (has(BIT.output)) {
    const output = r.u8();
    attributes['output'] = output;
    for (let n = 1; n <= NAMED_LINES; n++) attributes[`out${n}`] = (output & (1 << (n - 1))) !== 0;
  }
  if (type === ALERT) readAlert(r, has, attributes);
  if (type !== STATUS) return;
  if (has(BIT.first)) attributes['mode'] = r.u8();
  if (has(BIT.second)) attributes['reason'] = r.u8();
  if (has(BIT.third)) attributes['index'] = r.u16();
}

function readAlert(r: Reader, has: (bit: number) => boolean, attributes: Attributes): void {
  const alert = has(BIT.first) ? r.u8() : 0;
  attributes['event'] = alert;
  addAlarm(attributes, ALERTS[alert]);
  if (has(BIT.second)) r.skip(2);
  if (has(BIT.third) && alert === DRIVER_ALERT) attributes['driverUniqueId'] = r.hex(8);
}

/** The compressed form: digits in nibbles. The length says what follows the kind of report. */
export function readZip(r: Reader): Reading {
  r.skip(3);
  const type = r.u8();
  const id = r.hex(5).slice(0, 9);
  if (!DIGITS.test(id)) throw new CodecError('bad-value', 'the id is not decimal', 4);
  const attributes: Attributes = {};
  r.skip(1); // model
  // three digits, and F
  attributes['versionFw'] = r.hex(2).replace(/f$/, '');
  const time = r.date6();
  r.skip(3); // area, base station
  const north = r.u8() + hundredths(r, 3) / 1e6;
  const east = r.u8() + hundredths(r, 3) / 1e6;
  const speed = r.u16() + r.bcd() / 100;
  const course = r.u16() + r.bcd() / 100;
  const flags = r.u8();
  attributes['sat'] = flags & 0x1f;
  const fix = {
    time,
    valid: FLAGS.isValid(flags),
    latitude: FLAGS.latitude(flags, north),
    longitude: FLAGS.longitude(flags, east),
    speed,
    course,
  };
  let network: Network | undefined;
  readOptional(() => {
    attributes['odometer'] = r.u32();
    attributes['power'] = volts(r);
    readLines(r.u8(), attributes);
    readKind(r, type, attributes);
    if (r.remaining < METER_BYTES + END_BYTES) return;
    attributes['hours'] = r.u32() * 60_000;
    attributes['battery'] = volts(r);
    if (r.u8() === 0) attributes['archive'] = true;
    if (r.remaining >= CELL_BYTES + END_BYTES) network = readCell(r);
  });
  return { id, messages: [positionOf(fix, attributes, network)] };
}

/** A byte, and two digits behind the point. */
const volts = (r: Reader): number => r.u8() + r.bcd() / 100;

/** What was reported: the mode and the number of a status, or an id. */
function readKind(r: Reader, type: number, attributes: Attributes): void {
  if (type === ZIP_STATUS) {
    attributes['status'] = r.u8();
    attributes['index'] = r.u16();
  } else if (type === ZIP_EMERGENCY) addAlarm(attributes, EMERGENCIES[r.u8()]);
  else if (type === ZIP_EVENT) attributes['event'] = r.u8();
  else if (type === ZIP_ALERT) {
    const alert = r.u8();
    attributes['event'] = alert;
    addAlarm(attributes, ALERTS[alert]);
  } else {
    attributes['serial'] = r.latin1(r.u16());
    r.skip(1); // checksum
  }
}

/** Pairs of decimal digits. */
function hundredths(r: Reader, count: number): number {
  let value = 0;
  for (let i = 0; i < count; i++) value = value * 100 + r.bcd();
  return value;
}

function readLines(lines: number, attributes: Attributes): void {
  for (const [bit, key] of ['ignition', 'in1', 'in2', 'in3', 'out1', 'out2'].entries())
    attributes[key] = (lines & (1 << bit)) !== 0;
}

function readCell(r: Reader): Network | undefined {
  const cid = r.u16();
  const mcc = r.u16();
  const mnc = r.u8();
  const rssi = -Math.abs(r.i16());
  const lac = r.u16();
  return mcc === 0 ? undefined : { cells: [{ mcc, mnc, lac, cid, rssi }] };
}
