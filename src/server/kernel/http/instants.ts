import { z } from 'zod';
import { EARLIEST, formatInstant, LATEST } from '../../../contract/telemetry/instants.ts';
import { DAY_MS } from '../../../platform/durations.ts';

export { EARLIEST, LATEST };

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Parses Unix milliseconds, RFC 3339 or a date (UTC; its first instant, or its last if it ends an interval) → epoch
 * ms. Undefined if invalid.
 */
export function parseInstant(text: string, edge: 'from' | 'to'): number | undefined {
  if (/^-?\d{1,15}$/.test(text)) return inCalendar(Number(text));
  if (DATE.test(text)) {
    const start = Date.parse(text);
    return inCalendar(edge === 'from' ? start : start + DAY_MS - 1);
  }
  return z.iso.datetime({ offset: true }).safeParse(text).success ? inCalendar(Date.parse(text)) : undefined;
}

const inCalendar = (epochMs: number): number | undefined =>
  epochMs >= EARLIEST && epochMs <= LATEST ? Math.floor(epochMs) : undefined;

const EXAMPLES = { from: '2026-05-01T08:00:00Z', to: '2026-05-01T18:00:00Z' };
const DESCRIPTION = 'Unix milliseconds, RFC 3339 or YYYY-MM-DD';
/** No tracker existed before 1990. Rejects Unix seconds, which would be read as January 1970. */
export const MIN_INSTANT_MS = Date.UTC(1990, 0, 1);

/** Why a value is not accepted as an instant, or undefined. */
export function instantProblem(
  value: string | number,
  edge: 'from' | 'to',
  accepted = DESCRIPTION,
): string | undefined {
  const text = String(value);
  const at = parseInstant(text, edge);
  if (at === undefined) return `not an instant: ${accepted}`;
  return at >= MIN_INSTANT_MS ? undefined : tooOld(text);
}

/** Why an instant before 1990 is not accepted. */
export const tooOld = (text: string): string =>
  /^-?\d+$/.test(text) ? 'before 1990: expected Unix milliseconds, not seconds' : 'before 1990';

/** Which end of an interval the schema of an instant describes. */
const edges = z.registry<{ readonly edge: 'from' | 'to' }>();
const noteEdge = <T extends z.ZodType>(schema: T, edge: 'from' | 'to'): T => {
  edges.add(schema, { edge });
  return schema;
};
export const edgeOf = (schema: unknown): 'from' | 'to' | undefined =>
  schema instanceof z.ZodType ? edges.get(schema)?.edge : undefined;

const acceptInstant =
  (edge: 'from' | 'to', accepted = DESCRIPTION) =>
  (value: string | number, context: z.core.$RefinementCtx): void => {
    const message = instantProblem(value, edge, accepted);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  };

/** A query parameter of an interval, as epoch ms. Both ends are inclusive. */
export const instantParameter = (edge: 'from' | 'to') =>
  noteEdge(
    z
      .string()
      .superRefine(acceptInstant(edge))
      .transform((text) => parseInstant(text, edge)!)
      .meta({ example: EXAMPLES[edge] })
      .describe(`${DESCRIPTION}, a day of the time zone of the user, otherwise of the tenant`),
    edge,
  );

const IN_BODY = 'Unix milliseconds or RFC 3339';

/** An instant in a body: Unix milliseconds as a number, or RFC 3339 → epoch ms. */
export const instantMember = (edge: 'from' | 'to' = 'from') =>
  z
    .union([z.number().int(), z.iso.datetime({ offset: true })])
    .superRefine(acceptInstant(edge, IN_BODY))
    .transform((value) => parseInstant(String(value), edge)!)
    .meta({ example: EXAMPLES[edge] })
    .describe(IN_BODY);

/** Integer Unix milliseconds or text of an instant, in a body. */
export const instantField = (edge: 'from' | 'to') =>
  noteEdge(
    z
      .union([z.number().int(), z.string().max(40)])
      .superRefine(acceptInstant(edge))
      .transform((value) => parseInstant(String(value), edge)!)
      .meta({ example: EXAMPLES[edge] })
      .describe(`${DESCRIPTION}, a day of the time zone of the user, otherwise of the tenant`),
    edge,
  );

export const toInstant = (epochMs: number): string => formatInstant(epochMs);
export const toInstantOrNull = (epochMs: number | null): string | null =>
  epochMs === null ? null : formatInstant(epochMs);
