import type pg from 'pg';
import { queryAsTenant } from '../../database/index.ts';

export interface MovingRow {
  readonly targa: string;
  readonly litres: number | null;
  /** pairings by time; device pairings overlap the interval or have no end */
  readonly devices: readonly PairedDevice[];
  readonly drivers: readonly Paired[];
  readonly [column: string]: unknown;
}

/** epoch ms: from the first moment to before the last one; null: from ever, or until further notice */
export interface Paired {
  readonly id: string;
  readonly from: number | null;
  readonly to: number | null;
}

export interface PairedDevice extends Omit<Paired, 'id'> {
  readonly id: number;
  readonly imei: string;
  readonly hasPosition: boolean;
  readonly options: Readonly<Record<string, string | number | boolean>>;
}

export interface MovingQuery {
  readonly targa?: string;
  readonly group?: string;
  readonly userId?: string;
  /** epoch ms, both ends included */
  readonly from: number;
  readonly to: number;
}

const MS = (column: string): string => `floor(extract(epoch from ${column}) * 1000)::float8`;

/**
 * Vehicles with the devices and drivers of an interval, in the order of their targa. What a device
 * recorded before it was first paired belongs to the vehicle that it was paired with then, unless that vehicle had
 * another device before.
 */
export function readMoving(app: pg.Pool, tenantId: number, query: MovingQuery): Promise<MovingRow[]> {
  return queryAsTenant<MovingRow>(app, tenantId, {
    name: 'read-moving',
    text: `
      select v.targa, v.fuel_tank_litres as litres, coalesce(devices.list, '[]') as devices,
             coalesce(drivers.list, '[]') as drivers
      from vehicle v
      join tenant t on t.tenant_id = v.tenant_id
      left join vehicle_group g on g.id = v.group_id
      left join lateral (
        select json_agg(json_build_object('id', d.id, 'imei', d.imei, 'options', t.device_options || coalesce(g.options, '{}') || d.options,
            'hasPosition', d.has_position, 'from', p.first, 'to', ${MS('p.valid_to')}) order by p.valid_from) as list
        from (
          select own.*, case when exists (
              select from pairing other where other.device_id is not null and other.valid_from < own.valid_from
                and (other.device_id = own.device_id or other.vehicle_id = own.vehicle_id)
            ) then ${MS('own.valid_from')} end as first
          from pairing own where own.vehicle_id = v.id and own.device_id is not null
        ) p
          join known_device d on d.id = p.device_id
        where p.valid_to is null
          or (coalesce(p.first, '-infinity') <= $6::float8 and ${MS('p.valid_to')} > $5::float8)
      ) devices on true
      left join lateral (
        select json_agg(json_build_object('id', p.driver_id, 'from', ${MS('p.valid_from')}, 'to', ${MS('p.valid_to')})
            order by p.valid_from) as list
        from pairing p where p.vehicle_id = v.id and p.driver_id is not null
          and ${MS('p.valid_from')} <= $6::float8 and coalesce(${MS('p.valid_to')}, 'infinity') > $5::float8
      ) drivers on true
      where v.tenant_id = $1 and ($2::text is null or v.targa = $2)
        and ($3::text is null or g.id = $3 or g.name = $3)
        and ($4::text is null or exists (
          select from app_user u where u.id = $4 and (u.all_vehicles or exists (
            select from user_vehicle uv where uv.user_id = u.id and uv.vehicle_id = v.id))))
      order by v.targa`,
    values: [tenantId, query.targa ?? null, query.group ?? null, query.userId ?? null, query.from, query.to],
  });
}

/** Plate of the vehicle that the device is in now; undefined if it is in none. */
export async function readTarga(app: pg.Pool, tenantId: number, deviceId: number): Promise<string | undefined> {
  const rows = await queryAsTenant<{ targa: string }>(app, tenantId, {
    name: 'read-targa-of-device',
    text: `select v.targa from pairing p join vehicle v on v.id = p.vehicle_id
           where p.tenant_id = $1 and p.device_id = $2 and p.valid_from <= now() and p.valid_to is null`,
    values: [tenantId, deviceId],
  });
  return rows[0]?.targa;
}
