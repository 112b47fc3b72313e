import type pg from 'pg';
import { DAY_MS } from '../../../platform/durations.ts';
import { dayOf, monthOf } from '../../database/index.ts';
import { makePartition } from './positions/store.ts';

/** Times beyond these go to the default partition: a broken clock must not make a thousand tables. */
const MONTHS_BACK_MS = 3 * 366 * DAY_MS;
const AHEAD_MS = 40 * DAY_MS;
const DAYS_BACK_MS = 40 * DAY_MS;

export interface Partitions {
  /** Makes the partitions that rows of these times (epoch ms) belong to, before the transaction that writes them. */
  ensure(times: ArrayLike<number>): Promise<void>;
}

/** Months of `position` or days of `timeline`, made on demand and a little ahead. */
export function createPartitions(pool: pg.Pool, parent: 'position' | 'timeline', now: () => number): Partitions {
  const rangeOf = parent === 'position' ? monthOf : dayOf;
  const backMs = parent === 'position' ? MONTHS_BACK_MS : DAYS_BACK_MS;
  const made = new Set<string>();
  // bounds of the partition that was met last: nearly all rows fall into it
  let first = 0;
  let next = 0;
  const make = async (time: number): Promise<void> => {
    const range = rangeOf(time);
    if (!made.has(range.name)) {
      await makePartition(pool, parent, range);
      made.add(range.name);
    }
    first = range.first;
    next = range.next;
  };
  return {
    async ensure(times) {
      const at = now();
      for (let index = 0; index < times.length; index++) {
        const time = times[index]!;
        if (time >= first && time < next) continue;
        if (time < at - backMs || time > at + AHEAD_MS) continue;
        await make(time);
      }
      // the next one is there before anyone needs it
      if (times.length > 0 && at + (next - first) / 10 >= next && at < next) await make(next);
    },
  };
}
