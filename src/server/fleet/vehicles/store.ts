import type pg from 'pg';
import type { DeviceEntry } from '../../../contract/events.ts';
import { queryAsTenant } from '../../database/index.ts';
import type { ReadRow } from '../../positions/view/index.ts';

/** A vehicle with what is in it now. Times are epoch ms; `time`: of the newest record, null without any. */
export interface VehicleRow extends Omit<ReadRow, 'time' | 'imei' | 'id'> {
  readonly vehicleId: string;
  readonly version: number;
  readonly targa: string;
  readonly vin: string | null;
  readonly make: string | null;
  readonly model: string | null;
  readonly year: number | null;
  readonly group: string | null;
  readonly fuelTankLitres: number | null;
  readonly updatedAt: number;
  readonly imei: string | null;
  readonly driverId: string | null;
  readonly driverName: string | null;
  readonly online: boolean;
  readonly sessionSince: number | null;
  readonly id: Buffer | null;
  readonly time: number | null;
  /** of the last fix, which the columns of a position are */
  readonly locatedAt: number | null;
  /** last known */
  readonly ignition: unknown;
  /** of the device */
  readonly options: DeviceEntry['options'] | null;
  readonly [column: string]: unknown;
}

export interface VehicleQuery {
  readonly name?: { readonly id: string; readonly targa: string };
  readonly imei?: string;
  /** vehicles assigned to this user, or all if the user has all vehicles */
  readonly userId?: string | undefined;
  readonly group?: string | undefined;
  readonly q?: string | undefined;
  /** after this targa */
  readonly after?: string;
  readonly limit: number;
}

/** In the order of their targa. */
export function readVehicles(app: pg.Pool, tenantId: number, query: VehicleQuery): Promise<VehicleRow[]> {
  return queryAsTenant<VehicleRow>(app, tenantId, {
    name: 'read-vehicles',
    text: `
      select v.id as "vehicleId", v.version, v.targa, v.vin, v.make, v.model, v.year, g.name as "group",
             v.fuel_tank_litres as "fuelTankLitres", v.updated_at as "updatedAt", d.imei,
             r.id as "driverId", r.name as "driverName",
             coalesce(s.open and l.lease_until > now(), false) as online, s.since as "sessionSince",
             n.time, n.id, n.latitude, n.longitude, n.speed, n.course, n.valid, n.outdated, n.altitude, n.accuracy,
             n.device_time as "deviceTime", n.fix_time as "fixTime", n.server_time as "serverTime", n.protocol,
             n.network, n.attributes, n.located_at as "locatedAt",
             last_value_of(n.known, n.attributes, n.values_at, 'ignition')->0 as ignition, d.options
      from vehicle v
      left join vehicle_group g on g.id = v.group_id
      left join pairing dp on dp.vehicle_id = v.id and dp.device_id is not null and dp.valid_to is null
        and dp.valid_from <= now()
      left join device d on d.id = dp.device_id
      left join pairing rp on rp.vehicle_id = v.id and rp.driver_id is not null and rp.valid_to is null
        and rp.valid_from <= now()
      left join driver r on r.id = rp.driver_id
      left join position_newest n on n.device_id = d.id
      left join session s on s.device_id = d.id
      left join gateway_lease l on l.gateway = s.gateway
      where v.tenant_id = $1
        and ($2::text is null or v.id = $2 or v.targa = $3)
        and ($4::text is null or d.imei = $4)
        and ($5::text is null or exists (
          select from app_user u where u.id = $5 and (u.all_vehicles or exists (
            select from user_vehicle uv where uv.user_id = u.id and uv.vehicle_id = v.id))))
        and ($6::text is null or g.id = $6 or g.name = $6)
        and ($7::text is null or concat_ws(' ', v.targa, v.vin, v.make, v.model) ilike $7)
        and ($8::text is null or v.targa > $8)
      order by v.targa limit $9`,
    values: [
      tenantId,
      query.name?.id ?? null,
      query.name?.targa ?? null,
      query.imei ?? null,
      query.userId ?? null,
      query.group ?? null,
      query.q === undefined ? null : `%${query.q.replace(/[\\%_]/g, '\\$&')}%`,
      query.after ?? null,
      query.limit,
    ],
  });
}
