import type pg from 'pg';
import { int8Array, queryAsTenant } from '../../../database/index.ts';

/** State of a device that delays its commands. Times are epoch ms. */
export interface DeviceRow {
  readonly id: number;
  readonly imei: string;
  readonly isOnline: boolean;
  readonly since: number | null;
  readonly inFlight: string | null;
  readonly isHeld: boolean;
  readonly isInGap: boolean;
  readonly [column: string]: unknown;
}

const DEVICE = `
  select d.id, d.imei, o.online as "isOnline", case when o.online then s.since end as since,
         (select f.id from command f where f.device_id = d.id and f.tenant_id = $1 and f.state in ('sending', 'sent'))
           as "inFlight",
         o.online and coalesce((s.held_gateway, s.held_conn) = (s.gateway, s.conn), false) as "isHeld",
         coalesce(s.next_command_at > now(), false) as "isInGap"
  from device d
  left join session s on s.device_id = d.id
  left join gateway_lease l on l.gateway = s.gateway
  cross join lateral (select coalesce(s.open and l.lease_until > now(), false) as online) o
  where d.tenant_id = $1`;

export async function findDevice(app: pg.Pool, tenantId: number, imei: string): Promise<DeviceRow | undefined> {
  const rows = await queryAsTenant<DeviceRow>(app, tenantId, {
    name: 'find-pending-device',
    text: `${DEVICE} and d.imei = $2`,
    values: [tenantId, imei],
  });
  return rows[0];
}

export async function findDevices(app: pg.Pool, tenantId: number, ids: readonly number[]): Promise<DeviceRow[]> {
  return queryAsTenant<DeviceRow>(app, tenantId, {
    name: 'find-pending-devices',
    text: `${DEVICE} and d.id = any($2::int8[])`,
    values: [tenantId, int8Array(ids)],
  });
}

export interface PendingRow {
  readonly id: string;
  readonly deviceId: number;
  readonly priority: number;
  readonly seq: number;
  readonly createdAt: number;
  readonly isEarly: boolean;
  readonly unmet: string | null;
  readonly [column: string]: unknown;
}

/** Pending commands of these devices, each device's in the order of delivery. */
export async function findPending(app: pg.Pool, tenantId: number, deviceIds: readonly number[]): Promise<PendingRow[]> {
  return queryAsTenant<PendingRow>(app, tenantId, {
    name: 'find-pending-commands',
    text: `
      select c.id, c.device_id as "deviceId", c.priority, c.seq, c.created_at as "createdAt",
             coalesce(c.not_before > now(), false) as "isEarly",
             case when c.conditions is not null then unmet_condition(c.conditions, c.device_id) end as unmet
      from command c
      where c.tenant_id = $1 and c.device_id = any($2::int8[]) and c.state = 'pending'
      order by c.device_id, c.priority, c.seq`,
    values: [tenantId, int8Array(deviceIds)],
  });
}

export type Place = readonly [deviceId: number, priority: number, seq: number];

/** Ids and places of a page of commands that are pending or in flight, by device and in the order of delivery. */
export async function listOpen(
  app: pg.Pool,
  tenantId: number,
  after: Place | undefined,
  limit: number,
): Promise<{ id: string; deviceId: number; priority: number; seq: number; isPending: boolean }[]> {
  return queryAsTenant(app, tenantId, {
    name: 'list-open-commands',
    text: `
      select id, device_id as "deviceId", priority, seq, "isPending" from (
        (select id, device_id, priority, seq, true as "isPending" from command
         where tenant_id = $1 and state = 'pending' and (device_id, priority, seq) > ($2::int8, $3::int2, $4::int8)
         order by device_id, priority, seq limit $5)
        union all
        (select id, device_id, priority, seq, false from command
         where tenant_id = $1 and state in ('sending', 'sent')
           and (device_id, priority, seq) > ($2::int8, $3::int2, $4::int8)
         order by device_id, priority, seq limit $5)
      ) open
      order by device_id, priority, seq limit $5`,
    values: [tenantId, ...(after ?? [0, 0, 0]), limit],
  });
}
