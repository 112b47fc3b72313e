import type { Queryable } from '../platform/postgres/index.ts';
import type { FedPosition, Place } from './entry.ts';
import { packKeys, unpackKeys } from './keys.ts';
import { createRecent } from './recent.ts';
import * as store from './store.ts';

export { type CommandStep, compare, type Entry, type FedPosition, type Place, type SessionStep } from './entry.ts';
export { createFollower, type Follower, type FollowerDeps } from './follower.ts';
export { createFeedKeeper, type FeedKeeper } from './keeper.ts';
export { appendDetail, readEntries, readFloor, readHead } from './store.ts';

/** What has happened, in an order that does not change any more: see docs/adr/0016. */
export interface Feed {
  /** Enters stored positions in the transaction that stores them. */
  append(tx: Queryable, rows: readonly FedPosition[]): Promise<void>;
  /** Positions of an entry, of the devices that are wanted, in the order in which they were stored. */
  positions(db: Queryable, entry: Place, isWanted: (deviceId: number) => boolean): Promise<readonly FedPosition[]>;
  /** Calls back, at once, when something was entered here that is not committed yet; returns how to stop. */
  onAppend(heard: () => void): () => void;
}

/** Rows that are kept at hand for the followers of this process: a second of a busy one. */
const RECENT_ROWS = 40_000;

export function createFeed(): Feed {
  const recent = createRecent(RECENT_ROWS);
  const listeners = new Set<() => void>();
  return {
    async append(tx, rows) {
      if (rows.length === 0) return;
      recent.put(await store.appendPositions(tx, packKeys(rows)), rows);
      for (const heard of listeners) heard();
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
    onAppend(heard) {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
  };
}
