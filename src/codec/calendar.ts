import { CodecError } from './errors.ts';

const MONTHS = 12;
const DAY_MS = 86_400_000;
const MOST = 0xff;
/** 23:59:60, which the next minute begins with */
const LEAP_SECOND = 60;
/** Days from 1970 to the first of each month, from December 1999 on: Date.UTC is what costs most in a fix. */
const firstDays = Int32Array.from(
  { length: MOST * MONTHS + MOST + 1 },
  (_, month) => Date.UTC(2000, month - 1, 1) / DAY_MS,
);

/** Epoch ms of a calendar reading in UTC, months from 1, as `Date.UTC` has it: by a table, where the month is in it. */
export function utcFromCalendar(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number {
  const days = firstDays[(year - 2000) * MONTHS + month];
  return days === undefined
    ? Date.UTC(year, month - 1, day, hour, minute, second)
    : (days + day - 1) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1_000;
}

/**
 * Epoch ms of a calendar reading in UTC, as trackers send it: each part a byte's number, the year from 2000. Parts out
 * of range roll over, as they do in `Date.UTC`.
 */
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
  const isTimeOfDay = hour < 24 && minute < 60 && second <= LEAP_SECOND;
  const lastDay = (utcFromParts(year, month + 1, 1, 0, 0, 0) - utcFromParts(year, month, 1, 0, 0, 0)) / DAY_MS;
  const isDay = month >= 1 && month <= MONTHS && day >= 1 && day <= lastDay;
  if (!isDay || !isTimeOfDay)
    throw new CodecError(
      'bad-value',
      `no calendar has ${[year, month, day].join('-')} ${[hour, minute, second].join(':')}`,
    );
  return utcFromParts(year, month, day, hour, minute, second);
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
 * decimal digits per byte. Parts out of range roll over.
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
