import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Log } from '../../../platform/log.ts';
import {
  createShardedFollower,
  type Entry,
  type Feed,
  type Follower,
  type FollowerWork,
  type Place,
  SHARDS,
  type Shards,
} from '../../ingest/feed/index.ts';
import {
  createSource,
  type EventSource,
  idOf,
  type LiveEvent,
  readVehiclesOf,
  sees,
  type View,
  wants,
} from '../events/index.ts';
import * as store from './store.ts';

export interface RelayDeps {
  readonly feed: Feed;
  readonly ingest: pg.Pool;
  readonly app: pg.Pool;
  readonly log: Log;
  /** shards that this process works on; all unless given */
  readonly shards?: Shards | undefined;
}

const EVERY_MS = 500;
const AT_ONCE = 50;
/** events in one request */
const MAX_EVENTS = 500;
/** deliveries are retried for this many seconds */
const LIVE_S = 86_400;

interface Subscription {
  readonly row: store.WebhookRow;
  readonly view: View;
}

/**
 * Makes deliveries of events for the webhooks that subscribe to them, in the transaction that moves the cursor: each
 * is created exactly once, also after a crash.
 */
export function createRelay(deps: RelayDeps): Follower {
  const { ingest: pool, log, shards } = deps;
  return createShardedFollower({
    name: 'webhooks',
    pool,
    log,
    everyMs: EVERY_MS,
    batchSize: AT_ONCE,
    shards,
    work: (shard) => workOf(deps, shard),
  });
}

/** Each webhook belongs to one shard, so that its deliveries keep their order. */
const shardOf = (webhookId: string): number => createHash('sha256').update(webhookId).digest().readUInt32BE() % SHARDS;

function workOf({ feed, ingest, app }: RelayDeps, shard: number): FollowerWork {
  const source: EventSource = createSource({ feed, ingest, app });
  let subscriptions: readonly Subscription[] | undefined;
  let expected: Place | undefined;
  const isAlone = ({ xid, seq }: Place): boolean => expected?.xid === xid && expected.seq === seq;
  const handle = async (tx: pg.PoolClient, entries: readonly Entry[], before: Place, to: Place): Promise<void> => {
    if (!isAlone(before) || entries.some(({ kind }) => kind === 'rules')) {
      subscriptions = undefined;
      source.forget();
    }
    subscriptions ??= (await readSubscriptions(tx)).filter(({ row }) => shardOf(row.id) === shard);
    const known = subscriptions;
    const hasPositions = known.some(({ view }) => view.types.has('position'));
    feed.expect(`webhooks/${shard}`, hasPositions);
    const deliveries: store.NewDelivery[] = [];
    for (const entry of known.length === 0 ? [] : entries) {
      const wanted = known.filter(({ view }) => entry.kind !== 'positions' || view.types.has('position'));
      if (wanted.length === 0) continue;
      const events = await source.eventsOf(entry, (device) => wanted.some(({ view }) => sees(view, device)));
      for (const subscription of wanted) {
        const mine = events.filter((event) => wants(subscription.view, event));
        deliveries.push(...deliveriesOf(subscription.row, entry, mine));
      }
    }
    await store.insertDeliveries(tx, deliveries, LIVE_S);
    expected = to;
  };
  const kinds = (before: Place): readonly Entry['kind'][] | undefined =>
    subscriptions?.length === 0 && isAlone(before) ? [] : undefined;
  return { handle, kinds };
}

async function readSubscriptions(tx: pg.PoolClient): Promise<Subscription[]> {
  const rows = await store.readActiveWebhooks(tx);
  const vehicles = await readVehiclesOf(tx, [...new Set(rows.flatMap(({ userId }) => userId ?? []))]);
  return rows.map((row) => ({
    row,
    view: {
      tenantId: row.tenantId,
      userId: row.userId ?? undefined,
      types: new Set(row.events),
      vehicles: row.userId === null ? 'all' : (vehicles.get(row.userId) ?? new Set()),
      only: undefined,
    },
  }));
}

/** Messages are delivered one by one, so that each has its own delivery state; other events are batched. */
function deliveriesOf(webhook: store.WebhookRow, entry: Place, events: readonly LiveEvent[]): store.NewDelivery[] {
  const size = events[0]?.type === 'notification' ? 1 : MAX_EVENTS;
  return Array.from({ length: Math.ceil(events.length / size) }, (_, n) => {
    const part = events.slice(n * size, (n + 1) * size);
    const first = part[0]!;
    const texts = part.map(
      (event) => `{"id":"${idOf(event, event.token)}","event":"${event.type}","data":${event.data()}}`,
    );
    return {
      id: `dlv_${createHash('sha256').update(`${webhook.id} ${entry.xid} ${entry.seq} ${n}`).digest('base64url').slice(0, 22)}`,
      webhook,
      notificationId: first.type === 'notification' ? first.token : null,
      payload: `{"webhookId":"${webhook.id}","events":[${texts.join(',')}]}`,
    };
  });
}
