import { int8Array, type Queryable } from '../../database/index.ts';
import type { Presence, StoredArea } from './inside.ts';

/** Tells whether the geofences of tenants have changed; tenants without one are missing. */
export async function readStamps(tx: Queryable, tenantIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await tx.query<{ tenantId: number; stamp: string }>({
    name: 'read-geofence-stamps',
    text: `select tenant_id as "tenantId", count(*) || ' ' || max(updated_at) || ' ' || sum(version) as stamp
      from geofence where tenant_id = any($1::bigint[]) group by tenant_id`,
    values: [int8Array(tenantIds)],
  });
  return new Map(rows.map(({ tenantId, stamp }) => [tenantId, stamp]));
}

export async function readAreas(
  tx: Queryable,
  tenantId: number,
): Promise<{ readonly id: string; readonly area: StoredArea }[]> {
  const { rows } = await tx.query<{ id: string; area: StoredArea }>({
    name: 'read-geofence-areas',
    text: 'select id, area from geofence where tenant_id = $1',
    values: [tenantId],
  });
  return rows;
}

/** `at`: epoch ms of the fix that was judged last. */
export interface Stored {
  readonly at: number;
  readonly inside: Presence;
}

export async function readPresence(tx: Queryable, deviceIds: readonly number[]): Promise<Map<number, Stored>> {
  const { rows } = await tx.query<{ deviceId: number; at: number; inside: Presence }>({
    name: 'read-geofence-presence',
    text: `select device_id as "deviceId", at, inside from geofence_presence where device_id = any($1::bigint[])
      order by device_id for update`,
    values: [int8Array(deviceIds)],
  });
  return new Map(rows.map(({ deviceId, at, inside }) => [deviceId, { at, inside }]));
}

export async function writePresence(
  tx: Queryable,
  found: readonly (Stored & { readonly deviceId: number; readonly tenantId: number })[],
): Promise<void> {
  await tx.query({
    name: 'write-geofence-presence',
    text: `
      insert into geofence_presence (device_id, tenant_id, at, inside)
      select f.device, f.tenant, to_timestamp(f.at / 1000), f.inside
      from jsonb_to_recordset($1::jsonb) as f(device bigint, tenant int, at float8, inside jsonb)
      where exists (select from device d where d.id = f.device)
      on conflict (device_id) do update set tenant_id = excluded.tenant_id, at = excluded.at, inside = excluded.inside`,
    values: [
      JSON.stringify(
        found.map(({ deviceId, tenantId, at, inside }) => ({ device: deviceId, tenant: tenantId, at, inside })),
      ),
    ],
  });
}
