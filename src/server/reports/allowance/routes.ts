import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import {
  type App,
  instantField,
  instantParameter,
  member,
  tenantOf,
  text,
  textLike,
  toInstant,
} from '../../kernel/http/index.ts';
import type { Kind } from '../../kernel/records/index.ts';
import type { Residual } from '../../tachograph/engine/rules/index.ts';
import type { Residuals } from '../../tachograph/index.ts';
import { readAllowances } from './store.ts';

const seconds = z.number().int().nullable();
const period = z.object({ limitS: seconds, usedS: seconds, remainingS: seconds });
const count = z.number().int();
const between = z.object({ min: count, max: count });
const allowance = z.object({
  driverId: member.driverId,
  driving: z.object({
    dailyLimitS: seconds,
    usedS: seconds,
    remainingS: seconds,
    extendedLeft: z.number().int().nullable(),
  }),
  weekly: period,
  biweekly: period,
  rest: z.object({
    nextDueAt: instant
      .nullable()
      .describe('when a daily rest must begin; null: the driver is rested, or nothing is known'),
    minimumS: seconds,
    reducedLeft: count.nullable(),
    weeklyDueAt: instant.nullable(),
    weeklyMinimumS: seconds,
    compensation: z.array(z.object({ seconds: count, dueBy: instant })),
  }),
  drivableNowS: seconds.describe('the least of all that follows; null where it is not known: see `range`'),
  continuous: z.object({ usedS: seconds, remainingS: seconds, nextBreakS: seconds }),
  shift: z.object({ startedAt: instant, latestEnd: instant, crew: z.boolean() }).nullable(),
  workingTime: z.object({ weekUsedS: seconds, weekRemainingS: seconds }),
  dataAsOf: instant.nullable(),
  expense: z
    .object({ currency: textLike('EUR'), limit: z.number(), used: z.number(), remaining: z.number() })
    .nullable()
    .describe('of the calendar month; null where no limit is set'),
  computedFrom: z.enum(['ddd', 'live']).nullable(),
  basis: z
    .enum(['known', 'assumed', 'unknown'])
    .describe(
      '`known`: the data reach up to the time asked for. `assumed`: they end with a rest, which is taken to go on, and add nothing ' +
        'after `dataAsOf`. `unknown`: they end with another activity, or are older than 24 hours',
    ),
  range: z
    .object({
      drivableNowS: between,
      continuousS: between,
      dailyS: between,
      weeklyS: between,
      biweeklyS: between,
    })
    .nullable()
    .describe('what may remain: least if the driver has driven or worked since `dataAsOf`, most after rest since then'),
  stale: z
    .boolean()
    .describe('true: what the driver has done since `dataAsOf` is unknown, and remaining times are null'),
});

/** Regulation (EC) 561/2006, article 6: 9 h a day, 56 h a week, 90 h in two. */
const LIMITS = { dailyS: 9 * 3_600, weeklyS: 56 * 3_600, biweeklyS: 90 * 3_600 } as const;

export interface AllowanceDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly residuals: Residuals;
}

export function addAllowanceRoutes(app: App, { pool, clock, residuals }: AllowanceDeps): void {
  app.get(
    '/v1/drivers/plafond',
    {
      config: { access: ['drivers:read'], errors: ['unknown-driver'] },
      schema: {
        tags: ['drivers'],
        summary: 'What drivers may still drive and spend',
        description:
          'Driving times come from tachograph downloads and only where those are not older than 24 hours: what remains ' +
          'of old data is misleading, and therefore null. What the driver has done since the download is not known: `basis` ' +
          'and `range` say what that means for the times.',
        querystring: z.object({
          driver_id: text(100, 1, 'drv_0a1b2c3d4e5f6a7b8c').optional(),
          at: instantParameter('from').optional(),
        }),
        response: { 200: z.object({ items: z.array(allowance) }) },
      },
    },
    async (request) => {
      const { driver_id: driverId = null, at = clock.now() } = request.query;
      const tenantId = tenantOf(request);
      const rows = await readAllowances(pool, tenantId, { driverId, at });
      if (driverId !== null && rows.length === 0) throw new AppError('unknown-driver');
      const left = await residuals(tenantId, { driverId, at });
      const items = rows.map(({ driverId, currency, limit, used }) => ({
        driverId,
        ...drivingOf(left.get(driverId)),
        expense:
          currency === null || limit === null
            ? null
            : { currency, limit, used, remaining: Math.round((limit - used) * 100) / 100 },
      }));
      return { items };
    },
  );
}

const UNKNOWN = { usedS: null, remainingS: null };

