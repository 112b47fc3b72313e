import { Writer } from '#codec';
import { numberOf, type Report, wholeDegrees } from '../report.ts';
import { SUB_RECORD, type SubRecord, secondsOf } from './packet.ts';

// Facts: order 285 of the Ministry of Transport of 31 July 2012, teledata service, clauses 2.3 and 2.4, tables 2 to 4;
// the same as GOST 33472-2015, appendix Б.

const FULL_SCALE = 0xffff_ffff;
const FLAG = { valid: 0x01, is3d: 0x02, fromMemory: 0x08, moving: 0x10, south: 0x20, west: 0x40, altitude: 0x80 };
const BELOW_SEA_LEVEL = 0x4000;
const NINTH_BIT_OF_COURSE = 0x8000;
const MAX_SPEED = 0x3fff;
const MAX_UINT24 = 0xff_ffff;
const METRES_PER_UNIT = 100;

/** Table 3: why the record was sent */
const SOURCE = { timer: 0, timerIgnitionOff: 5 };
const SOURCE_OF_ALARM: Readonly<Record<string, number>> = {
  sos: 13,
  powerCut: 11,
  powerOff: 11,
  lowBattery: 12,
  tampering: 10,
  hardAcceleration: 20,
  hardBraking: 21,
  gpsAntennaCut: 25,
  overspeed: 7,
  tow: 28,
};

function sourceOf({ alarms, attributes }: Report): number {
  for (const alarm of alarms) {
    const source = SOURCE_OF_ALARM[alarm];
    if (source !== undefined) return source;
  }
  return attributes['ignition'] === false ? SOURCE.timerIgnitionOff : SOURCE.timer;
}

/** The whole part, as the standard says. */
const scaled = (degrees: number, full: number): number => Math.floor((Math.abs(degrees) / full) * FULL_SCALE);

const limited = (value: number, most: number): number => Math.min(most, Math.max(0, Math.round(value)));

/**
 * POS_DATA has no absent values but the altitude: without a fix VLD is 0, and so are place, speed, course and odometer
 * where the record lacks them.
 */
function positionPart(report: Report): SubRecord {
  const { time, place, altitude, speed = 0, course = 0, attributes } = report;
  const { latitude = 0, longitude = 0 } = place ?? {};
  const isMoving = typeof attributes['motion'] === 'boolean' ? attributes['motion'] : speed > 0;
  const flags =
    (place === undefined ? 0 : FLAG.valid) |
    (altitude === undefined ? 0 : FLAG.altitude | FLAG.is3d) |
    (attributes['archive'] === true ? FLAG.fromMemory : 0) |
    (isMoving ? FLAG.moving : 0) |
    (latitude < 0 ? FLAG.south : 0) |
    (longitude < 0 ? FLAG.west : 0);
  const degrees = wholeDegrees(course);
  const speedWord =
    limited(speed * 10, MAX_SPEED) |
    (degrees > 0xff ? NINTH_BIT_OF_COURSE : 0) |
    (Math.round(altitude ?? 0) < 0 ? BELOW_SEA_LEVEL : 0);
  const odometer = limited((numberOf(report, 'odometer') ?? 0) / METRES_PER_UNIT, MAX_UINT24);
  const input = numberOf(report, 'input') ?? 0;
  const content = new Writer(24).u32LE(secondsOf(time)).u32LE(scaled(latitude, 90)).u32LE(scaled(longitude, 180));
  content
    .u8(flags)
    .u16LE(speedWord)
    .u8(degrees)
    .u16LE(odometer)
    .u8(odometer >> 16);
  content.u8(Number.isInteger(input) ? input : 0).u8(sourceOf(report));
  if (altitude !== undefined) {
    const height = limited(Math.abs(altitude), MAX_UINT24);
    content.u16LE(height).u8(height >> 16);
  }
  return { type: SUB_RECORD.position, content: content.finish() };
}

const EXTENDED = { vdop: 0x01, hdop: 0x02, pdop: 0x04, satellites: 0x18 };
const SYSTEM_UNKNOWN = 0;

/** EXT_POS_DATA: what is known of the fix; undefined if nothing is. SAT has the systems (NS) behind it. */
function extendedPart(report: Report): SubRecord | undefined {
  const content = new Writer(10);
  let flags = 0;
  for (const name of ['vdop', 'hdop', 'pdop'] as const) {
    const value = numberOf(report, name);
    if (value === undefined) continue;
    flags |= EXTENDED[name];
    content.u16LE(limited(value * 100, 0xffff));
  }
  const satellites = numberOf(report, 'sat');
  if (satellites !== undefined) {
    flags |= EXTENDED.satellites;
    content.u8(limited(satellites, 0xff)).u16LE(SYSTEM_UNKNOWN);
  }
  if (flags === 0) return undefined;
  return { type: SUB_RECORD.extendedPosition, content: new Writer(11).u8(flags).raw(content.finish()).finish() };
}

export function partsOf(report: Report): SubRecord[] {
  const extended = extendedPart(report);
  return extended === undefined ? [positionPart(report)] : [positionPart(report), extended];
}
