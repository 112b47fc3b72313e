import { z } from 'zod';
import { formatInstant } from '../../telemetry/instants.ts';

const DAY = 86_400_000;
/** The first and the last instant that RFC 3339 can write, epoch ms. */
export const EARLIEST = Date.parse('0000-01-01T00:00:00Z');
export const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Unix milliseconds, RFC 3339 or a date (UTC; its first instant, or its last where it ends an interval) → epoch ms. */
export function parseInstant(text: string, edge: 'from' | 'to'): number | undefined {
  if (/^-?\d{1,15}$/.test(text)) return inCalendar(Number(text));
  if (DATE.test(text)) {
    const start = Date.parse(text);
    return inCalendar(edge === 'from' ? start : start + DAY - 1);
  }
  return z.iso.datetime({ offset: true }).safeParse(text).success ? inCalendar(Date.parse(text)) : undefined;
}

const inCalendar = (epochMs: number): number | undefined =>
  epochMs >= EARLIEST && epochMs <= LATEST ? Math.floor(epochMs) : undefined;

const DESCRIPTION = 'Unix milliseconds, RFC 3339 or YYYY-MM-DD';

/** A parameter of an interval, as epoch ms. Both ends belong to the interval. */
export const instantParameter = (edge: 'from' | 'to') =>
  z
    .string()
    .refine((text) => parseInstant(text, edge) !== undefined, { error: `not an instant: ${DESCRIPTION}` })
    .transform((text) => parseInstant(text, edge)!)
    .describe(DESCRIPTION);

/** An instant in a body: Unix milliseconds as a number, or RFC 3339 → epoch ms. */
export const instantMember = z
  .union([z.number().int().min(0).max(LATEST), z.iso.datetime({ offset: true })])
  .transform((value) => (typeof value === 'number' ? value : Date.parse(value)))
  .describe('Unix milliseconds or RFC 3339');

/** Integer Unix milliseconds or text of an instant, in a body. */
export const instantField = (edge: 'from' | 'to') =>
  z
    .union([z.number().int(), z.string().max(40)])
    .refine((value) => parseInstant(String(value), edge) !== undefined, { error: 'not an instant' })
    .transform((value) => parseInstant(String(value), edge)!)
    .describe('Unix milliseconds or RFC 3339');

export const toInstant = (epochMs: number): string => formatInstant(epochMs);
export const toInstantOrNull = (epochMs: number | null): string | null =>
  epochMs === null ? null : formatInstant(epochMs);
