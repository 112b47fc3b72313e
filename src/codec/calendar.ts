const MONTHS = 12;
const DAY_MS = 86_400_000;
const MOST = 0xff;
/** Days from 1970 to the first of each month, from December 1999 on: Date.UTC is what costs most in a fix. */
const firstDays = Int32Array.from(
  { length: MOST * MONTHS + MOST + 1 },
  (_, month) => Date.UTC(2000, month - 1, 1) / DAY_MS,
);

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
  const days = firstDays[year * MONTHS + month]! + day - 1;
  return days * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1_000;
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

type CalendarPart = 'y' | 'Y' | 'M' | 'd' | 'H' | 'm' | 's';

/**
 * Reads a calendar time in UTC whose parts are numbers of one byte each, as epoch ms. `order` lists the parts in the
 * order of their bytes: y (years from 2000), Y (year in two bytes, big endian), M, d, H, m, s. Digits of `bcd` are two
 * decimal digits per byte. Parts out of range roll over.
 */
export function calendarReader(order: string, digits: 'binary' | 'bcd' = 'binary'): (reader: ByteReader) => number {
  const letters = [...order] as CalendarPart[];
  return (reader) => {
    const parts = { y: 0, Y: 2000, M: 1, d: 1, H: 0, m: 0, s: 0 };
    for (const letter of letters)
      parts[letter] = letter === 'Y' ? reader.u16() : digits === 'bcd' ? reader.bcd() : reader.u8();
    return Date.UTC(parts.Y + parts.y, parts.M - 1, parts.d, parts.H, parts.m, parts.s);
  };
}
