import { DAY_MS } from '../../../platform/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { type Zone, zoneOf } from '../../../platform/zone.ts';

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
  const { offsetAt } = find(zone);
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

function find(zone: string): Zone {
  try {
    return zoneOf(zone);
  } catch {
    throw new AppError('invalid', `No time zone is called ${zone}`, [{ pointer: '/tz', detail: 'unknown' }]);
  }
}

/** The day after. */
export const nextDay = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, -14);
