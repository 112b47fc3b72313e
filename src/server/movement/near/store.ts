import type pg from 'pg';
import { queryAsTenant } from '../../database/index.ts';

/** A vehicle where its device was last; `distanceM`: straight, on a sphere. Times are epoch ms. */
export interface NearRow {
  readonly vehicleId: string;
  readonly targa: string;
  readonly imei: string;
  readonly driverId: string | null;
  readonly driverName: string | null;
  readonly latitude: number;
  readonly longitude: number;
  readonly speed: number | null;
  readonly course: number | null;
  readonly time: number;
  readonly online: boolean;
  readonly distanceM: number;
  readonly [column: string]: unknown;
}

export interface NearQuery {
  readonly latitude: number;
  readonly longitude: number;
  readonly group: string | null;
  /** fixes from then on count, epoch ms */
  readonly since: number | null;
  readonly limit: number;
}

/** Those with a valid fix, nearest first. */
export function readNear(app: pg.Pool, tenantId: number, query: NearQuery): Promise<NearRow[]> {
  return queryAsTenant<NearRow>(app, tenantId, {
    name: 'read-near-vehicles',
    text: `
      select v.id as "vehicleId", v.targa, d.imei, r.id as "driverId", r.name as "driverName", n.latitude, n.longitude,
        n.speed, n.course, n.located_at as time, coalesce(s.open and l.lease_until > now(), false) as online,
        2 * 6371008.8 * asin(least(1, sqrt(power(sind((n.latitude - $2) / 2), 2)
          + cosd($2) * cosd(n.latitude) * power(sind((n.longitude - $3) / 2), 2)))) as "distanceM"
      from vehicle v
      join pairing dp on dp.vehicle_id = v.id and dp.device_id is not null and dp.valid_to is null
        and dp.valid_from <= now()
      join device d on d.id = dp.device_id
      join position_newest n on n.device_id = d.id and n.located_at is not null and n.valid
      left join pairing rp on rp.vehicle_id = v.id and rp.driver_id is not null and rp.valid_to is null
        and rp.valid_from <= now()
      left join driver r on r.id = rp.driver_id
      left join vehicle_group g on g.id = v.group_id
      left join session s on s.device_id = d.id
      left join gateway_lease l on l.gateway = s.gateway
      where v.tenant_id = $1 and ($4::text is null or g.id = $4 or g.name = $4)
        and ($5::float8 is null or n.located_at >= to_timestamp($5 / 1000))
      order by "distanceM", v.targa limit $6`,
    values: [tenantId, query.latitude, query.longitude, query.group, query.since, query.limit],
  });
}
