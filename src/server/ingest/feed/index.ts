import type { Queryable } from '../../database/index.ts';
import type { FeedPosition, Place } from './entry.ts';
import { unpackKeys } from './keys.ts';
import { createRecent } from './recent.ts';
import * as store from './store.ts';

export {
  type CommandStep,
  compare,
  type Entry,
  type FeedPosition,
  type Place,
  type SessionStep,
} from './entry.ts';
export type { Follower, FollowerWork } from './follower.ts';
export { packKeys } from './keys.ts';
export { createFeedRetention } from './retention.ts';
export { createShardedFollower, createShardLeases, SHARDS, type Shards, shardNames } from './shards.ts';
export {
  appendDetail,
  listBehind,
  readBacklogs,
  readCursor,
  readEnd,
  readEntries,
  readFloor,
  readHead,
} from './store.ts';

/** An ordered, append-only log of events: see docs/adr/0012. */
export interface Feed {
  /** Appends stored positions, in the transaction that stores them. */
  append(tx: Queryable, stored: Stored): Promise<void>;
  /** Positions of an entry, filtered by device, in the order in which they were stored. */
  positions(db: Queryable, entry: Place, isWanted: (deviceId: number) => boolean): Promise<readonly FeedPosition[]>;
  /** Declares whether a follower of this process reads positions: without one they are not cached. */
  expect(follower: string, isWanted: boolean): void;
}

/** Positions that are being stored. */
export interface Stored {
  readonly count: number;
  /** their keys, encoded by packKeys */
  keys(): Buffer;
  rows(): readonly FeedPosition[];
}

/** Rows cached for the followers of this process: about a second of a busy server. */
const RECENT_ROWS = 40_000;

export function createFeed(): Feed {
  const recent = createRecent(RECENT_ROWS);
  const followers = new Set<string>();
  return {
    async append(tx, stored) {
      if (stored.count === 0) return;
      const seq = await store.appendPositions(tx, stored.keys());
      if (followers.size > 0) recent.put(seq, stored);
    },
    async positions(db, entry, isWanted) {
      const rows = recent.get(entry.seq);
      if (rows !== undefined) return rows.filter(({ deviceId }) => isWanted(deviceId));
      const keys = await store.readKeys(db, entry);
      return keys === undefined
        ? []
        : store.readPositions(
            db,
            unpackKeys(keys).filter(({ deviceId }) => isWanted(deviceId)),
          );
    },
    expect(follower, isWanted) {
      if (isWanted) followers.add(follower);
      else followers.delete(follower);
    },
  };
}
