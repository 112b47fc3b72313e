import type pg from 'pg';
import { int4Array, int8Array, type Queryable, queryAsTenant, textArray } from '../../database/index.ts';

/** Unwritten counts of one process for a tenant and day. */
export interface DayCounts {
  readonly tenantId: number;
  /** YYYY-MM-DD, UTC */
  readonly day: string;
  readonly requests: number;
  readonly frames: number;
  readonly received: number;
  readonly stored: number;
  readonly users: readonly string[];
  readonly devices: readonly number[];
}

const each = <T>(days: readonly DayCounts[], list: (of: DayCounts) => readonly T[]) =>
  days.flatMap((of) => list(of).map((value) => ({ tenantId: of.tenantId, day: of.day, value })));

/** Adds counts in one statement. Removed tenants are skipped. */
export async function addCounts(db: Queryable, days: readonly DayCounts[]): Promise<void> {
  const users = each(days, (of) => of.users);
  const devices = each(days, (of) => of.devices);
  // sorted, so that concurrent processes lock rows in the same order
  await db.query({
    name: 'add-usage',
    text: `
      with users as (
        insert into usage_user (tenant_id, day, user_id)
        select tenant_id, day::date, id from unnest($7::int4[], $8::text[], $9::text[]) as u(tenant_id, day, id)
        where exists (select from tenant t where t.tenant_id = u.tenant_id) order by 1, 2, 3
        on conflict do nothing
      ), devices as (
        insert into usage_device (tenant_id, day, device_id)
        select tenant_id, day::date, id from unnest($10::int4[], $11::text[], $12::int8[]) as d(tenant_id, day, id)
        where exists (select from tenant t where t.tenant_id = d.tenant_id) order by 1, 2, 3
        on conflict do nothing
      )
      insert into usage_day as n (tenant_id, day, requests, frames, positions_received, positions_stored)
      select tenant_id, day::date, requests, frames, received, stored
      from unnest($1::int4[], $2::text[], $3::int8[], $4::int8[], $5::int8[], $6::int8[])
        as c(tenant_id, day, requests, frames, received, stored)
      where exists (select from tenant t where t.tenant_id = c.tenant_id) order by 1, 2
      on conflict (tenant_id, day) do update set
        requests = n.requests + excluded.requests, frames = n.frames + excluded.frames,
        positions_received = n.positions_received + excluded.positions_received,
        positions_stored = n.positions_stored + excluded.positions_stored`,
    values: [
      int4Array(days.map((d) => d.tenantId)),
      textArray(days.map((d) => d.day)),
      int8Array(days.map((d) => d.requests)),
      int8Array(days.map((d) => d.frames)),
      int8Array(days.map((d) => d.received)),
      int8Array(days.map((d) => d.stored)),
      int4Array(users.map((u) => u.tenantId)),
      textArray(users.map((u) => u.day)),
      textArray(users.map((u) => u.value)),
      int4Array(devices.map((d) => d.tenantId)),
      textArray(devices.map((d) => d.day)),
      int8Array(devices.map((d) => d.value)),
    ],
  });
}

/** Replaces the ids of users and devices by their number in days before `day`. */
export async function foldMembers(tx: Queryable, day: string): Promise<void> {
  for (const [table, column] of [
    ['usage_user', 'active_users'],
    ['usage_device', 'active_devices'],
  ] as const) {
    await tx.query(
      `with gone as (delete from ${table} where day < $1::date returning tenant_id, day),
         counts as (select tenant_id, day, count(*)::int as members from gone group by 1, 2)
       update usage_day n set ${column} = n.${column} + c.members from counts c
       where n.tenant_id = c.tenant_id and n.day = c.day`,
      [day],
    );
  }
}

export interface UsageRow {
  readonly day: string;
  readonly requests: number;
  readonly frames: number;
  readonly received: number;
  readonly stored: number;
  readonly users: number;
  readonly devices: number;
  readonly [column: string]: unknown;
}

/** Days from `first` to `last`, oldest first. */
export function listDays(
  app: pg.Pool,
  tenantId: number,
  { first, last, limit }: { readonly first: string; readonly last: string; readonly limit: number },
): Promise<UsageRow[]> {
  return queryAsTenant<UsageRow>(app, tenantId, {
    name: 'list-usage',
    text: `
      select to_char(n.day, 'YYYY-MM-DD') as day, n.requests, n.frames, n.positions_received as received,
        n.positions_stored as stored,
        n.active_users + (select count(*) from usage_user u where u.tenant_id = $1 and u.day = n.day)::int as users,
        n.active_devices
          + (select count(*) from usage_device d where d.tenant_id = $1 and d.day = n.day)::int as devices
      from usage_day n
      where n.tenant_id = $1 and n.day between $2::date and $3::date
      order by n.day limit $4`,
    values: [tenantId, first, last, limit],
  });
}
