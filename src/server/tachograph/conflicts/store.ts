import type pg from 'pg';
import { queryAsTenant } from '../../database/index.ts';
import type { StoredDay } from '../engine/reports/driver-days.ts';

export interface ConflictRow {
  readonly driverId: string;
  /** `yyyy-mm-dd` */
  readonly date: string;
  readonly versions: NonNullable<StoredDay['versions']>;
  readonly [column: string]: unknown;
}

export interface ConflictQuery {
  readonly driverId: string | null;
  readonly from: string;
  readonly to: string;
  readonly after: readonly [date: string, driverId: string];
  readonly limit: number;
}

/** Days on which sources differ, in the order of day and driver. */
export function listConflicts(app: pg.Pool, tenantId: number, query: ConflictQuery): Promise<ConflictRow[]> {
  const { driverId, from, to, after, limit } = query;
  return queryAsTenant<ConflictRow>(app, tenantId, {
    name: 'list-ddd-conflicts',
    text: `select driver_id as "driverId", day::text as date, content -> 'versions' as versions from driver_day
           where tenant_id = $1 and content ? 'versions' and ($2::text is null or driver_id = $2)
             and day between $3::date and $4::date and (day, driver_id) > ($5::date, $6::text)
           order by day, driver_id limit $7`,
    values: [tenantId, driverId, from, to, ...after, limit],
  });
}
