import type pg from 'pg';
import { formatTimestamp, queryAsTenant } from '../../database/index.ts';

/** What the text of a message says, for programs. */
export interface Details {
  readonly geofence: { readonly id: string; readonly name: string } | null;
  readonly value: number | null;
  readonly unit: string | null;
  readonly driver: { readonly id: string; readonly name: string } | null;
  readonly place: string | null;
  readonly mapUrl: string | null;
  readonly detail: string | null;
}

/** A message with what became of its deliveries. Times are epoch ms. */
export interface NotificationRow {
  readonly id: string;
  readonly ruleId: string | null;
  readonly userId: string;
  readonly kind: 'alarm' | 'moved' | 'withdrawn';
  readonly type: string;
  readonly priority: string;
  readonly title: string;
  readonly body: string;
  readonly targa: string | null;
  readonly imei: string | null;
  readonly position: Readonly<Record<string, unknown>> | null;
  /** null: made by an earlier version */
  readonly details: Details | null;
  readonly occurredAt: number;
  readonly createdAt: number;
  readonly readAt: number | null;
  readonly acknowledgedAt: number | null;
  readonly corrects: string | null;
  readonly delivery: readonly {
    readonly channel: 'email' | 'webhook' | 'web_push' | 'fcm';
    readonly state: 'pending' | 'delivered' | 'failed' | 'skipped';
    /** epoch ms */
    readonly at: number;
    readonly attempts: number;
    readonly reason: string | null;
  }[];
  readonly [column: string]: unknown;
}

export interface NotificationQuery {
  readonly userId?: string | undefined;
  readonly ids?: readonly string[];
  /** epoch ms; `to` itself is outside */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly type?: string | undefined;
  readonly priorities?: readonly string[] | undefined;
  readonly unread?: boolean | undefined;
  /** older than this one */
  readonly after?: { readonly at: number; readonly id: string } | undefined;
  readonly limit: number;
}

/** Newest first, by when it happened. */
export function readNotifications(
  app: pg.Pool,
  tenantId: number,
  query: NotificationQuery,
): Promise<NotificationRow[]> {
  const time = (epochMs: number | undefined): string | null =>
    epochMs === undefined ? null : formatTimestamp(epochMs);
  return queryAsTenant<NotificationRow>(app, tenantId, {
    name: 'read-notifications',
    text: `
      select n.id, n.rule_id as "ruleId", n.user_id as "userId", n.kind, n.type, n.priority, n.title, n.body, n.targa, n.imei,
             n.position, n.details, n.occurred_at as "occurredAt", n.created_at as "createdAt", n.read_at as "readAt",
             n.acknowledged_at as "acknowledgedAt", n.corrects,
             coalesce((select jsonb_agg(jsonb_build_object(
                 'channel', d.channel, 'state', d.state, 'attempts', d.attempts, 'reason', d.detail,
                 'at', (extract(epoch from coalesce(d.ended_at, d.attempted_at, d.created_at)) * 1000)::bigint)
                 order by d.channel, d.id)
               from delivery d where d.notification_id = n.id), '[]') as delivery
      from notification n
      where n.tenant_id = $1 and ($2::text is null or n.user_id = $2) and ($3::text[] is null or n.id = any($3))
        and ($4::timestamptz is null or n.occurred_at >= $4) and ($5::timestamptz is null or n.occurred_at < $5)
        and ($6::text is null or n.type = $6) and ($7::text[] is null or n.priority = any($7))
        and ($8::boolean is null or (n.read_at is null) = $8)
        and ($9::timestamptz is null or (n.occurred_at, n.id) < ($9, $10))
      order by n.occurred_at desc, n.id desc limit $11`,
    values: [
      tenantId,
      query.userId ?? null,
      query.ids ?? null,
      time(query.from),
      time(query.to),
      query.type ?? null,
      query.priorities ?? null,
      query.unread ?? null,
      time(query.after?.at),
      query.after?.id ?? null,
      query.limit,
    ],
  });
}

export interface Counts {
  /** new since the badge was reset, and not read */
  readonly badge: number;
  readonly unread: number;
  readonly [column: string]: unknown;
}

/** Of a user; `unread` within the interval where one is given. */
export async function countNotifications(
  app: pg.Pool,
  tenantId: number,
  userId: string,
  within?: { readonly from: number; readonly to: number },
): Promise<Counts> {
  const rows = await queryAsTenant<Counts>(app, tenantId, {
    name: 'count-notifications',
    text: `
      select count(*) filter (where n.created_at > coalesce(b.reset_at, '-infinity'))::int as badge,
             count(*) filter (where $3::timestamptz is null or (n.occurred_at >= $3 and n.occurred_at < $4))::int as unread
      from notification n left join notification_badge b on b.user_id = n.user_id
      where n.tenant_id = $1 and n.user_id = $2 and n.read_at is null`,
    values: [
      tenantId,
      userId,
      within === undefined ? null : formatTimestamp(within.from),
      within === undefined ? null : formatTimestamp(within.to),
    ],
  });
  return rows[0]!;
}

/** When that was, epoch ms. */
export async function resetBadge(app: pg.Pool, tenantId: number, userId: string): Promise<number> {
  const rows = await queryAsTenant<{ at: number }>(app, tenantId, {
    text: `insert into notification_badge (user_id, tenant_id, reset_at) values ($2, $1, clock_timestamp())
           on conflict (user_id) do update set reset_at = excluded.reset_at returning reset_at as at`,
    values: [tenantId, userId],
  });
  return rows[0]!.at;
}

/** Marks messages of a user as read. How many were not. */
export async function markRead(
  app: pg.Pool,
  tenantId: number,
  userId: string,
  ids: readonly string[],
  isAcknowledged = false,
): Promise<number> {
  const rows = await queryAsTenant(app, tenantId, {
    text: `update notification set read_at = coalesce(read_at, now()),
                  acknowledged_at = case when $4 then coalesce(acknowledged_at, now()) else acknowledged_at end
           where tenant_id = $1 and user_id = $2 and id = any($3) and (read_at is null or $4) returning id`,
    values: [tenantId, userId, ids, isAcknowledged],
  });
  return rows.length;
}

/** Ids of those that were there. `userId` undefined: of every user of the tenant. */
export async function deleteNotifications(
  app: pg.Pool,
  tenantId: number,
  ids: readonly string[],
  userId: string | undefined,
): Promise<string[]> {
  const rows = await queryAsTenant<{ id: string }>(app, tenantId, {
    text: `delete from notification where tenant_id = $1 and id = any($2) and ($3::text is null or user_id = $3)
           returning id`,
    values: [tenantId, ids, userId ?? null],
  });
  return rows.map(({ id }) => id);
}
