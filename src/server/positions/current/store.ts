import type pg from 'pg';
import type { DeviceEntry } from '../../../contract/events.ts';
import { queryAsTenant } from '../../database/index.ts';
import type { ReadRow } from '../view/index.ts';

/** The last record of a device that has a fix; without `locatedAt` there is none, and its values are of no fix. */
export interface NewestRow extends Omit<ReadRow, 'time'> {
  readonly time: number | null;
  /** record time of the fix */
  readonly locatedAt: number | null;
  readonly online: boolean;
  /** of the vehicle that it is in */
  readonly targa: string | null;
  /** in which the last fix is, by name; `since` in epoch ms */
  readonly geofences: readonly { readonly id: string; readonly name: string; readonly since: number }[] | null;
  /** of the device, where they are asked for */
  readonly options: DeviceEntry['options'] | null;
}

/** By device id; devices that the tenant does not have are missing. */
export async function readNewest(
  app: pg.Pool,
  tenantId: number,
  imeis: readonly string[],
  withOptions: boolean,
): Promise<Map<string, NewestRow>> {
  const rows = await queryAsTenant<NewestRow & Record<string, unknown>>(app, tenantId, {
    name: 'read-newest',
    text: `
      select d.imei, n.located_at as time, n.id, n.latitude, n.longitude, n.speed, n.course, n.valid, n.outdated, n.altitude,
             n.accuracy, n.device_time as "deviceTime", n.fix_time as "fixTime", n.server_time as "serverTime",
             n.protocol, n.network, n.attributes, n.located_at as "locatedAt",
             case when $3 then d.options end as options,
             coalesce(s.open and l.lease_until > now(), false) as online,
             (select v.targa from pairing p join vehicle v on v.id = p.vehicle_id
              where p.device_id = d.id and p.valid_to is null) as targa,
             (select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'since', i.value) order by g.name)
              from geofence_presence gp cross join jsonb_each(gp.inside) i join geofence g on g.id = i.key
              where gp.device_id = d.id and gp.tenant_id = d.tenant_id) as geofences
      from device d
      left join position_newest n on n.device_id = d.id and n.tenant_id = d.tenant_id
      left join session s on s.device_id = d.id
      left join gateway_lease l on l.gateway = s.gateway
      where d.tenant_id = $1 and d.imei = any($2)`,
    values: [tenantId, imeis, withOptions],
  });
  return new Map(rows.map((row) => [row.imei, row]));
}

/** State of a device: its last fix, and newer attribute values from other records. */
export interface StateRow extends Omit<NewestRow, 'time' | 'targa' | 'options' | 'geofences'> {
  readonly seenAt: number | null;
  /** epoch ms of the values in `attributes`; null: they do not count */
  readonly valuesAt: number | null;
  /** may have older values than `attributes` */
  readonly known: Readonly<Record<string, readonly [value: string | number | boolean, at: number]>> | null;
}

/** Devices that the tenant does not have are missing. */
export async function readStates(app: pg.Pool, tenantId: number, imeis: readonly string[]): Promise<StateRow[]> {
  return queryAsTenant<StateRow & Record<string, unknown>>(app, tenantId, {
    name: 'read-states',
    text: `
      select d.imei, n.id, n.latitude, n.longitude, n.speed, n.course, n.valid, n.outdated, n.altitude, n.accuracy,
             n.device_time as "deviceTime", n.fix_time as "fixTime", n.server_time as "serverTime", n.protocol,
             n.network, n.attributes, n.located_at as "locatedAt", n.values_at as "valuesAt", n.known,
             greatest(s.seen_at, n.received_at) as "seenAt",
             coalesce(s.open and l.lease_until > now(), false) as online
      from device d
      left join position_newest n on n.device_id = d.id and n.tenant_id = d.tenant_id
      left join session s on s.device_id = d.id
      left join gateway_lease l on l.gateway = s.gateway
      where d.tenant_id = $1 and d.imei = any($2)`,
    values: [tenantId, imeis],
  });
}
