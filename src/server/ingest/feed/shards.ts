import type pg from 'pg';
import type { Log } from '../../../platform/log.ts';
import { createPollLoop } from '../../../platform/poll-loop.ts';
import { isDatabaseAway } from '../../database/index.ts';
import { type Follower, type FollowerDeps, type FollowerWork, roundOf } from './follower.ts';
import * as store from './store.ts';

/** Parts of a follower's work, in every process the same number: it is part of what is stored. */
export const SHARDS = 4;

/** between two polls of a follower with nothing to do */
const MAX_PAUSE_MS = 5_000;

/** Which shards this process works on. */
export interface Shards {
  /** Names of the shards of a follower that are held now. */
  held(follower: string): readonly string[];
}

export interface ShardedFollowerDeps extends Pick<FollowerDeps, 'name' | 'pool' | 'log' | 'everyMs' | 'batchSize'> {
  /** without it this process works on all shards */
  readonly shards?: Shards | undefined;
  /** Called once for each shard, whose number it is given. Entries come to all shards: each one takes what belongs to it. */
  readonly work: (shard: number) => FollowerWork;
}

export const shardNames = (follower: string): readonly string[] =>
  Array.from({ length: SHARDS }, (_, n) => `${follower}/${n}`);

/** A follower that several processes share: each shard has a durable cursor, and is worked on by one process at a time. */
export function createShardedFollower(deps: ShardedFollowerDeps): Follower {
  const { name, pool, log, everyMs, shards, work } = deps;
  const names = shardNames(name);
  const parts = new Map(
    names.map((shard, n) => {
      const own = work(n);
      return [shard, { ...own, round: roundOf({ ...deps, ...own, name: shard }) }];
    }),
  );
  const round = async (): Promise<boolean> => {
    const held = shards?.held(name) ?? names;
    const news = new Set(held.length === 0 ? [] : await store.listWithNews(pool, held));
    let isMore = false;
    for (const shard of held) {
      const part = parts.get(shard)!;
      if (!news.has(shard) && part.alsoDue?.() !== true) continue;
      isMore = (await part.round()) || isMore;
    }
    return isMore;
  };
  const loop = createPollLoop({
    round,
    everyMs,
    longestPauseMs: MAX_PAUSE_MS,
    onError(error) {
      if (isDatabaseAway(error)) log.warn({ reason: error.message, follower: name }, 'waiting for the database');
      else log.error({ err: error, follower: name }, 'a round of the feed failed');
    },
  });
  return {
    ...loop,
    lag: async () => Math.max(...(await Promise.all(names.map((shard) => store.readLag(pool, shard))))),
  };
}

export interface ShardLeasesDeps {
  readonly pool: pg.Pool;
  readonly log: Log;
  /** this process and the others */
  readonly peers: { readonly id: string; count(): number };
  readonly followers: readonly string[];
  /** ms for which a shard is held; renewed, and others asked for, six times as often */
  readonly leaseMs?: number;
}

/** with the time until it is noticed below the 10 s within which another process takes over */
const LEASE_MS = 6_000;

/**
 * Leases of shards: each process holds its share of those of each follower. Those of a process that ends are free at
 * once, those of one that dies when the lease is over. They keep what processes have in memory of a shard useful, and decide
 * nothing else: the lock on the cursor is what excludes other processes.
 */
export function createShardLeases(
  deps: ShardLeasesDeps,
): Shards & { start(): void; run(): Promise<void>; stop(): Promise<void> } {
  const { pool, log, peers, followers, leaseMs = LEASE_MS } = deps;
  const held = new Map<string, readonly string[]>();
  let isPrepared = false;
  const loop = createPollLoop({
    everyMs: leaseMs / 6,
    async round() {
      if (!isPrepared) {
        await store.prepareShards(pool, followers.flatMap(shardNames));
        // of versions in which a follower had one cursor
        await store.retireCursors(pool, followers);
        isPrepared = true;
      }
      const most = Math.ceil(SHARDS / (peers.count() + 1));
      for (const follower of followers) {
        const names = shardNames(follower);
        held.set(follower, await store.holdShards(pool, { owner: peers.id, names, leaseMs, most }));
      }
      return false;
    },
    onError(error, failures) {
      if (failures === 1) log.warn({ reason: error.message }, 'shards wait for the database');
    },
  });
  return {
    held: (follower) => held.get(follower) ?? [],
    start: () => loop.start(),
    run: () => loop.run(),
    async stop() {
      await loop.stop();
      held.clear();
      await store.releaseShards(pool, peers.id).catch(() => {});
    },
  };
}
