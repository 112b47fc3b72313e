import type pg from 'pg';
import { type Queryable, queryAsTenant, textArray } from '../../database/index.ts';
import { claim, end, type JobTable, type Leased } from '../../kernel/jobs/index.ts';

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

const DELIVERIES: JobTable = {
  name: 'hook-delivery',
  table: 'hook_delivery',
  key: 'id',
  until: 'next_at',
  isOpen: 'j.ended_at is null and is_tenant_active(j.tenant_id)',
  group: `split_part(j.url, '/', 3)`,
  onClaim: 'attempts = j.attempts + 1',
  columns: `c.id, c.tenant_id as "tenantId", c.kind, c.command_id as "commandId", c.url, c.attempts,
            c.created_at as "createdAt"`,
};

/** Claims due deliveries; none of busy hosts, so that a slow target delays only its own deliveries. */
export const claimDeliveries = (
  pool: pg.Pool,
  query: {
    readonly limit: number;
    readonly perHost: number;
    readonly busyHosts: readonly string[];
    readonly leaseMs: number;
  },
): Promise<(DueDelivery & Leased)[]> => {
  const { limit, leaseMs, perHost, busyHosts } = query;
  return claim<DueDelivery>(pool, DELIVERIES, { limit, leaseMs, groups: { perGroup: perHost, busy: busyHosts } });
};

/** False if another process has claimed the delivery since. */
export const endDelivery = (
  pool: pg.Pool,
  delivery: DueDelivery & Leased,
  outcome: 'delivered' | 'given-up',
  error: string | null,
): Promise<boolean> =>
  end(
    pool,
    DELIVERIES,
    delivery.id,
    delivery,
    { name: 'end', set: 'ended_at = now(), outcome = $3, last_error = $4' },
    [outcome, error],
  );

/** False if another process has claimed the delivery since. */
export const postponeDelivery = (
  pool: pg.Pool,
  delivery: DueDelivery & Leased,
  seconds: number,
  error: string,
): Promise<boolean> =>
  end(
    pool,
    DELIVERIES,
    delivery.id,
    delivery,
    { name: 'fail', set: `next_at = now() + $3 * interval '1 second', last_error = $4` },
    [seconds, error],
  );

/** Deletes deliveries that ended a week ago. */
export async function forgetDeliveries(tx: Queryable): Promise<void> {
  await tx.query(`delete from hook_delivery where ended_at < now() - interval '7 days'`);
}

/** Sealed secret that a tenant's requests are signed with; the one given is kept if there is none yet. */
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
  /** null if the command was deleted */
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

/** Locks the open commands that are due for a check. `everyones` is the default URL. */
export async function lockDueWakeUps(tx: Queryable, everyones: string | null, limit: number): Promise<DueWakeUp[]> {
  const { rows } = await tx.query<DueWakeUp>({
    name: 'lock-due-wake-ups',
    text: `${WAKE_UP} where w.due_at <= now() and is_tenant_active(w.tenant_id) order by w.due_at limit $2 for update of w skip locked`,
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

/** Schedules checks of pending commands after a tenant has set a URL. */
export async function watchPending(pool: Queryable, tenantId: number): Promise<void> {
  await pool.query({
    text: `insert into wake_up (command_id, tenant_id, due_at)
           select id, tenant_id, now() from command where tenant_id = $1 and state = 'pending'
           on conflict (command_id) do nothing`,
    values: [tenantId],
  });
}
