import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../platform/log.ts';
import { transaction } from '../platform/postgres/index.ts';
import { trim } from './store.ts';

export interface FeedKeeper {
  start(): void;
  stop(): Promise<void>;
}

const EVERY_MS = 60_000;
/** a follower that has not come that far by then begins anew */
const AT_MOST_DAYS = 7;

/** Forgets what is old, a minute's worth at a time: a long transaction would hold up those who follow. */
export function createFeedKeeper(pool: pg.Pool, log: Log, keptMinutes: number): FeedKeeper {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const loop = async (): Promise<void> => {
    const { signal } = stopping;
    while (!signal.aborted) {
      await wait(EVERY_MS, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      await transaction(pool, (tx) => trim(tx, keptMinutes, AT_MOST_DAYS)).catch((error: Error) =>
        log.warn({ reason: error.message }, 'the feed was not trimmed'),
      );
    }
  };
  return {
    start() {
      running ??= loop();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
