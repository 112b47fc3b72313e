import type pg from 'pg';
import { queryAsTenant } from '../../../platform/postgres/index.ts';

export interface MovingRow {
  readonly targa: string;
  readonly litres: number | null;
  readonly driverId: string | null;
  readonly deviceId: number | null;
  readonly imei: string | null;
  readonly hasPosition: boolean;
  readonly options: Readonly<Record<string, string | number | boolean>> | null;
  readonly [column: string]: unknown;
}

export interface MovingQuery {
  readonly targa?: string;
  readonly group?: string;
  readonly userId?: string;
}

const MOST = 200;

/** Vehicles with the device that is in them now, in the order of their targa; 200 at most. */
export function readMoving(app: pg.Pool, tenantId: number, query: MovingQuery): Promise<MovingRow[]> {
  return queryAsTenant<MovingRow>(app, tenantId, {
    name: 'read-moving',
    text: `
      select v.targa, v.fuel_tank_litres as litres, rp.driver_id as "driverId", d.id as "deviceId", d.imei, d.options,
             n.device_id is not null as "hasPosition"
      from vehicle v
      left join vehicle_group g on g.id = v.group_id
      left join pairing dp on dp.vehicle_id = v.id and dp.device_id is not null and dp.valid_to is null
      left join device d on d.id = dp.device_id
      left join pairing rp on rp.vehicle_id = v.id and rp.driver_id is not null and rp.valid_to is null
      left join position_newest n on n.device_id = d.id
      where v.tenant_id = $1 and ($2::text is null or v.targa = $2)
        and ($3::text is null or g.id = $3 or g.name = $3)
        and ($4::text is null or exists (
          select from app_user u where u.id = $4 and (u.all_vehicles or exists (
            select from user_vehicle uv where uv.user_id = u.id and uv.vehicle_id = v.id))))
      order by v.targa limit ${MOST}`,
    values: [tenantId, query.targa ?? null, query.group ?? null, query.userId ?? null],
  });
}

/** Id of a group or of a user by id or name; undefined where there is none. */
export async function findNamed(
  app: pg.Pool,
  tenantId: number,
  kind: 'group' | 'user',
  name: string,
): Promise<string | undefined> {
  const rows = await queryAsTenant<{ id: string }>(app, tenantId, {
    text:
      kind === 'group'
        ? 'select id from vehicle_group where tenant_id = $1 and (id = $2 or name = $2)'
        : 'select id from app_user where tenant_id = $1 and (id = $2 or username = lower($2))',
    values: [tenantId, name],
  });
  return rows[0]?.id;
}
