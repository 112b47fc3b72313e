import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import {
  type App,
  type Cursors,
  member,
  principalOf,
  tenantOf,
  text,
  textLike,
  toInstant,
} from '../../kernel/http/index.ts';
import { addDays, minuteAt } from '../engine/timeline/zone.ts';
import { tags } from '../files/routes.ts';
import { isDriver } from '../files/store.ts';
import { addRevocableRoutes } from '../revocable/routes.ts';
import { presentRevocation, revocation } from '../revocable/shapes.ts';
import { termsOf } from '../terms/index.ts';
import { ABSENCE_KINDS, ABSENCES } from './kinds.ts';
import * as store from './store.ts';

const MAX_DAYS = 366;
const date = z.iso.date();

const absence = z
  .object({
    id: textLike('abs_00019f0a1b2c0a1b2c3d'),
    driverId: member.driverId,
    kind: z.enum(ABSENCE_KINDS),
    from: z.string().describe('first day'),
    to: z.string().describe('last day'),
    code: z.string().describe('in `assenza_causale` of payroll reports'),
    note: z.string().nullable(),
    createdBy: z.string(),
    createdByName: z.string().describe('of the user, or the id where there is no name'),
    createdAt: instant,
    ...revocation,
  })
  .meta({ id: 'DriverAbsence' });

const present = (row: store.AbsenceRow): z.output<typeof absence> => ({
  id: row.id,
  driverId: row.driverId,
  kind: row.kind,
  from: row.firstDay,
  to: row.lastDay,
  code: row.code ?? ABSENCES[row.kind].code,
  note: row.note,
  createdBy: row.createdBy,
  createdByName: row.createdByName,
  createdAt: toInstant(row.createdAt),
  ...presentRevocation(row),
});

const body = z.object({
  driverId: text(100, 1, 'drv_0a1b2c3d4e5f6a7b8c'),
  kind: z.enum(ABSENCE_KINDS),
  from: date.describe('first day, in the zone of the settings'),
  to: date.describe('last day; at most 366 days'),
  code: text(20, 1, 'FE').nullable().optional().describe('of the payroll product; that of the kind, without it'),
  note: text(2_000).nullable().optional(),
});

export interface AbsenceDeps {
  readonly pool: pg.Pool;
  readonly cursors: Cursors;
  readonly clock: Clock;
  /** there are drivers to analyse */
  readonly onChange: () => void;
}

/** The register of absences: leave, sickness, rest in lieu. */
export function addAbsenceRoutes(app: App, deps: AbsenceDeps): void {
  const { pool, cursors, clock, onChange } = deps;
  app.post(
    '/v1/drivers/ddd/absences',
    {
      config: {
        access: ['ddd:write'],
        errors: ['unknown-driver', 'from-after-to', 'interval-too-long', 'absence-overlaps'],
      },
      schema: {
        tags,
        summary: 'Enter an absence of a driver',
        description:
          'Days of absence without work are neutral in the average of 48 hours (T48), and fill `assenza_causale` of payroll ' +
          'reports. Attestations of leave and sickness count as well and need not be entered. The driver is analyzed again.',
        body: body.meta({
          example: { driverId: 'drv_0a1b2c3d4e5f6a7b8c', kind: 'annual-leave', from: '2026-05-04', to: '2026-05-10' },
        }),
        response: { 200: absence },
      },
    },
    async (request) => {
      const tenantId = tenantOf(request);
      const { driverId, kind, from, to, code = null, note = null } = request.body;
      if (from > to) throw new AppError('from-after-to');
      if (to >= addDays(from, MAX_DAYS)) throw new AppError('interval-too-long', 'An absence covers at most 366 days');
      if (!(await isDriver(pool, tenantId, driverId))) throw new AppError('unknown-driver');
      const { zone } = await termsOf(pool, tenantId);
      const row = await store.insertAbsence(pool, tenantId, {
        driverId,
        kind,
        from: minuteAt(from, 0, zone) * 60_000,
        to: minuteAt(addDays(to, 1), 0, zone) * 60_000,
        firstDay: from,
        lastDay: to,
        code,
        note,
        createdBy: principalOf(request).id,
        createdAt: clock.now(),
      });
      if (row === undefined) throw new AppError('absence-overlaps');
      noteChange(request, { object: row.id, after: { driverId, kind, from, to } });
      onChange();
      return present(row);
    },
  );
  addRevocableRoutes(
    app,
    { pool, clock, cursors },
    {
      path: '/v1/drivers/ddd/absences',
      exampleId: 'abs_00019f0a1b2c0a1b2c3d',
      name: 'driver-absences',
      store: store.absenceRows,
      shape: absence,
      present,
      unknown: 'unknown-absence',
      listTitle: 'Absences of drivers, oldest first',
      revokeTitle: 'Revoke an absence',
      effect: 'The driver is analyzed again.',
      onRevoked: onChange,
    },
  );
}
