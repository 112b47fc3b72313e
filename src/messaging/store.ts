import { type Queryable, textArray } from '../platform/postgres/index.ts';
import type { Channel, Delivery } from './delivery.ts';

export interface Untold {
  readonly id: string;
  readonly tenantId: number;
  readonly channel: Channel;
  readonly address: string;
  /** it has waited for long: what the queue holds of it may be over */
  readonly isOld: boolean;
}

/** Deliveries that the queue has not been told of, or not for long; oldest first. */
export async function readUntold(pool: Queryable, channels: readonly Channel[], limit: number): Promise<Untold[]> {
  const { rows } = await pool.query<Untold>({
    name: 'deliveries-untold',
    text: `select id, tenant_id as "tenantId", channel, address, created_at < now() - interval '1 minute' as "isOld"
           from delivery where state = 'pending' and tell_at <= now() and channel = any($1::text[])
           order by tell_at limit $2`,
    values: [textArray(channels), limit],
  });
  return rows;
}

/** The queue has them: it is looked again when it must have tried. */
export async function markTold(pool: Queryable, ids: readonly string[], againS: number): Promise<void> {
  await pool.query({
    name: 'deliveries-told',
    text: `update delivery set tell_at = now() + $2 * interval '1 second' where id = any($1::text[])`,
    values: [textArray(ids), againS],
  });
}

/** One that is still to be delivered. */
export async function findPending(pool: Queryable, id: string): Promise<Delivery | undefined> {
  const { rows } = await pool.query<Delivery>({
    name: 'delivery-find',
    text: `select id, tenant_id as "tenantId", channel, address, payload, attempts, created_at as "createdAt",
                  give_up_at as "giveUpAt"
           from delivery where id = $1 and state = 'pending'`,
    values: [id],
  });
  return rows[0];
}

/** An attempt that failed, and how long the queue pauses. */
export async function notePause(pool: Queryable, id: string, reason: string, pauseS: number): Promise<void> {
  await pool.query({
    name: 'delivery-pause',
    text: `update delivery set attempts = attempts + 1, attempted_at = now(), detail = $2,
                  tell_at = now() + ($3 + 60) * interval '1 second'
           where id = $1 and state = 'pending'`,
    values: [id, reason, pauseS],
  });
}

/** The last word on it. `isGone`: its address is forgotten, where it is a browser's or an app's. */
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
