import { type Queryable, textArray } from '../../database/index.ts';
import type { Channel, Delivery } from './delivery.ts';

export interface UnqueuedDelivery {
  readonly id: string;
  readonly tenantId: number;
  readonly channel: Channel;
  readonly address: string;
  /** it has waited for a long time: its job in the queue may be finished already */
  readonly isOld: boolean;
}

/** Deliveries that are not queued, or whose queue entry is due for a check; oldest first. */
export async function readUnqueued(
  pool: Queryable,
  channels: readonly Channel[],
  limit: number,
): Promise<UnqueuedDelivery[]> {
  const { rows } = await pool.query<UnqueuedDelivery>({
    name: 'deliveries-unqueued',
    text: `select id, tenant_id as "tenantId", channel, address, created_at < now() - interval '1 minute' as "isOld"
           from delivery where state = 'pending' and is_tenant_active(tenant_id) and tell_at <= now() and channel = any($1::text[])
           order by tell_at limit $2`,
    values: [textArray(channels), limit],
  });
  return rows;
}

/** Marks deliveries as queued, to be checked again after `recheckS`. */
export async function markQueued(pool: Queryable, ids: readonly string[], recheckS: number): Promise<void> {
  await pool.query({
    name: 'deliveries-queued',
    text: `update delivery set tell_at = now() + $2 * interval '1 second' where id = any($1::text[])`,
    values: [textArray(ids), recheckS],
  });
}

/** A delivery that is still pending, of a tenant that is not switched off. */
export async function findPending(pool: Queryable, id: string): Promise<Delivery | undefined> {
  const { rows } = await pool.query<Delivery>({
    name: 'delivery-find',
    text: `select id, tenant_id as "tenantId", channel, address, payload, attempts, created_at as "createdAt",
                  give_up_at as "giveUpAt"
           from delivery where id = $1 and state = 'pending' and is_tenant_active(tenant_id)`,
    values: [id],
  });
  return rows[0];
}

/** Records a failed attempt, and when the queue tries again. */
export async function notePause(pool: Queryable, id: string, reason: string, pauseS: number): Promise<void> {
  await pool.query({
    name: 'delivery-pause',
    text: `update delivery set attempts = attempts + 1, attempted_at = now(), detail = $2,
                  tell_at = now() + ($3 + 60) * interval '1 second'
           where id = $1 and state = 'pending'`,
    values: [id, reason, pauseS],
  });
}

/** Ends a delivery. `isGone`: the push target of a browser or an app is deleted. */
export async function endDelivery(
  pool: Queryable,
  id: string,
  end: { readonly state: 'delivered' | 'failed'; readonly detail: string; readonly isGone: boolean },
): Promise<void> {
  await pool.query({
    name: 'delivery-end',
    text: `with ended as (
             update delivery set state = $2, detail = $3, attempts = attempts + 1, attempted_at = now(), ended_at = now()
             where id = $1 and state = 'pending' returning push_target_id)
           delete from push_target where $4 and id = (select push_target_id from ended)`,
    values: [id, end.state, end.detail, end.isGone],
  });
}

export interface DeliveryCount {
  readonly channel: Channel;
  readonly state: string;
  readonly count: number;
}

/** Of the last day. */
export async function countDeliveries(pool: Queryable): Promise<DeliveryCount[]> {
  const { rows } = await pool.query<DeliveryCount>(
    `select channel, state, count(*)::int as count from delivery
     where state = 'pending' or ended_at > now() - interval '1 day' group by 1, 2`,
  );
  return rows;
}
