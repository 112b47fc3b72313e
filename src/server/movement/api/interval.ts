import { z } from 'zod';
import { DAY_MS } from '../../../platform/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { EARLIEST, instantField, instantProblem, LATEST, parseInstant } from '../../kernel/http/index.ts';
import { type Calendar, nextDay } from './calendar.ts';

/** the longest interval of points, and of aggregates */
export const POINT_DAYS = 31;
export const SUM_DAYS = 366;
/** of all vehicles together: 200 of them for 92 days, or 50 for a year */
export const VEHICLE_DAYS = 18_400;

/** `from` and `to` of a body. */
export const bodyInterval = { from: instantField('from'), to: instantField('to') };

const ABOUT = 'Unix milliseconds, RFC 3339 or YYYY-MM-DD, a day of `tz`';
const queryInstant = (edge: 'from' | 'to') =>
  z
    .string()
    .superRefine((text, context) => {
      const message = instantProblem(text, edge, ABOUT);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .meta({ description: ABOUT, example: edge === 'from' ? '2026-05-01T08:00:00Z' : '2026-05-01T18:00:00Z' });

/** `from` and `to` of a query, as they are written: what a day is depends on the zone. See `readInterval`. */
export const queryInterval = { from: queryInstant('from'), to: queryInstant('to') };
export const tz = z.string().min(1).max(64).optional().describe('time zone; that of the tenant without it');

export interface Interval {
  /** epoch ms, both ends included */
  readonly from: number;
  readonly to: number;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** An interval of a query. A day begins and ends by the calendar: the one that clocks are changed on is not of 24 h. */
export const readInterval = (asked: { readonly from: string; readonly to: string }, calendar: Calendar): Interval => ({
  from: readEdge(asked.from, 'from', calendar),
  to: readEdge(asked.to, 'to', calendar),
});

/** Epoch ms of one end. */
export function readEdge(text: string, edge: 'from' | 'to', calendar: Calendar): number {
  if (!DAY.test(text)) return parseInstant(text, edge)!;
  return writable(edge === 'from' ? calendar.startOf(text) : calendar.startOf(nextDay(text)) - 1);
}

/** The moment, or the first or last one that can be written. */
export const writable = (epochMs: number): number => Math.min(LATEST, Math.max(EARLIEST, epochMs));

/** Throws AppError `from-after-to`, `interval-too-long`. */
export function checkInterval<T extends Interval>(interval: T, mostDays: number): T {
  if (interval.from > interval.to) throw new AppError('from-after-to');
  if (interval.to - interval.from > mostDays * DAY_MS) {
    throw new AppError('interval-too-long', `At most ${mostDays} days can be asked for at once`);
  }
  return interval;
}

/** Throws AppError `interval-too-long` if the interval is too long for this number of vehicles. */
export function checkVehicleDays({ from, to }: Interval, vehicles: number): void {
  const days = Math.ceil((to - from) / DAY_MS);
  if (days * vehicles <= VEHICLE_DAYS) return;
  if (vehicles > VEHICLE_DAYS)
    throw new AppError('invalid', `At most ${VEHICLE_DAYS} vehicles can be added up at once`);
  throw new AppError(
    'interval-too-long',
    `At most ${Math.floor(VEHICLE_DAYS / vehicles)} days of ${vehicles} vehicles can be asked for at once`,
  );
}

export const targaText = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .meta({ description: 'plate; case, spaces and hyphens do not count', example: 'AB123CD' });
