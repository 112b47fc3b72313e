import {
  type Attributes,
  addAlarm,
  CodecError,
  type DeviceOptions,
  fixFlags,
  type Network,
  positionOf,
  type Reader,
  readOptional,
  statusPosition,
} from '#codec';
import { ALERTS, BIT, DATE_AND_TIME, DRIVER_ALERT } from './elements.ts';
import type { Reading } from './record.ts';

const FLAGS = fixFlags({ valid: 0x80, south: 0x40, west: 0x20 });

const ALERT = 0x82;
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
  if (has(BIT.cell)) r.skip(4);
  for (const bit of [BIT.mcc, BIT.mnc, BIT.lac]) if (has(bit)) r.skip(2);
  if (has(BIT.rssi)) attributes['rssi'] = r.u8();
  const latitude = has(BIT.latitude) ? degrees(r) : undefined;
  const longitude = has(BIT.longitude) ? degrees(r) : undefined;
  const speed = has(BIT.speed) ? r.u16() / 100 : undefined;
  const course = has(BIT.course) ? r.u16() / 100 : undefined;
  if (has(BIT.satellites)) attributes['sat'] = r.u8();
  const valid = has(BIT.fix) && r.u8() > 0;
  readOptional(() => readValues(r, type, has, attributes));
  if (time === undefined || latitude === undefined || longitude === undefined)
    return { id, messages: [statusPosition(attributes, time)] };
  return { id, messages: [positionOf({ time, valid, latitude, longitude, speed, course }, attributes)] };
}

function readValues(r: Reader, type: number, has: (bit: number) => boolean, attributes: Attributes): void {
  if (has(BIT.input)) {
    const input = r.u8();
    attributes['input'] = input;
    attributes['ignition'] = (input & 1) === 1;
  }
  if (has(BIT.output)) attributes['output'] = r.u8();
  const alert = has(BIT.first) ? r.u8() : 0;
  if (type === ALERT) {
    attributes['event'] = alert;
    addAlarm(attributes, ALERTS[alert]);
  }
  if (has(BIT.second)) r.skip(2);
  if (has(BIT.third) && alert === DRIVER_ALERT) attributes['driverUniqueId'] = r.hex(8);
}

/** The compressed form: digits in nibbles. */
export function readZip(r: Reader, options: DeviceOptions): Reading {
  r.skip(4);
  const id = r.hex(5).slice(0, 9);
  if (!DIGITS.test(id)) throw new CodecError('bad-value', 'the id is not decimal', 4);
  const attributes: Attributes = {};
  r.skip(3); // model, version
  const time = r.date6();
  r.skip(3); // area, cell
  const north = r.u8() + hundredths(r, 3) / 1e6;
  const east = r.u8() + hundredths(r, 3) / 1e6;
  const speed = r.u16() + r.bcd() / 100;
  const course = r.u16() + r.bcd() / 100;
  const flags = r.u8();
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
    attributes['power'] = r.u8() + r.bcd() / 100;
    readLines(r.u8(), attributes);
    attributes['event'] = r.u8();
    network = readMore(r, Number(options['hbm'] ?? 0), attributes);
  });
  return { id, messages: [positionOf(fix, attributes, network)] };
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

function readMore(r: Reader, layout: number, attributes: Attributes): Network | undefined {
  if (!(layout >= 1)) return undefined;
  attributes['hours'] = r.u32();
  // its scale is not documented
  attributes['batteryRaw'] = r.u16();
  if (r.u8() === 0) attributes['archive'] = true;
  if (layout !== 2) return undefined;
  const cid = r.u16();
  const mcc = r.u16();
  const mnc = r.u8();
  const rssi = r.u16();
  return { cells: [{ mcc, mnc, lac: r.u16(), cid, rssi }] };
}
