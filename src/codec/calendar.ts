import { DAY_MS } from './durations.ts';
import { CodecError } from './errors.ts';

const MONTHS = 12;
const HOURS = 24;
const MINUTES = 60;
const MAX_PART = 0xff;
/** 23:59:60, which the next minute begins with */
const LEAP_SECOND = 60;
/** Days from 1970 to the first of each month, from December 1999 on: Date.UTC is what costs most in a fix. */
const firstDays = Int32Array.from(
  { length: MAX_PART * MONTHS + MAX_PART + 1 },
  (_, month) => Date.UTC(2000, month - 1, 1) / DAY_MS,
);

/**
 * Epoch ms of a calendar reading in UTC, months from 1. NaN for a reading that no calendar has (30 February, month 0,
 * 25:00), which devices send whose clock is not set; the leap second 23:59:60 begins the next minute.
 */
export function utcFromCalendar(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number {
  const isInRange =
    month >= 1 && month <= MONTHS && day >= 1 && hour < HOURS && minute < MINUTES && second < LEAP_SECOND + 1;
  if (!isInRange) return Number.NaN;
  const at = (year - 2000) * MONTHS + month;
  const days = firstDays[at] ?? Date.UTC(year, month - 1, 1) / DAY_MS;
  const daysOfNext = firstDays[at + 1] ?? Date.UTC(year, month, 1) / DAY_MS;
  if (day > daysOfNext - days) return Number.NaN;
  return (days + day - 1) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1_000;
}

/** `utcFromCalendar` as trackers send it: each part a byte's number, the year from 2000. */
export function utcFromParts(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number {
  return utcFromCalendar(2000 + year, month, day, hour, minute, second);
}

/** `utcFromParts` of a reading that the calendar has. Throws CodecError `bad-value` for others (31 April, 25:00). */
export function exactUtcFromParts(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number {
  const time = utcFromParts(year, month, day, hour, minute, second);
  if (Number.isNaN(time))
    throw new CodecError(
      'bad-value',
      `no calendar has ${[year, month, day].join('-')} ${[hour, minute, second].join(':')}`,
    );
  return time;
}

const ISO_DAY = /^(\d{4})-(\d\d)-(\d\d)/;

/** Epoch ms of a text in ISO 8601. NaN for a day that no calendar has, which `Date.parse` takes for one of the next month. */
export function utcFromIso(text: string): number {
  const [, year, month, day] = ISO_DAY.exec(text) ?? [];
  const isDay = !Number.isNaN(utcFromCalendar(Number(year), Number(month), Number(day), 0, 0, 0));
  return isDay ? Date.parse(text) : Number.NaN;
}

/** Year from 2000, month, day, hour, minute and second of an instant in UTC. */
export function utcToParts(epochMs: number): readonly number[] {
  const date = new Date(epochMs);
  const day = [date.getUTCFullYear() - 2000, date.getUTCMonth() + 1, date.getUTCDate()];
  return [...day, date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()];
}

/** The instant with this time of day, in ms since midnight UTC, that is nearest to `now`: for times sent without a day. */
export function nearestTimeOfDay(msOfDay: number, now: number): number {
  return msOfDay + Math.round((now - msOfDay) / DAY_MS) * DAY_MS;
}

/** The part of `Reader` that a calendar time needs. */
interface ByteReader {
  u8(): number;
  u16(): number;
  bcd(): number;
}

/** letters of the parts in the order of `utcFromCalendar` */
const PARTS = 'YMdHms';

interface Step {
  readonly part: number;
  readonly read: (reader: ByteReader) => number;
}

/**
 * Reads a calendar time in UTC whose parts are numbers of one byte each, as epoch ms. `order` lists the parts in the
 * order of their bytes: y (years from 2000), Y (year in two bytes, big endian), M, d, H, m, s. Digits of `bcd` are two
 * decimal digits per byte. NaN for a reading that no calendar has.
 */
export function calendarReader(order: string, digits: 'binary' | 'bcd' = 'binary'): (reader: ByteReader) => number {
  const readByte = digits === 'bcd' ? (reader: ByteReader) => reader.bcd() : (reader: ByteReader) => reader.u8();
  const steps = Array.from(order, (letter): Step => {
    if (letter === 'Y') return { part: 0, read: (reader) => reader.u16() };
    if (letter === 'y') return { part: 0, read: (reader) => 2000 + readByte(reader) };
    return { part: PARTS.indexOf(letter), read: readByte };
  });
  return (reader) => {
    const parts: [number, number, number, number, number, number] = [2000, 1, 1, 0, 0, 0];
    for (const { part, read } of steps) parts[part] = read(reader);
    return utcFromCalendar(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]);
  };
}
