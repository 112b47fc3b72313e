import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { becomeTenant, type Queryable, queryAsTenant, transaction } from '../../../platform/postgres/index.ts';
import type { Correction, CorrectionKind } from '../../../tachograph/reports/corrections.ts';

export interface CorrectionRow {
  readonly id: string;
  readonly driverId: string;
  readonly kind: CorrectionKind;
  /** epoch ms */
  readonly from: number;
  readonly to: number;
  readonly activity: Correction['activity'];
  readonly reason: string;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly revokedBy: string | null;
  readonly revokedAt: number | null;
  readonly revokedReason: string | null;
  readonly [column: string]: unknown;
}

const COLUMNS = `id, driver_id as "driverId", kind, began as "from", ended as "to", activity, reason, created_by as "createdBy",
  created_at as "createdAt", revoked_by as "revokedBy", revoked_at as "revokedAt", revoked_reason as "revokedReason"`;

/** more than anybody enters by hand */
const MOST = 100_000;

const stamp = (ms: number): string => new Date(ms).toISOString();

export type NewCorrection = Pick<
  CorrectionRow,
  'driverId' | 'kind' | 'from' | 'to' | 'activity' | 'reason' | 'createdBy' | 'createdAt'
>;

/** The driver is analysed again. */
const askAgain = (tx: Queryable, tenantId: number, driverId: string): Promise<unknown> =>
  tx.query(
    `insert into driver_analysis (driver_id, tenant_id, asked_at) values ($2, $1, clock_timestamp())
     on conflict (driver_id) do update set asked_at = excluded.asked_at`,
    [tenantId, driverId],
  );

/** Ids ascend in the order in which corrections are made. `undefined` where one in force overlaps. */
export function insertCorrection(
  app: pg.Pool,
  tenantId: number,
  { driverId, kind, from, to, activity, reason, createdBy, createdAt }: NewCorrection,
): Promise<CorrectionRow | undefined> {
  const id = `cor_${createdAt.toString(16).padStart(12, '0')}${randomBytes(4).toString('hex')}`;
  return transaction(app, async (tx) => {
    await tx.query(becomeTenant(tenantId));
    // two requests at once must see each other
    await askAgain(tx, tenantId, driverId);
    const { rows } = await tx.query<CorrectionRow>(
      `insert into driver_correction (id, tenant_id, driver_id, kind, began, ended, activity, reason, created_by, created_at)
       select $1, $2, $3, $4, $5::timestamptz, $6::timestamptz, $7, $8, $9, $10
       where not exists (select from driver_correction o where o.tenant_id = $2 and o.driver_id = $3
                         and o.revoked_at is null and o.began < $6::timestamptz and o.ended > $5::timestamptz)
       returning ${COLUMNS}`,
      [id, tenantId, driverId, kind, stamp(from), stamp(to), activity, reason, createdBy, stamp(createdAt)],
    );
    return rows[0];
  });
}

export interface CorrectionQuery {
  readonly drivers?: readonly string[] | undefined;
  readonly id?: string | undefined;
  /** true: those that count; false: those that were revoked */
  readonly inForce?: boolean | undefined;
  /** epoch ms: that reach into the interval */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export function listCorrections(app: pg.Pool, tenantId: number, query: CorrectionQuery): Promise<CorrectionRow[]> {
  const { drivers = null, id = null, inForce = null, from, to, after = '', limit } = query;
  return queryAsTenant<CorrectionRow>(app, tenantId, {
    name: 'list-driver-corrections',
    text: `select ${COLUMNS} from driver_correction
           where tenant_id = $1 and ($2::text[] is null or driver_id = any($2)) and ($3::text is null or id = $3)
             and ($4::boolean is null or $4 = (revoked_at is null)) and ended > $5::timestamptz
             and began <= $6::timestamptz and id > $7 order by id limit $8`,
    values: [
      tenantId,
      drivers,
      id,
      inForce,
      from === undefined ? '-infinity' : stamp(from),
      to === undefined ? 'infinity' : stamp(to),
      after,
      limit,
    ],
  });
}

/** Those that count for a driver. */
export const correctionsIn = (app: pg.Pool, tenantId: number, driverId: string): Promise<CorrectionRow[]> =>
  listCorrections(app, tenantId, { drivers: [driverId], inForce: true, limit: MOST });

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

/** `undefined` where it is revoked already, or does not exist. The driver is analysed again. */
export function revokeCorrection(
  app: pg.Pool,
  tenantId: number,
  id: string,
  { by, at, reason }: { readonly by: string; readonly at: number; readonly reason: string },
): Promise<CorrectionRow | undefined> {
  return transaction(app, async (tx) => {
    await tx.query(becomeTenant(tenantId));
    const { rows } = await tx.query<CorrectionRow>(
      `update driver_correction set revoked_by = $3, revoked_at = $4, revoked_reason = $5
       where tenant_id = $1 and id = $2 and revoked_at is null returning ${COLUMNS}`,
      [tenantId, id, by, stamp(at), reason],
    );
    if (rows[0] !== undefined) await askAgain(tx, tenantId, rows[0].driverId);
    return rows[0];
  });
}
