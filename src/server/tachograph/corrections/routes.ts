import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import type { Clock } from '../../../platform/clock.ts';
import { DAY_MS, MINUTE_MS } from '../../../platform/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import {
  type App,
  type Cursors,
  instantMember,
  member,
  principalOf,
  tenantOf,
  text,
  textLike,
  toInstant,
} from '../../kernel/http/index.ts';
import type { Analyst } from '../analysis/index.ts';
import { readDays } from '../analysis/store.ts';
import { CORRECTION_KINDS, correctDays, correctedMinutes } from '../engine/reports/corrections.ts';
import { unpackDay } from '../engine/reports/driver-days.ts';
import { tags } from '../files/routes.ts';
import { isDriver } from '../files/store.ts';
import { addRevocableRoutes } from '../revocable/routes.ts';
import { presentRevocation, revocation } from '../revocable/shapes.ts';
import * as store from './store.ts';

const MAX_PERIOD_MS = 366 * DAY_MS;
const activity = z.enum(['rest', 'availability', 'work', 'driving']);

export const correctionShape = z
  .object({
    id: textLike('cor_00019f0a1b2c0a1b2c3d'),
    driverId: member.driverId,
    kind: z.enum(CORRECTION_KINDS),
    from: instant,
    to: instant,
    activity,
    reason: z.string(),
    createdBy: z.string(),
    createdByName: z.string().describe('of the user, or the id where there is no name'),
    createdAt: instant,
    ...revocation,
  })
  .meta({ id: 'DriverCorrection' });

export const presentCorrection = (row: store.CorrectionRow): z.output<typeof correctionShape> => ({
  id: row.id,
  driverId: row.driverId,
  kind: row.kind,
  from: toInstant(row.from),
  to: toInstant(row.to),
  activity: row.activity,
  reason: row.reason,
  createdBy: row.createdBy,
  createdByName: row.createdByName,
  createdAt: toInstant(row.createdAt),
  ...presentRevocation(row),
});

const body = z.object({
  driverId: text(100, 1, 'drv_0a1b2c3d4e5f6a7b8c'),
  kind: z
    .enum(CORRECTION_KINDS)
    .describe(
      '`selector`: rest, availability or other work was recorded as another of them. `manual-entry`: an entry for time ' +
        'without the card is missing. `unknown`: time without data is assigned',
    ),
  from: instantMember('from').describe('a whole minute'),
  to: instantMember('to').describe('a whole minute, at most 366 days after `from`'),
  activity,
  reason: text(2_000, 1),
});

export interface CorrectionDeps {
  readonly pool: pg.Pool;
  readonly analyst: Pick<Analyst, 'settle'>;
  readonly cursors: Cursors;
  readonly clock: Clock;
  /** there are drivers to analyse */
  readonly onChange: () => void;
}

/** Corrections by a person, above what files report. */
export function addCorrectionRoutes(app: App, deps: CorrectionDeps): void {
  const { pool, cursors, clock, onChange } = deps;
  app.post(
    '/v1/drivers/ddd/corrections',
    {
      config: {
        access: ['ddd:write'],
        errors: [
          'unknown-driver',
          'from-after-to',
          'interval-too-long',
          'correction-overlaps',
          'correction-without-effect',
        ],
      },
      schema: {
        tags,
        summary: 'Correct what tachograph files report of a driver',
        description:
          'Files and what was read in them stay as they are: the correction is a layer above them, and reports show what was ' +
          'recorded beside it, with author and reason. The driver is analyzed again. Recorded driving cannot be changed, and ' +
          'recorded time does not become driving: it is derived from the movement of the vehicle.',
        body: body.meta({
          example: {
            driverId: 'drv_0a1b2c3d4e5f6a7b8c',
            kind: 'selector',
            from: '2026-05-04T05:00:00Z',
            to: '2026-05-04T05:30:00Z',
            activity: 'availability',
            reason: 'Waited for the loading and left the selector at other work',
          },
        }),
        response: { 200: correctionShape },
      },
    },
    async (request) => {
      const tenantId = tenantOf(request);
      const { driverId, from, to, kind, activity: wanted, reason } = request.body;
      const whole = [from, to].every((at) => at % MINUTE_MS === 0);
      if (!whole) throw new AppError('invalid', 'A correction begins and ends at whole minutes');
      if (from >= to) throw new AppError('from-after-to');
      if (to - from > MAX_PERIOD_MS) throw new AppError('interval-too-long', 'A correction covers at most 366 days');
      if (!(await isDriver(pool, tenantId, driverId))) throw new AppError('unknown-driver');
      const correction = {
        driverId,
        kind,
        activity: wanted,
        reason,
        from,
        to,
        createdBy: principalOf(request).id,
        createdAt: clock.now(),
      };
      await deps.analyst.settle(tenantId, [correction.driverId]);
      if ((await effectOf(pool, tenantId, correction)) === 0) throw new AppError('correction-without-effect');
      const row = await store.insertCorrection(pool, tenantId, correction);
      if (row === undefined) throw new AppError('correction-overlaps');
      noteChange(request, { object: row.id, after: { driverId, kind, activity: wanted, from, to } });
      onChange();
      return presentCorrection(row);
    },
  );
  addRevocableRoutes(
    app,
    { pool, clock, cursors },
    {
      path: '/v1/drivers/ddd/corrections',
      exampleId: 'cor_00019f0a1b2c0a1b2c3d',
      name: 'driver-corrections',
      store: store.correctionRows,
      shape: correctionShape,
      present: presentCorrection,
      unknown: 'unknown-correction',
      listTitle: 'Corrections of tachograph data, oldest first',
      revokeTitle: 'Revoke a correction',
      effect: 'The driver is analyzed again.',
      onRevoked: onChange,
    },
  );
}

/** Minutes that a correction would change, above those in force. */
async function effectOf(pool: pg.Pool, tenantId: number, correction: store.NewCorrection): Promise<number> {
  const { driverId, from, to, kind, activity: wanted } = correction;
  const kept = await readDays(pool, tenantId, driverId);
  const days = kept.map(({ date, kept: day }) => unpackDay(date, day));
  const own = { id: '', kind, activity: wanted, from: from / MINUTE_MS, to: to / MINUTE_MS };
  return correctedMinutes(correctDays(days, [own]));
}
