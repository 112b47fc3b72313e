import type pg from 'pg';
import type { Log } from '../../../platform/log.ts';
import { createPollLoop, type PollLoop } from '../../../platform/poll-loop.ts';
import { transaction } from '../../database/index.ts';
import { trim } from './store.ts';

export type FeedRetention = Pick<PollLoop, 'start' | 'stop'>;

const EVERY_MS = 60_000;
/** older entries are deleted unread; a follower that is further behind continues with the oldest kept entry */
const MAX_DAYS = 7;

/** Retention job: deletes old entries each minute. A long transaction would hold up the followers. */
export function createFeedRetention(pool: pg.Pool, log: Log, keptMinutes: number): FeedRetention {
  return createPollLoop({
    everyMs: EVERY_MS,
    firstAfterMs: EVERY_MS,
    async round() {
      await transaction(pool, (tx) => trim(tx, keptMinutes, MAX_DAYS));
      return false;
    },
    onError: (error) => log.warn({ reason: error.message }, 'the feed was not trimmed'),
  });
}
