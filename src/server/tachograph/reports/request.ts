import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { instantProblem, text } from '../../kernel/http/index.ts';
import { addDays, dateAt, isZone } from '../engine/timeline/zone.ts';

export const FORMATS = ['json', 'csv', 'xlsx', 'pdf'] as const;
export type AnyFormat = (typeof FORMATS)[number];

const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** An end of an interval of days: a date in the report's zone, or an instant of one. */
export const edge = z
  .union([z.number().int(), z.string().max(40)])
  .superRefine((value, context) => {
    const message = instantProblem(value, 'from');
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .describe('YYYY-MM-DD, RFC 3339 or Unix milliseconds; both ends belong to the interval');

export const zone = text(64).refine(isZone, { error: 'no time zone' });
export const format = z.enum(FORMATS).optional().describe('by default what Accept asks for, otherwise JSON');
export const lang = z.enum(['it', 'en']).default('it');

export const reportBody = z
  .object({
    driverId: text(100, 1, 'drv_0a1b2c3d4e5f6a7b8c').optional(),
    fileId: text(100, 1, 'ddd_00019f0a1b2c0a1b2c3d4e5f').optional(),
    from: edge.optional(),
    to: edge.optional(),
    format,
    tz: zone.optional().describe('of the days; UTC by default, as tachographs have them'),
    lang,
  })
  .refine(({ driverId, fileId }) => (driverId === undefined) !== (fileId === undefined), {
    error: 'either a driver (driverId) or a file (fileId) is needed',
  });
export type ReportBody = z.output<typeof reportBody>;

const MAX_DAYS = 366;

function dateOf(value: string | number | undefined, zoneName: string, isEnd: boolean): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && DATE.test(value)) return value;
  const at = (typeof value === 'number' ? value : Date.parse(value)) / 60_000;
  // midnight ends the day before it
  return dateAt(Math.floor(isEnd && Number.isInteger(at) ? at - 1 : at), zoneName);
}

export interface Dates {
  readonly from: string;
  readonly to: string;
}

/**
 * The days of the request; an end that is not given follows from the data.
 * Throws AppError `from-after-to`, `interval-too-long`.
 */
export function datesOf(
  body: { readonly from?: string | number | undefined; readonly to?: string | number | undefined },
  zoneName: string,
  known: Dates,
): Dates {
  const to = dateOf(body.to, zoneName, true) ?? known.to;
  const from = dateOf(body.from, zoneName, false) ?? known.from;
  if (from > to) throw new AppError('from-after-to');
  if (addDays(from, MAX_DAYS) <= to) {
    throw new AppError('interval-too-long', `At most ${MAX_DAYS} days can be asked for at once`);
  }
  return { from, to };
}
