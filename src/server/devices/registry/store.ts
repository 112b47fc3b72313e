import type pg from 'pg';
import { queryAsTenant, runAsTenant } from '../../database/index.ts';

/** Times are epoch ms. */
export interface DeviceRow {
  readonly imei: string;
  readonly name: string | null;
  readonly online: boolean;
  readonly options: Readonly<Record<string, string | number | boolean>>;
  readonly registeredBy: 'itself' | 'api';
  readonly registeredAt: number;
  readonly seenAt: number | null;
  readonly storedAt: number | null;
  readonly since: number | null;
  readonly protocol: string | null;
  readonly pinnedProtocol: string | null;
  readonly blockedAt: number | null;
  readonly blockedNote: string | null;
  readonly remote: string | null;
  readonly [column: string]: unknown;
}

export interface UnregisteredDeviceRow {
  readonly imei: string;
  readonly protocol: string;
  readonly remote: string;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly [column: string]: unknown;
}

const ONLINE = 'coalesce(s.open and l.lease_until > now(), false)';
const SELECT = `
  select d.imei, d.name, d.options, d.registered_by as "registeredBy", d.registered_at as "registeredAt",
         ${ONLINE} as online, s.seen_at as "seenAt", n.received_at as "storedAt",
         case when ${ONLINE} then s.since end as since, coalesce(s.protocol, n.protocol) as protocol, s.remote,
         d.pinned_protocol as "pinnedProtocol", r.since as "blockedAt", r.note as "blockedNote"
  from device d
  left join session s on s.device_id = d.id
  left join gateway_lease l on l.gateway = s.gateway
  left join position_newest n on n.device_id = d.id and n.tenant_id = d.tenant_id
  left join refused_device r on r.tenant_id = d.tenant_id and r.imei = d.imei and r.reason = 'blocked'
  where d.tenant_id = $1`;

export async function listDevices(
  app: pg.Pool,
  tenantId: number,
  query: { readonly online: boolean | undefined; readonly after: string; readonly limit: number },
): Promise<DeviceRow[]> {
  return queryAsTenant<DeviceRow>(app, tenantId, {
    name: 'list-tenant-devices',
    text: `${SELECT} and d.imei > $2 and ($3::bool is null or ${ONLINE} = $3) order by d.imei limit $4`,
    values: [tenantId, query.after, query.online ?? null, query.limit],
  });
}

export async function findDevice(app: pg.Pool, tenantId: number, imei: string): Promise<DeviceRow | undefined> {
  const rows = await queryAsTenant<DeviceRow>(app, tenantId, {
    name: 'find-tenant-device',
    text: `${SELECT} and d.imei = $2`,
    values: [tenantId, imei],
  });
  return rows[0];
}

export async function listUnregisteredDevices(
  app: pg.Pool,
  tenantId: number,
  after: string,
  limit: number,
): Promise<UnregisteredDeviceRow[]> {
  return queryAsTenant<UnregisteredDeviceRow>(app, tenantId, {
    name: 'list-unregistered-devices',
    text: `select imei, protocol, remote, first_at as "firstAt", last_at as "lastAt" from knock
           where tenant_id = $1 and imei > $2 order by imei limit $3`,
    values: [tenantId, after, limit],
  });
}

/** Devices of the tenant that have never sent anything, up to a number: it reads about as many of its devices. */
export async function countUnseenDevices(app: pg.Pool, tenantId: number, most: number): Promise<number> {
  const rows = await queryAsTenant<{ n: number }>(app, tenantId, {
    name: 'count-unseen-devices',
    text: `select count(*)::int as n from (
             select from device d where d.tenant_id = $1 and d.pinned_protocol is null
               and not exists (select from position_newest n where n.device_id = d.id) limit $2) few`,
    values: [tenantId, most],
  });
  return rows[0]!.n;
}

