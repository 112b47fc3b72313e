import type pg from 'pg';
import { queryAsTenant } from '../../database/index.ts';
import type { UnitEvent } from '../engine/reports/file-facts.ts';

export interface UnitEventRow {
  readonly kind: UnitEvent['kind'];
  /** epoch ms */
  readonly at: number;
  readonly value: number | null;
  readonly [column: string]: unknown;
}

/** Events of a vehicle's units in an interval (epoch ms), oldest first; an event in several downloads is listed once. */
export function readUnitEvents(
  app: pg.Pool,
  tenantId: number,
  of: { readonly targa: string; readonly from: number; readonly to: number },
): Promise<UnitEventRow[]> {
  return queryAsTenant<UnitEventRow>(app, tenantId, {
    name: 'read-unit-events',
    text: `select distinct kind, began as at, value from unit_event
           where tenant_id = $1 and plate = $2 and file_id <> all ((select disbelieved_files())::text[]) and began >= to_timestamp($3::float8 / 1000)
             and began <= to_timestamp($4::float8 / 1000)
           order by began, kind`,
    values: [tenantId, of.targa, of.from, of.to],
  });
}

/** Metres by the odometer of stays that lie in an interval (epoch ms), each once. */
export async function readOdometer(
  app: pg.Pool,
  tenantId: number,
  of: { readonly targa: string; readonly from: number; readonly to: number },
): Promise<number> {
  const rows = await queryAsTenant<{ km: number }>(app, tenantId, {
    name: 'read-odometer',
    text: `select coalesce(sum(upper(span) - lower(span)), 0)::float8 as km from (
             select unnest(range_agg(int4range(odometer_from, odometer_to))) as span from vehicle_stay
             where tenant_id = $1 and plate = $2 and file_id <> all ((select disbelieved_files())::text[])
               and began >= to_timestamp($3::float8 / 1000) and ended <= to_timestamp($4::float8 / 1000) and odometer_to >= odometer_from) spans`,
    values: [tenantId, of.targa, of.from, of.to],
  });
  return rows[0]!.km * 1_000;
}
