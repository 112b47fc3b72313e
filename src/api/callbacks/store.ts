import type pg from 'pg';
import { type Queryable, queryAsTenant, textArray } from '../../platform/postgres/index.ts';

export interface DueDelivery {
  readonly id: number;
  readonly tenantId: number;
  readonly kind: 'command-ended' | 'wake-up';
  readonly commandId: string;
  readonly url: string;
  /** this one included */
  readonly attempts: number;
  /** epoch ms */
  readonly createdAt: number;
}

/**
 * Takes deliveries that are due, of no host more than `perHost` and of busy ones none, so that a target that is slow
 * holds up itself alone. Whoever takes one has it until the lease is over.
 */
export async function takeDue(
  pool: pg.Pool,
  query: {
    readonly limit: number;
    readonly perHost: number;
    readonly busyHosts: readonly string[];
    readonly leaseS: number;
  },
): Promise<DueDelivery[]> {
  const { rows } = await pool.query<DueDelivery>({
    name: 'take-due-deliveries',
    text: `
      with due as materialized (
        select id, split_part(url, '/', 3) as host, next_at from hook_delivery
        where ended_at is null and next_at <= now() and split_part(url, '/', 3) <> all($3::text[])
        order by next_at limit 500 for update skip locked
      ), ranked as (
        select id, next_at, row_number() over (partition by host order by next_at, id) as place from due
      ), chosen as (
        select id from ranked where place <= $2 order by next_at limit $1
      )
      update hook_delivery h set attempts = h.attempts + 1, next_at = now() + $4 * interval '1 second'
      from chosen where h.id = chosen.id
      returning h.id, h.tenant_id as "tenantId", h.kind, h.command_id as "commandId", h.url, h.attempts,
                h.created_at as "createdAt"`,
    values: [query.limit, query.perHost, textArray(query.busyHosts), query.leaseS],
  });
  return rows;
}

export async function endDelivery(
  pool: pg.Pool,
  id: number,
  outcome: 'delivered' | 'given-up',
  error: string | null,
): Promise<void> {
  await pool.query({
    name: 'end-delivery',
    text: 'update hook_delivery set ended_at = now(), outcome = $2, last_error = $3 where id = $1',
    values: [id, outcome, error],
  });
}

export async function postponeDelivery(pool: pg.Pool, id: number, seconds: number, error: string): Promise<void> {
  await pool.query({
    name: 'postpone-delivery',
    text: `update hook_delivery set next_at = now() + $2 * interval '1 second', last_error = $3 where id = $1`,
    values: [id, seconds, error],
  });
}

/** Deletes deliveries that ended a week ago. */
export async function forgetDeliveries(tx: Queryable): Promise<void> {
  await tx.query(`delete from hook_delivery where ended_at < now() - interval '7 days'`);
}

/** Sealed secret that a tenant's requests are signed with; the one given is kept where there is none yet. */
export async function readSecret(app: pg.Pool, tenantId: number, fresh: string): Promise<string> {
  const rows = await queryAsTenant<{ secret: string }>(app, tenantId, {
    name: 'read-webhook-secret',
    text: `insert into tenant_setting as t (tenant_id, webhook_secret) values ($1, $2)
           on conflict (tenant_id) do update set webhook_secret = coalesce(t.webhook_secret, excluded.webhook_secret)
           returning webhook_secret as secret`,
    values: [tenantId, fresh],
  });
  return rows[0]!.secret;
}

export async function replaceSecret(app: pg.Pool, tenantId: number, fresh: string): Promise<void> {
  await queryAsTenant(app, tenantId, {
    text: `insert into tenant_setting as t (tenant_id, webhook_secret) values ($1, $2)
           on conflict (tenant_id) do update set webhook_secret = excluded.webhook_secret`,
    values: [tenantId, fresh],
  });
}

export interface DueWakeUp {
  readonly commandId: string;
  readonly tenantId: number;
  /** null where the command is gone */
  readonly state: string | null;
  readonly isOver: boolean;
  /** epoch ms */
  readonly notBefore: number | null;
  readonly isOnline: boolean;
  readonly url: string | null;
}

const WAKE_UP = `
  select w.command_id as "commandId", w.tenant_id as "tenantId", c.state, coalesce(c.expires_at <= now(), true) as "isOver",
         c.not_before as "notBefore", coalesce(s.open and l.lease_until > now(), false) as "isOnline",
         coalesce(t.wake_up_url, $1) as url
  from wake_up w
  left join command c on c.id = w.command_id
  left join session s on s.device_id = c.device_id
  left join gateway_lease l on l.gateway = s.gateway
  left join tenant_setting t on t.tenant_id = w.tenant_id`;

/** Commands that are to be looked at, locked. `everyones` is the URL of tenants that name none. */
export async function lockDueWakeUps(tx: Queryable, everyones: string | null, limit: number): Promise<DueWakeUp[]> {
  const { rows } = await tx.query<DueWakeUp>({
    name: 'lock-due-wake-ups',
    text: `${WAKE_UP} where w.due_at <= now() order by w.due_at limit $2 for update of w skip locked`,
    values: [everyones, limit],
  });
  return rows;
}

export async function findWakeUp(
  pool: Queryable,
  commandId: string,
  everyones: string | null,
): Promise<DueWakeUp | undefined> {
  const { rows } = await pool.query<DueWakeUp>({
    name: 'find-wake-up',
    text: `${WAKE_UP} where w.command_id = $2`,
    values: [everyones, commandId],
  });
  return rows[0];
}

export async function dropWakeUps(tx: Queryable, commandIds: readonly string[]): Promise<void> {
  if (commandIds.length === 0) return;
  await tx.query({
    name: 'drop-wake-ups',
    text: 'delete from wake_up where command_id = any($1::text[])',
    values: [textArray(commandIds)],
  });
}

export async function postponeWakeUps(tx: Queryable, commandIds: readonly string[], seconds: number): Promise<void> {
  if (commandIds.length === 0) return;
  await tx.query({
    name: 'postpone-wake-ups',
    text: `update wake_up w set due_at = greatest(now() + $2 * interval '1 second', c.not_before + interval '1 second')
           from command c where c.id = w.command_id and w.command_id = any($1::text[])`,
    values: [textArray(commandIds), seconds],
  });
}

export async function addWakeUpDeliveries(
  tx: Queryable,
  list: readonly { readonly tenantId: number; readonly commandId: string; readonly url: string }[],
): Promise<void> {
  for (const { tenantId, commandId, url } of list) {
    await tx.query({
      name: 'add-wake-up-delivery',
      text: `insert into hook_delivery (tenant_id, kind, command_id, url) values ($1, 'wake-up', $2, $3)`,
      values: [tenantId, commandId, url],
    });
  }
}

/** A tenant has named a URL: what is pending already is looked at too. */
export async function watchPending(pool: Queryable, tenantId: number): Promise<void> {
  await pool.query({
    text: `insert into wake_up (command_id, tenant_id, due_at)
           select id, tenant_id, now() from command where tenant_id = $1 and state = 'pending'
           on conflict (command_id) do nothing`,
    values: [tenantId],
  });
}