/** How many of the ids the tenant has registered. */
export async function countDevices(app: pg.Pool, tenantId: number, imeis: readonly string[]): Promise<number> {
  const rows = await queryAsTenant<{ n: number }>(app, tenantId, {
    name: 'count-devices-of',
    text: 'select count(*)::int as n from device where tenant_id = $1 and imei = any($2)',
    values: [tenantId, imeis],
  });
  return rows[0]!.n;
}

/**
 * A device of the tenant. If another tenant has the id, it is a claim: for its tenant a device that has not connected.
 * False: the tenant has it already.
 */
export async function insertDevice(
  app: pg.Pool,
  tenantId: number,
  device: { readonly imei: string; readonly name: string | null; readonly options: unknown },
): Promise<boolean> {
  const rows = await queryAsTenant<{ inserted: boolean; taken: boolean }>(app, tenantId, {
    name: 'insert-device',
    text: `
      with inserted as (
        insert into device (tenant_id, imei, name, options, registered_by, is_claim)
        values ($1, $2, $3, $4::jsonb, 'api', is_device_taken($2)) on conflict do nothing returning id),
      -- it was removed before
      admitted as (delete from refused_device where tenant_id = $1 and imei = $2 and reason = 'removed')
      select exists (select from inserted) as inserted,
             exists (select from device where tenant_id = $1 and imei = $2) as taken`,
    values: [tenantId, device.imei, device.name, JSON.stringify(device.options)],
  });
  const { inserted, taken } = rows[0]!;
  if (inserted || taken) return inserted;
  // another tenant has registered it at the same time
  return insertDevice(app, tenantId, device);
}

/** Undefined fields are not changed. False if the tenant has no such device. */
export async function updateDevice(
  app: pg.Pool,
  tenantId: number,
  imei: string,
  change: {
    readonly name: string | null | undefined;
    readonly options: unknown;
    readonly pinnedProtocol: string | null | undefined;
  },
): Promise<boolean> {
  const { rowCount } = await runAsTenant(app, tenantId, {
    text: `update device set name = case when $3 then $4 else name end, options = coalesce($5::jsonb, options),
             pinned_protocol = case when $6 then $7 else pinned_protocol end, updated_at = now()
           where tenant_id = $1 and imei = $2`,
    values: [
      tenantId,
      imei,
      change.name !== undefined,
      change.name ?? null,
      change.options === undefined ? null : JSON.stringify(change.options),
      change.pinnedProtocol !== undefined,
      change.pinnedProtocol ?? null,
    ],
  });
  return rowCount === 1;
}

export async function deleteDevice(app: pg.Pool, tenantId: number, imei: string): Promise<boolean> {
  const { rowCount } = await runAsTenant(app, tenantId, {
    text: `
      with gone as (delete from device where tenant_id = $1 and imei = $2 returning imei, is_claim)
      insert into refused_device (tenant_id, imei, reason) select $1, imei, 'removed' from gone where true
      on conflict (tenant_id, imei) do update set reason = 'removed', note = null, since = now()`,
    values: [tenantId, imei],
  });
  return rowCount === 1;
}

/** Gateways do not admit the device until `admitDevice`. False if the tenant has no such device. */
export async function blockDevice(app: pg.Pool, tenantId: number, imei: string, note: string | null): Promise<boolean> {
  const { rowCount } = await runAsTenant(app, tenantId, {
    text: `insert into refused_device (tenant_id, imei, reason, note)
           select $1, imei, 'blocked', $3 from device where tenant_id = $1 and imei = $2
           on conflict (tenant_id, imei) do update set note = excluded.note`,
    values: [tenantId, imei, note],
  });
  return rowCount === 1;
}

export async function admitDevice(app: pg.Pool, tenantId: number, imei: string): Promise<void> {
  await runAsTenant(app, tenantId, {
    text: `delete from refused_device where tenant_id = $1 and imei = $2 and reason = 'blocked'`,
    values: [tenantId, imei],
  });
}