function drivingOf(residual: Residual | undefined) {
  if (residual === undefined) {
    return {
      driving: {
        dailyLimitS: LIMITS.dailyS,
        ...UNKNOWN,
        extendedLeft: null,
      },
      weekly: {
        limitS: LIMITS.weeklyS,
        ...UNKNOWN,
      },
      biweekly: {
        limitS: LIMITS.biweeklyS,
        ...UNKNOWN,
      },
      rest: {
        nextDueAt: null,
        minimumS: null,
        reducedLeft: null,
        weeklyDueAt: null,
        weeklyMinimumS: null,
        compensation: [],
      },
      drivableNowS: null,
      continuous: {
        ...UNKNOWN,
        nextBreakS: null,
      },
      shift: null,
      workingTime: {
        weekUsedS: null,
        weekRemainingS: null,
      },
      dataAsOf: null,
      computedFrom: null,
      basis: 'unknown' as const,
      range: null,
      stale: true,
    };
  }
  return residual.basis === 'unknown' ? withoutRemaining(knownOf(residual)) : knownOf(residual);
}

/** What was used is known as far as the data reach; what remains is not. */
function withoutRemaining(known: ReturnType<typeof knownOf>) {
  return {
    ...known,
    driving: { ...known.driving, remainingS: null },
    weekly: { ...known.weekly, remainingS: null },
    biweekly: { ...known.biweekly, remainingS: null },
    rest: { ...known.rest, nextDueAt: null, weeklyDueAt: null },
    drivableNowS: null,
    continuous: { ...known.continuous, remainingS: null, nextBreakS: null },
    workingTime: { ...known.workingTime, weekRemainingS: null },
    stale: true,
  };
}

function knownOf(residual: Residual) {
  const { daily, week, fortnight, continuous, dailyRest, weeklyRest, shift, workingTime, compensation } = residual;
  const sums = ({ used, left }: { readonly used: number; readonly left: number }) => ({
    usedS: used * 60,
    remainingS: left * 60,
  });
  return {
    driving: {
      dailyLimitS: daily.limit * 60,
      ...sums(daily),
      extendedLeft: daily.extensionsLeft,
    },
    weekly: {
      limitS: LIMITS.weeklyS,
      ...sums(week),
    },
    biweekly: {
      limitS: LIMITS.biweeklyS,
      ...sums(fortnight),
    },
    rest: {
      nextDueAt: momentOf(dailyRest.dueAt),
      minimumS: dailyRest.minimum * 60,
      reducedLeft: dailyRest.reducedLeft,
      weeklyDueAt: momentOf(weeklyRest.dueAt),
      weeklyMinimumS: weeklyRest.minimum * 60,
      compensation: compensation.map(({ minutes, dueBy }) => ({
        seconds: minutes * 60,
        dueBy: momentOf(dueBy)!,
      })),
    },
    drivableNowS: residual.drivableNow * 60,
    continuous: {
      ...sums(continuous),
      nextBreakS: continuous.nextBreak * 60,
    },
    shift: shift && {
      startedAt: momentOf(shift.startedAt)!,
      latestEnd: momentOf(shift.latestEnd)!,
      crew: shift.crew,
    },
    workingTime: {
      weekUsedS: workingTime.weekUsed * 60,
      weekRemainingS: workingTime.weekLeft * 60,
    },
    dataAsOf: momentOf(residual.asOf),
    computedFrom: 'ddd' as const,
    basis: residual.basis,
    range: residual.range && rangeOf(residual.range),
    stale: false,
  };
}

function rangeOf({ drivableNow, continuous, daily, week, fortnight }: NonNullable<Residual['range']>) {
  const seconds = ({ min, max }: { readonly min: number; readonly max: number }) => ({ min: min * 60, max: max * 60 });
  return {
    drivableNowS: seconds(drivableNow),
    continuousS: seconds(continuous),
    dailyS: seconds(daily),
    weeklyS: seconds(week),
    biweeklyS: seconds(fortnight),
  };
}

const momentOf = (minute: number | null): string | null => (minute === null ? null : toInstant(minute * 60_000));

const fields = {
  driverId: text(100, 1, 'drv_0a1b2c3d4e5f6a7b8c'),
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
  csvExample: 'driverId,spentAt,amount,currency\r\ndrv_0a1b2c3d4e5f6a7b8c,2026-05-02T08:30:00Z,12.5,EUR\r\n',
  create: z.object(fields).meta({
    example: {
      driverId: 'drv_0a1b2c3d4e5f6a7b8c',
      spentAt: '2026-05-01T08:30:00Z',
      amount: 61.2,
      currency: 'EUR',
      note: 'Diesel, 40 l',
    },
  }),
  change: z
    .object(fields)
    .partial()
    .meta({ example: { note: 'Diesel, 41 l' } }),
  shown: z
    .object({
      id: textLike('exp_0a1b2c3d4e5f6a7b8c'),
      driverId: member.driverId,
      spentAt: instant,
      amount: z.number(),
      currency: textLike('EUR'),
      note: z.string().nullable(),
      createdAt: instant,
      updatedAt: instant,
    })
    .meta({ id: 'Expense' }),
};
