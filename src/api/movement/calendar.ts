import { AppError } from '../../platform/errors.ts';

const DAY_MS = 86_400_000;
/** zones change their offset at quarters of an hour at most */
const SLOT_MS = 900_000;

/** Days and hours of a time zone. */
export interface Calendar {
  readonly zone: string;
  /** YYYY-MM-DD of a moment, epoch ms */
  dayOf(epochMs: number): string;
  /** the first moment of a day, epoch ms: not midnight where clocks are put forward then */
  startOf(day: string): number;
  /** 0 to 23 of a moment */
  hourOf(epochMs: number): number;
}

/** Throws AppError `invalid` for an unknown time zone. */
export function calendarOf(zone: string): Calendar {
  const offsetAt = createOffsets(zone);
  const local = (epochMs: number): Date => new Date(epochMs + offsetAt(epochMs));
  const dayOf = (epochMs: number): string => local(epochMs).toISOString().slice(0, -14);
  return {
    zone,
    dayOf,
    hourOf: (epochMs) => local(epochMs).getUTCHours(),
    startOf(day) {
      const midnight = Date.parse(day);
      // the offset before and the one after: they differ where clocks change on that day
      const [before, after] = [midnight - offsetAt(midnight - DAY_MS), midnight - offsetAt(midnight + DAY_MS)];
      const [first, second] = [Math.min(before, after), Math.max(before, after)];
      return dayOf(first) === day ? first : second;
    },
  };
}

/** days whose offset is kept; an interval has 92 at most */
const MOST_DAYS = 400;

/** Offset of a zone at a moment, ms. A day that ends with the offset that it began with has no other: that is kept. */
function createOffsets(zone: string): (epochMs: number) => number {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    throw new AppError('invalid', `No time zone is called ${zone}`, [{ pointer: '/tz', detail: 'unknown' }]);
  }
  const read = (epochMs: number): number =>
    readOffset(format.formatToParts(epochMs).find(({ type }) => type === 'timeZoneName')?.value ?? '');
  // undefined: clocks change on that day
  const ofDays = new Map<number, number | undefined>();
  const ofDay = (day: number): number | undefined => {
    if (ofDays.has(day)) return ofDays.get(day);
    if (ofDays.size >= MOST_DAYS) ofDays.clear();
    const [first, last] = [read(day * DAY_MS), read((day + 1) * DAY_MS - SLOT_MS)];
    const offset = first === last ? first : undefined;
    ofDays.set(day, offset);
    return offset;
  };
  return (epochMs) => ofDay(Math.floor(epochMs / DAY_MS)) ?? read(Math.floor(epochMs / SLOT_MS) * SLOT_MS);
}

/** `GMT`, `GMT+05:30`, `GMT-00:01:15` → ms */
function readOffset(name: string): number {
  const [, sign, hours, minutes, seconds = '0'] = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? [];
  if (sign === undefined) return 0;
  const size = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
  return sign === '-' ? -size : size;
}

/** The day after. */
export const nextDay = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, -14);
