import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../platform/log.ts';
import { isDatabaseAway, transaction } from '../platform/postgres/index.ts';
import type { Entry, Place } from './entry.ts';
import * as store from './store.ts';

export interface FollowerDeps {
  /** of the cursor: any number of processes may follow under one name, one at a time does */
  readonly name: string;
  readonly pool: pg.Pool;
  readonly log: Log;
  /** ms between two looks */
  readonly everyMs: number;
  /** entries at a time */
  readonly atOnce: number;
  /**
   * Does what the entries ask for within the transaction that moves the cursor: all of it happens, once, or nothing.
   * `before` is where the cursor stood: another process may have moved it meanwhile.
   */
  readonly handle: (tx: pg.PoolClient, entries: readonly Entry[], before: Place) => Promise<void>;
  /** beside entries: what is due by the clock, in the same turn */
  readonly alsoDue?: () => boolean;
}

export interface Follower {
  start(): void;
  stop(): Promise<void>;
  /** Follows to the end of what there is now. */
  run(): Promise<void>;
  /** s that the oldest unseen entry has waited */
  lag(): Promise<number>;
}

const LONGEST_PAUSE_MS = 5_000;

/** A look costs no transaction where there is nothing to do. */
async function alone(
  pool: pg.Pool,
  name: string,
  alsoDue: (() => boolean) | undefined,
  work: (tx: pg.PoolClient) => Promise<boolean>,
): Promise<boolean> {
  if (alsoDue?.() !== true && !(await store.hasNews(pool, name))) return false;
  return transaction(pool, work);
}

/** Reads the feed by a durable cursor. */
export function createFollower(deps: FollowerDeps): Follower {
  const { pool, name, atOnce, log } = deps;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  const round = (): Promise<boolean> =>
    alone(pool, name, deps.alsoDue, async (tx) => {
      const before = await store.lockCursor(tx, name);
      if (before === undefined) return false;
      const entries = await store.readEntries(tx, before, atOnce);
      const last = entries.at(-1);
      if (last === undefined && deps.alsoDue?.() !== true) return false;
      await deps.handle(tx, entries, before);
      if (last !== undefined) await store.moveCursor(tx, name, last);
      return entries.length === atOnce;
    });
  /** One round of this process at a time. */
  const inTurn = (): Promise<boolean> => {
    const mine = turn.then(round, round);
    turn = mine.catch(() => {});
    return mine;
  };
  const loop = async (): Promise<void> => {
    const { signal } = stopping;
    let failures = 0;
    while (!signal.aborted) {
      let isMore = false;
      try {
        isMore = await inTurn();
        failures = 0;
      } catch (error) {
        failures++;
        if (isDatabaseAway(error))
          log.warn({ reason: (error as Error).message, follower: name }, 'waits for the database');
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
      await turn;
    },
    async run() {
      while (await inTurn());
    },
    lag: () => store.readLag(pool, name),
  };
}
