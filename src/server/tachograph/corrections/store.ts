import type pg from 'pg';
import { becomeTenant, transaction } from '../../database/index.ts';
import { askAgain } from '../analysis/store.ts';
import type { Correction, CorrectionKind } from '../engine/reports/corrections.ts';
import { ascendingId, type RevocableRow, revocableStore, stamp } from '../revocable/store.ts';

export interface CorrectionRow extends RevocableRow {
  readonly kind: CorrectionKind;
  readonly activity: Correction['activity'];
  readonly reason: string;
  readonly createdBy: string;
  readonly createdByName: string;
  readonly createdAt: number;
}

export const correctionRows = revocableStore<CorrectionRow>(
  'driver_correction',
  'kind, activity, reason, created_by as "createdBy", author_name(created_by) as "createdByName", created_at as "createdAt"',
  async (tx, tenantId, { driverId }) => void (await askAgain(tx, tenantId, driverId)),
);

/** more than anybody enters by hand */
const MAX_ROWS = 100_000;

export type NewCorrection = Pick<
  CorrectionRow,
  'driverId' | 'kind' | 'from' | 'to' | 'activity' | 'reason' | 'createdBy' | 'createdAt'
>;

/** `undefined` where one in force overlaps. */
export function insertCorrection(
  app: pg.Pool,
  tenantId: number,
  { driverId, kind, from, to, activity, reason, createdBy, createdAt }: NewCorrection,
): Promise<CorrectionRow | undefined> {
  const id = ascendingId('cor', createdAt);
  return transaction(app, async (tx) => {
    await tx.query(becomeTenant(tenantId));
    // two requests at once must see each other
    await askAgain(tx, tenantId, driverId);
    const { rows } = await tx.query<CorrectionRow>(
      `insert into driver_correction (id, tenant_id, driver_id, kind, began, ended, activity, reason, created_by, created_at)
       select $1, $2, $3, $4, $5::timestamptz, $6::timestamptz, $7, $8, $9, $10
       where not exists (select from driver_correction o where o.tenant_id = $2 and o.driver_id = $3
                         and o.revoked_at is null and o.began < $6::timestamptz and o.ended > $5::timestamptz)
       returning ${correctionRows.columns}`,
      [id, tenantId, driverId, kind, stamp(from), stamp(to), activity, reason, createdBy, stamp(createdAt)],
    );
    return rows[0];
  });
}

/** Those that count for a driver. */
export const correctionsIn = (app: pg.Pool, tenantId: number, driverId: string): Promise<CorrectionRow[]> =>
  correctionRows.list(app, tenantId, { drivers: [driverId], inForce: true, limit: MAX_ROWS });

export const toCorrection = ({ id, kind, from, to, activity }: CorrectionRow): Correction => ({
  id,
  kind,
  from: from / 60_000,
  to: to / 60_000,
  activity,
});

/** Those that count for a driver, as the days of the driver are corrected by them. */
export const correctionsOf = async (app: pg.Pool, tenantId: number, driverId: string): Promise<Correction[]> =>
  (await correctionsIn(app, tenantId, driverId)).map(toCorrection);
