import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../platform/log.ts';
import { transaction } from '../platform/postgres/index.ts';
import { trim } from './store.ts';

export interface FeedRetention {
  start(): void;
  stop(): Promise<void>;
}

const EVERY_MS = 60_000;
/** a follower that is further behind restarts at the head */
const MAX_DAYS = 7;

/** Retention job: deletes old entries each minute. A long transaction would hold up the followers. */
export function createFeedRetention(pool: pg.Pool, log: Log, keptMinutes: number): FeedRetention {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const loop = async (): Promise<void> => {
    const { signal } = stopping;
    while (!signal.aborted) {
      await wait(EVERY_MS, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      await transaction(pool, (tx) => trim(tx, keptMinutes, MAX_DAYS)).catch((error: Error) =>
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
