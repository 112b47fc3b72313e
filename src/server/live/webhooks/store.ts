import type pg from 'pg';
import { jsonArray, type Queryable, queryAsTenant, textArray } from '../../database/index.ts';
import type { EventType } from '../events/index.ts';

export interface WebhookRow {
  readonly id: string;
  readonly tenantId: number;
  readonly url: string;
  readonly events: readonly EventType[];
  readonly description: string | null;
  readonly userId: string | null;
  /** epoch ms */
  readonly createdAt: number;
  readonly [column: string]: unknown;
}

const WEBHOOK = `select id, tenant_id as "tenantId", url, events, description, user_id as "userId",
                        created_at as "createdAt" from webhook`;

/** In the order of their ids. `userId`: made by this user; undefined: all. */
export function readWebhooks(
  app: pg.Pool,
  tenantId: number,
  query: {
    readonly id?: string;
    readonly userId?: string | undefined;
    readonly after?: string;
    readonly limit: number;
  },
): Promise<WebhookRow[]> {
  return queryAsTenant<WebhookRow>(app, tenantId, {
    name: 'read-webhooks',
    text: `${WEBHOOK} where tenant_id = $1 and ($2::text is null or id = $2) and ($3::text is null or user_id = $3)
           and ($4::text is null or id > $4) order by id limit $5`,
    values: [tenantId, query.id ?? null, query.userId ?? null, query.after ?? null, query.limit],
  });
}

/** Of active tenants and, if a user made it, of an active user. */
export async function readActiveWebhooks(db: Queryable): Promise<WebhookRow[]> {
  const text = `${WEBHOOK} where case when user_id is null then is_tenant_active(tenant_id)
                                 else is_user_active(tenant_id, user_id) end`;
  return (await db.query<WebhookRow>({ name: 'read-active-webhooks', text })).rows;
}

/** False if the tenant has reached the limit. */
export async function insertWebhook(
  app: pg.Pool,
  tenantId: number,
  webhook: Pick<WebhookRow, 'id' | 'url' | 'events' | 'description' | 'userId'> & { readonly createdBy: string },
  most: number,
): Promise<boolean> {
  const { id, url, events, description, userId, createdBy } = webhook;
  const rows = await queryAsTenant(app, tenantId, {
    text: `insert into webhook (id, tenant_id, url, events, description, user_id, created_by)
           select $2, $1::int, $3, $4, $5, $6, $7 where (select count(*) from webhook where tenant_id = $1) < $8
           returning id`,
    values: [tenantId, id, url, events, description, userId, createdBy, most],
  });
  return rows.length === 1;
}

export async function deleteWebhook(
  app: pg.Pool,
  tenantId: number,
  id: string,
  userId: string | undefined,
): Promise<boolean> {
  const rows = await queryAsTenant(app, tenantId, {
    text: 'delete from webhook where tenant_id = $1 and id = $2 and ($3::text is null or user_id = $3) returning id',
    values: [tenantId, id, userId ?? null],
  });
  return rows.length === 1;
}

export interface LastDelivery {
  readonly id: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly reason: string | null;
  readonly createdAt: number;
  readonly attemptedAt: number | null;
  readonly [column: string]: unknown;
}

export const readLastDeliveries = (app: pg.Pool, tenantId: number, webhookId: string): Promise<LastDelivery[]> =>
  queryAsTenant<LastDelivery>(app, tenantId, {
    text: `select id, state, attempts, detail as reason, created_at as "createdAt", attempted_at as "attemptedAt"
           from delivery where tenant_id = $1 and webhook_id = $2 order by created_at desc, id desc limit 20`,
    values: [tenantId, webhookId],
  });

export interface NewDelivery {
  readonly id: string;
  readonly webhook: WebhookRow;
  readonly notificationId: string | null;
  /** JSON text */
  readonly payload: string;
}

/** Existing deliveries are not changed. */
export async function insertDeliveries(tx: Queryable, list: readonly NewDelivery[], liveS: number): Promise<void> {
  if (list.length === 0) return;
  await tx.query({
    name: 'webhook-deliveries',
    text: `insert into delivery (id, tenant_id, notification_id, webhook_id, channel, address, payload, give_up_at)
           select d.id, w.tenant_id, d.notification, w.id, 'webhook', w.url, d.payload, now() + $5 * interval '1 second'
           from unnest($1::text[], $2::text[], $3::text[], $4::json[]) as d(id, webhook, notification, payload)
           join webhook w on w.id = d.webhook
           on conflict (id) do nothing`,
    values: [
      textArray(list.map(({ id }) => id)),
      textArray(list.map(({ webhook }) => webhook.id)),
      textArray(list.map(({ notificationId }) => notificationId)),
      jsonArray(list.map(({ payload }) => payload)),
      liveS,
    ],
  });
}
