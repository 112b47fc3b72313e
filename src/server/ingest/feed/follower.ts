import type pg from 'pg';
import type { Log } from '../../../platform/log.ts';
import type { PollLoop } from '../../../platform/poll-loop.ts';
import { transaction } from '../../database/index.ts';
import type { Entry, Place } from './entry.ts';
import * as store from './store.ts';

/** What is done with entries. */
export interface FollowerWork {
  /**
   * Processes entries within the transaction that moves the cursor, from `before` to `to`: exactly once. Another process
   * may have moved the cursor since the last call. `to` is `before` where the cursor is not moved. True: there is more
   * to do, besides entries.
   */
  readonly handle: (tx: pg.PoolClient, entries: readonly Entry[], before: Place, to: Place) => Promise<unknown>;
  /**
   * Kinds of entries that have to be read from `before` on, until the next entry of kind `rules`; the others are passed
   * over. undefined: all kinds.
   */
  readonly kinds?: (before: Place) => readonly Entry['kind'][] | undefined;
  /** work that is due by the clock, besides entries */
  readonly alsoDue?: () => boolean;
}

export interface FollowerDeps extends FollowerWork {
  /** name of the cursor: any number of processes may use it, one at a time holds it */
  readonly name: string;
  readonly pool: pg.Pool;
  readonly log: Log;
  /** ms between two polls */
  readonly everyMs: number;
  /** entries per round */
  readonly batchSize: number;
}

/** `run` processes all entries that are there now. */
export interface Follower extends Pick<PollLoop, 'start' | 'stop' | 'run'> {
  /** age of the oldest unseen entry, s */
  lag(): Promise<number>;
}

/** Where rules or what depends on them have changed, other kinds may be wanted from there on: all are read. */
async function readNext(
  tx: pg.PoolClient,
  before: Place,
  limit: number,
  kinds: readonly Entry['kind'][] | undefined,
): Promise<store.Stretch> {
  if (kinds !== undefined) {
    const some = await store.readStretch(tx, before, limit, [...kinds, 'rules']);
    if (!some.entries.some(({ kind }) => kind === 'rules')) return some;
  }
  const entries = await store.readEntries(tx, before, limit);
  return { entries, to: entries.at(-1) };
}

/** One round of a follower with a backlog. True if there is more. */
export function roundOf(deps: Omit<FollowerDeps, 'everyMs' | 'log'>): () => Promise<boolean> {
  const { pool, name, batchSize } = deps;
  return () =>
    transaction(pool, async (tx) => {
      const before = await store.lockCursor(tx, name);
      if (before === undefined) return false;
      const { entries, to = before } = await readNext(tx, before, batchSize, deps.kinds?.(before));
      if (to === before && deps.alsoDue?.() !== true) return false;
      const isMore = await deps.handle(tx, entries, before, to);
      if (to !== before) await store.moveCursor(tx, name, to);
      return entries.length === batchSize || isMore === true;
    });
}
