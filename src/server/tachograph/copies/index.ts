import type pg from 'pg';
import { DAY_MS } from '../../../platform/durations.ts';
import { transaction } from '../../database/index.ts';
import * as store from './store.ts';

/** A copy is kept that long after it was archived: a device may repeat a piece. */
const KEPT_MS = DAY_MS;
/** a transaction reads all bytes of its copies */
const COPIES = 20;
const UNUSABLE = 1_000;

/**
 * Removes what devices have sent of tachograph files: copies of archived files after a day, and after `fileDays` (0: never)
 * what the archive could not take. A file that the archive has not read yet stays. Number of files. `now` is epoch ms.
 */
export async function forgetCopies(pool: pg.Pool, fileDays: number, now: number): Promise<number> {
  let removed = 0;
  for (let after: string | undefined = '0'; after !== undefined; ) {
    const query: store.CopyQuery = { after, before: now - KEPT_MS, limit: COPIES };
    after = await transaction(pool, async (tx) => {
      const ids = await store.lockCopies(tx, query);
      if (ids.length > 0) removed += await store.removeCopies(tx, ids);
      return ids.at(-1);
    });
  }
  if (fileDays === 0) return removed;
  for (let count = UNUSABLE; count === UNUSABLE; removed += count) {
    count = await transaction(pool, (tx) => store.removeUnusable(tx, now - fileDays * DAY_MS, UNUSABLE));
  }
  return removed;
}
