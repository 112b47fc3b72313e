import type pg from 'pg';
import type { Log } from '../../../platform/log.ts';
import {
  createShardedFollower,
  type Entry,
  type Feed,
  type FeedPosition,
  type Follower,
  SHARDS,
  type Shards,
} from '../../ingest/feed/index.ts';

/** Keeps records of the fleet that follow from what devices report. */
export interface ReportReader {
  /** Takes positions in the order in which they were stored, in the transaction that moves the cursor. */
  take(tx: pg.PoolClient, positions: readonly FeedPosition[]): Promise<void>;
  /** Work by the clock, of all devices; called every few seconds by one process. */
  tick?(): Promise<void>;
}

interface ReportedDeps {
  readonly feed: Feed;
  readonly pool: pg.Pool;
  readonly log: Log;
  /** shards that this process works on; all unless given */
  readonly shards?: Shards | undefined;
  readonly monotonic: () => number;
  readonly readers: readonly ReportReader[];
}

/** name of the follower and of its cursors */
const REPORTED = 'reported';

const EVERY_MS = 500;
const AT_ONCE = 50;
const TICK_MS = 10_000;

/** Follows the positions of the feed for pairings by key and for counters: each position is read once for all. */
export function createReported({ feed, pool, log, shards, monotonic, readers }: ReportedDeps): Follower {
  return createShardedFollower({
    name: REPORTED,
    pool,
    log,
    everyMs: EVERY_MS,
    batchSize: AT_ONCE,
    shards,
    work(shard) {
      feed.expect(`${REPORTED}/${shard}`, true);
      const isMine = (deviceId: number): boolean => deviceId % SHARDS === shard;
      let tickedAt = Number.NEGATIVE_INFINITY;
      const isTickDue = (): boolean => shard === 0 && monotonic() - tickedAt >= TICK_MS;
      const handle = async (tx: pg.PoolClient, entries: readonly Entry[]): Promise<void> => {
        const positions: FeedPosition[] = [];
        for (const entry of entries) {
          if (entry.kind === 'positions') positions.push(...(await feed.positions(tx, entry, isMine)));
        }
        const sound = positions.filter(({ clockSuspect }) => clockSuspect !== true);
        if (sound.length > 0) for (const reader of readers) await reader.take(tx, sound);
        if (!isTickDue()) return;
        tickedAt = monotonic();
        for (const reader of readers) await reader.tick?.();
      };
      return { handle, kinds: () => ['positions'], alsoDue: isTickDue };
    },
  });
}
