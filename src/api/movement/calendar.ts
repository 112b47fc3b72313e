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

/** Throws AppError `invalid` for a zone that nobody knows. */
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

/** Offset of a zone at a moment, ms. What was found last is kept: those who ask go forward in time. */
function createOffsets(zone: string): (epochMs: number) => number {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    throw new AppError('invalid', `No time zone is called ${zone}`, [{ pointer: '/tz', detail: 'unknown' }]);
  }
  let slot = Number.NaN;
  let offset = 0;
  return (epochMs) => {
    const asked = Math.floor(epochMs / SLOT_MS);
    if (asked !== slot) {
      slot = asked;
      const name = format.formatToParts(asked * SLOT_MS).find(({ type }) => type === 'timeZoneName')?.value ?? '';
      offset = readOffset(name);
    }
    return offset;
  };
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
