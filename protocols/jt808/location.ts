import { createPosition, type Position, type Reader } from '#codec';
import { readItems } from './items/index.ts';
import { addAlarms } from './items/item.ts';
import type { Model } from './models.ts';
import { attributesOf, createReport, networkOf, type Report } from './report.ts';
import { readTime } from './values.ts';

/** What a device's options say about its records. */
export interface Dialect {
  readonly model: Model;
  readonly zone: string;
}

const VALID = 0x02;
const SOUTH = 0x04;
const WEST = 0x08;
const BLOCKED = 0x400;
const CHARGE = 0x400_0000;

export interface Status {
  readonly valid: boolean;
  readonly latitude: number;
  readonly longitude: number;
}

/** u32 flags, u32 latitude and longitude in millionths of a degree (JT/T 808, table 23 and 24). */
export function readStatus(r: Reader, { attributes }: Report, model: Model): Status {
  const flags = r.u32();
  const latitude = r.u32() / 1e6;
  const longitude = r.u32() / 1e6;
  attributes['ignition'] = (flags & 0x01) !== 0;
  attributes['blocked'] = (flags & BLOCKED) !== 0;
  attributes['charge'] = (flags & CHARGE) !== 0;
  for (const [bit, key] of model.statusBits) attributes[key] = (flags & (1 << bit)) !== 0;
  return {
    valid: (flags & VALID) !== 0,
    latitude: (flags & SOUTH) !== 0 ? 0 - latitude : latitude,
    longitude: (flags & WEST) !== 0 ? 0 - longitude : longitude,
  };
}

export interface Fix extends Status {
  /** epoch ms */
  readonly time: number;
  readonly altitude: number;
  /** km/h */
  readonly speed: number;
  readonly course: number;
}

/** A record with its fix; coordinates that are not on the globe are kept as attributes of one without. */
export function positionOf(fix: Fix, report: Report): Position {
  const { time, valid, latitude, longitude, altitude, speed, course } = fix;
  const attributes = attributesOf(report);
  return createPosition(time, valid, latitude, longitude, altitude, speed, course, networkOf(report), attributes);
}

/** Status, altitude, speed, course and time, as in a location. */
export function readFix(r: Reader, report: Report, { model, zone }: Dialect): Fix {
  const { valid, latitude, longitude } = readStatus(r, report, model);
  const altitude = r.i16();
  const speed = r.u16() / 10;
  const course = r.u16();
  return { valid, latitude, longitude, altitude, speed, course, time: readTime(r, zone) };
}

/** What some send instead of items: exactly this many bytes, checksum and delimiter included. */
const FIXED_TAIL_BYTES = 20;

/** Body of 0200 up to the reader's end. Throws CodecError `truncated` where it ends before the items. */
export function readLocation(r: Reader, dialect: Dialect, archive = false): Position {
  const report = createReport();
  const alarms = r.u32();
  if (alarms !== 0) addAlarms(report, alarms, dialect.model.alarms);
  const fix = readFix(r, report, dialect);
  if (archive) report.attributes['archive'] = true;
  if (r.remaining === FIXED_TAIL_BYTES) readFixedTail(r, report);
  else readItems(r, report, dialect.model);
  return positionOf(fix, report);
}

function readFixedTail(r: Reader, { attributes }: Report): void {
  r.skip(4);
  attributes['odometer'] = r.u32() * 1000;
  attributes['battery'] = r.u16() / 10;
  r.skip(4);
  attributes['rssi'] = r.u8();
}
