import type pg from 'pg';
import { queryAsTenant } from '../../database/index.ts';

/** A use of a vehicle with a driver's card, by a card or a unit. Times are epoch ms. */
export interface UseRow {
  readonly driverId: string | null;
  readonly from: number;
  readonly to: number | null;
  readonly odometerFromKm: number;
  readonly odometerToKm: number | null;
  readonly [column: string]: unknown;
}

export interface UseQuery {
  readonly plate: string;
  /** epoch ms: uses that reach into the interval */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

/** In the slot of the driver, as far as that is known; each once, the one that ended where another file has it open. */
export function listUses(app: pg.Pool, tenantId: number, { plate, from, to, limit }: UseQuery): Promise<UseRow[]> {
  return queryAsTenant<UseRow>(app, tenantId, {
    name: 'list-uses-with-card',
    text: `select c.driver_id as "driverId", s.began as "from", max(s.ended) as "to",
             min(s.odometer_from) as "odometerFromKm", max(s.odometer_to) as "odometerToKm"
           from vehicle_stay s
           left join driver_card c on c.tenant_id = s.tenant_id and c.nation = s.nation and c.number = s.number
           where s.tenant_id = $1 and s.plate = $2 and s.file_id <> all ((select disbelieved_files())::text[])
             and s.odometer_from is not null and (s.slot is null or s.slot = 'driver')
             and s.began <= to_timestamp($4::float8 / 1000) and coalesce(s.ended, s.began) >= to_timestamp($3::float8 / 1000)
           group by c.driver_id, s.nation, s.number, s.began order by s.began limit $5`,
    values: [tenantId, plate, from, to, limit],
  });
}
