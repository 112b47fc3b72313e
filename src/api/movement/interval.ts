import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';
import { instantParameter, parseInstant } from '../http/instants.ts';

const DAY_MS = 86_400_000;
/** the longest interval of points, and of sums */
export const POINT_DAYS = 31;
export const SUM_DAYS = 92;

/** An instant in a body, as epoch ms. */
const bodyInstant = (edge: 'from' | 'to') =>
  z
    .union([z.number().int(), z.iso.datetime({ offset: true })])
    .refine((value) => parseInstant(String(value), edge) !== undefined, {
      error: 'not an instant of the years 0 to 9999',
    })
    .transform((value) => parseInstant(String(value), edge)!)
    .describe('Unix milliseconds or RFC 3339');

/** `from` and `to` of a body. */
export const bodyInterval = { from: bodyInstant('from'), to: bodyInstant('to') };
/** `from` and `to` of a query. */
export const queryInterval = { from: instantParameter('from'), to: instantParameter('to') };

export interface Interval {
  /** epoch ms, both ends included */
  readonly from: number;
  readonly to: number;
}

/** Throws AppError `from-after-to`, `interval-too-long`. */
export function checkInterval<T extends Interval>(interval: T, mostDays: number): T {
  if (interval.from > interval.to) throw new AppError('from-after-to');
  if (interval.to - interval.from > mostDays * DAY_MS) {
    throw new AppError('interval-too-long', `At most ${mostDays} days can be asked for at once`);
  }
  return interval;
}

export const targaText = z.string().trim().min(1).max(64).describe('plate; case, spaces and hyphens do not count');
