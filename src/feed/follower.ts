import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../platform/log.ts';
import { isDatabaseAway, transaction } from '../platform/postgres/index.ts';
import type { Entry, Place } from './entry.ts';
import * as store from './store.ts';

export interface FollowerDeps {
  /** name of the cursor: any number of processes may use it, one at a time holds it */
  readonly name: string;
  readonly pool: pg.Pool;
  readonly log: Log;
  /** ms between two polls */
  readonly everyMs: number;
  /** entries per round */
  readonly batchSize: number;
  /**
   * Processes entries within the transaction that moves the cursor: exactly once. `before` is the cursor's position:
   * another process may have moved it meanwhile.
   */
  readonly handle: (tx: pg.PoolClient, entries: readonly Entry[], before: Place) => Promise<void>;
  /** work that is due by the clock, besides entries */
  readonly alsoDue?: () => boolean;
}

export interface Follower {
  start(): void;
  stop(): Promise<void>;
  /** Processes all entries that are there now. */
  run(): Promise<void>;
  /** age of the oldest unseen entry, s */
  lag(): Promise<number>;
}

const LONGEST_PAUSE_MS = 5_000;

/** Opens no transaction where there is nothing to do. */
async function runIfDue(
  pool: pg.Pool,
  name: string,
  alsoDue: (() => boolean) | undefined,
  work: (tx: pg.PoolClient) => Promise<boolean>,
): Promise<boolean> {
  if (alsoDue?.() !== true && !(await store.hasNews(pool, name))) return false;
  return transaction(pool, work);
}

/** Reads the feed from a durable cursor. */
export function createFollower(deps: FollowerDeps): Follower {
  const { pool, name, batchSize, log } = deps;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let lastRound: Promise<unknown> = Promise.resolve();

  const round = (): Promise<boolean> =>
    runIfDue(pool, name, deps.alsoDue, async (tx) => {
      const before = await store.lockCursor(tx, name);
      if (before === undefined) return false;
      const entries = await store.readEntries(tx, before, batchSize);
      const last = entries.at(-1);
      if (last === undefined && deps.alsoDue?.() !== true) return false;
      await deps.handle(tx, entries, before);
      if (last !== undefined) await store.moveCursor(tx, name, last);
      return entries.length === batchSize;
    });
  /** One round of this process at a time. */
  const runSerially = (): Promise<boolean> => {
    const mine = lastRound.then(round, round);
    lastRound = mine.catch(() => {});
    return mine;
  };
  const loop = async (): Promise<void> => {
    const { signal } = stopping;
    let failures = 0;
    while (!signal.aborted) {
      let isMore = false;
      try {
        isMore = await runSerially();
        failures = 0;
      } catch (error) {
        failures++;
        if (isDatabaseAway(error))
          log.warn({ reason: (error as Error).message, follower: name }, 'waiting for the database');
        else log.error({ err: error, follower: name }, 'a round of the feed failed');
      }
      const pauseMs = isMore ? 0 : Math.min(deps.everyMs * 2 ** Math.min(failures, 8), LONGEST_PAUSE_MS);
      await wait(pauseMs, undefined, { signal }).catch(() => {});
    }
  };
  return {
    start() {
      running ??= loop();
    },
    async stop() {
      stopping.abort();
      await running;
      await lastRound;
    },
    async run() {
      while (await runSerially());
    },
    lag: () => store.readLag(pool, name),
  };
}
