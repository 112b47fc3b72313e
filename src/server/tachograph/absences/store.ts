import type pg from 'pg';
import { becomeTenant, transaction } from '../../database/index.ts';
import { askAgain } from '../analysis/store.ts';
import { attestations } from '../attestations/store.ts';
import type { Absence } from '../engine/rules/index.ts';
import { ascendingId, type RevocableRow, revocableStore, stamp } from '../revocable/store.ts';
import type { AbsenceKind } from './kinds.ts';

export interface AbsenceRow extends RevocableRow {
  readonly kind: AbsenceKind;
  /** `yyyy-mm-dd` */
  readonly firstDay: string;
  readonly lastDay: string;
  readonly code: string | null;
  readonly note: string | null;
  readonly createdBy: string;
  readonly createdByName: string;
  readonly createdAt: number;
}

export const absenceRows = revocableStore<AbsenceRow>(
  'driver_absence',
  `kind, first_day::text as "firstDay", last_day::text as "lastDay", code, note, created_by as "createdBy",
    author_name(created_by) as "createdByName", created_at as "createdAt"`,
  async (tx, tenantId, { driverId }) => void (await askAgain(tx, tenantId, driverId)),
);

export type NewAbsence = Pick<
  AbsenceRow,
  'driverId' | 'kind' | 'from' | 'to' | 'firstDay' | 'lastDay' | 'code' | 'note' | 'createdBy' | 'createdAt'
>;

/** `undefined` where one in force overlaps. The driver is analysed again. */
export function insertAbsence(app: pg.Pool, tenantId: number, absence: NewAbsence): Promise<AbsenceRow | undefined> {
  const { driverId, kind, from, to, firstDay, lastDay, code, note, createdBy, createdAt } = absence;
  return transaction(app, async (tx) => {
    await tx.query(becomeTenant(tenantId));
    // two requests at once must see each other
    await askAgain(tx, tenantId, driverId);
    const { rows } = await tx.query<AbsenceRow>(
      `insert into driver_absence (id, tenant_id, driver_id, kind, began, ended, first_day, last_day, code, note, created_by,
         created_at)
       select $1, $2, $3, $4, $5::timestamptz, $6::timestamptz, $7, $8, $9, $10, $11, $12
       where not exists (select from driver_absence o where o.tenant_id = $2 and o.driver_id = $3
                         and o.revoked_at is null and o.began < $6::timestamptz and o.ended > $5::timestamptz)
       returning ${absenceRows.columns}`,
      [
        ascendingId('abs', createdAt),
        tenantId,
        driverId,
        kind,
        stamp(from),
        stamp(to),
        firstDay,
        lastDay,
        code,
        note,
        createdBy,
        stamp(createdAt),
      ],
    );
    return rows[0];
  });
}

/** More than anybody enters. */
const MAX_ROWS = 100_000;

export interface KnownAbsence extends Absence {
  readonly driverId: string;
  readonly kind: AbsenceKind;
  readonly code: string | null;
}

const ATTESTED: Readonly<Partial<Record<string, AbsenceKind>>> = {
  'sick-leave': 'sick-leave',
  'annual-leave': 'annual-leave',
  'leave-or-rest': 'other',
};

/** Of the register and of attestations in force, those of the register first. */
export async function absencesOf(
  app: pg.Pool,
  tenantId: number,
  drivers: readonly string[],
  within: { readonly from?: number; readonly to?: number } = {},
): Promise<KnownAbsence[]> {
  const query = { ...within, drivers, inForce: true, limit: MAX_ROWS };
  const entered = await absenceRows.list(app, tenantId, query);
  const attested = await attestations.list(app, tenantId, query);
  return [
    ...entered.map(({ driverId, kind, code, from, to }) => ({
      driverId,
      kind,
      code,
      from: Math.floor(from / 60_000),
      to: Math.floor(to / 60_000),
    })),
    ...attested.flatMap(({ driverId, activity, from, to }): KnownAbsence[] => {
      const kind = ATTESTED[activity];
      if (kind === undefined) return [];
      const mayBeRest = activity === 'leave-or-rest';
      return [{ driverId, kind, code: null, from: Math.floor(from / 60_000), to: Math.floor(to / 60_000), mayBeRest }];
    }),
  ];
}
