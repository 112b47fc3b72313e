import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { tenantOf } from '../../http/access.ts';
import { instantParameter } from '../../http/instants.ts';
import type { App } from '../../http/server.ts';
import { text } from '../../http/text.ts';
import type { Kind } from '../../records/kind.ts';
import { instantField } from '../pairings/schema.ts';
import { readAllowances } from './store.ts';

const seconds = z.number().int().nullable();
const period = z.object({ limitS: seconds, usedS: seconds, remainingS: seconds });
const allowance = z.object({
  driverId: z.string(),
  driving: z.object({
    dailyLimitS: seconds,
    usedS: seconds,
    remainingS: seconds,
    extendedLeft: z.number().int().nullable(),
  }),
  weekly: period,
  biweekly: period,
  rest: z.object({ nextDueAt: instant.nullable() }),
  expense: z
    .object({ currency: z.string(), limit: z.number(), used: z.number(), remaining: z.number() })
    .nullable()
    .describe('of the calendar month; null where no limit is set'),
  computedFrom: z.enum(['ddd', 'live']).nullable(),
  stale: z.boolean().describe('true: no tachograph data tell of the driving times, which are null'),
});

/** Regulation (EC) 561/2006, article 6: 9 h a day, 56 h a week, 90 h in two. */
const LIMITS = { dailyS: 9 * 3_600, weeklyS: 56 * 3_600, biweeklyS: 90 * 3_600 } as const;

export function addAllowanceRoutes(app: App, { pool, clock }: { readonly pool: pg.Pool; readonly clock: Clock }): void {
  app.get(
    '/v1/drivers/plafond',
    {
      config: { access: ['drivers:read'] },
      schema: {
        tags: ['drivers'],
        summary: 'What drivers may still drive and spend',
        querystring: z.object({ driver_id: text(100, 1).optional(), at: instantParameter('from').optional() }),
        response: { 200: z.object({ items: z.array(allowance) }) },
      },
    },
    async (request) => {
      const { driver_id: driverId = null, at = clock.now() } = request.query;
      const rows = await readAllowances(pool, tenantOf(request), { driverId, at });
      if (driverId !== null && rows.length === 0) throw new AppError('unknown-driver');
      const unknown = { usedS: null, remainingS: null };
      const items = rows.map(({ driverId, currency, limit, used }) => ({
        driverId,
        driving: { dailyLimitS: LIMITS.dailyS, ...unknown, extendedLeft: null },
        weekly: { limitS: LIMITS.weeklyS, ...unknown },
        biweekly: { limitS: LIMITS.biweeklyS, ...unknown },
        rest: { nextDueAt: null },
        expense:
          currency === null || limit === null
            ? null
            : { currency, limit, used, remaining: Math.round((limit - used) * 100) / 100 },
        computedFrom: null,
        stale: true,
      }));
      return { items };
    },
  );
}

const fields = {
  driverId: text(100, 1),
  spentAt: instantField('from'),
  amount: z.number().min(-9_999_999).max(9_999_999).multipleOf(0.01),
  currency: z.string().regex(/^[A-Z]{3}$/),
  note: text(1_000).nullable().optional(),
};
export const expenseKind: Kind = {
  singular: 'expense',
  plural: 'expenses',
  prefix: 'exp',
  table: 'expense',
  read: 'drivers:read',
  write: 'drivers:write',
  unknown: 'unknown-expense',
  columns: {
    driverId: {
      name: 'driver_id',
      type: 'text',
      refersTo: { table: 'driver', unknown: 'unknown-driver', byName: false },
    },
    spentAt: { name: 'spent_at', type: 'timestamptz' },
    amount: { name: 'amount', type: 'numeric' },
    currency: { name: 'currency', type: 'text' },
    note: { name: 'note', type: 'text' },
  },
  searched: ['note'],
  create: z.object(fields),
  change: z.object(fields).partial(),
  shown: z
    .object({
      id: z.string(),
      driverId: z.string(),
      spentAt: instant,
      amount: z.number(),
      currency: z.string(),
      note: z.string().nullable(),
      createdAt: instant,
      updatedAt: instant,
    })
    .meta({ id: 'Expense' }),
};
