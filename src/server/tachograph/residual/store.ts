import type pg from 'pg';
import { queryAsTenant } from '../../database/index.ts';

/** Drivers with data of a day or after it, of those that are named; all of them without names. */
export async function driversKnownSince(
  app: pg.Pool,
  tenantId: number,
  { driverId, day }: { readonly driverId: string | null; readonly day: string },
): Promise<string[]> {
  const rows = await queryAsTenant<{ id: string }>(app, tenantId, {
    name: 'drivers-known-since',
    text: `select distinct driver_id as id from driver_day
           where tenant_id = $1 and ($2::text is null or driver_id = $2) and day >= $3::date`,
    values: [tenantId, driverId, day],
  });
  return rows.map(({ id }) => id);
}
