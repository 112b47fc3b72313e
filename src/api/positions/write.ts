import type { Feed } from '../../feed/index.ts';
import type { Queryable } from '../../platform/postgres/index.ts';
import { allSent, type Manner } from '../../platform/postgres/index.ts';
import { newestOf } from './newest.ts';
import type { PositionRow } from './row.ts';
import { insertPositions, upsertNewest } from './store.ts';

/**
 * Stores records, brings the newest positions up to date and enters what is new in the feed, in the caller's
 * transaction. Number of new rows.
 */
export async function writePositions(
  tx: Queryable,
  rows: readonly PositionRow[],
  now: number,
  manner: Manner,
  feed?: Feed,
): Promise<number> {
  if (rows.length === 0) return 0;
  const newest = newestOf(rows, now);
  const inserted = insertPositions(tx, rows, manner);
  await allSent([
    inserted,
    ...(newest.length === 0 ? [] : [upsertNewest(tx, newest)]),
    ...(feed === undefined || manner === 'careful' ? [] : [feed.append(tx, rows)]),
  ]);
  const fresh = await inserted;
  if (manner === 'careful') await feed?.append(tx, fresh);
  return fresh.length;
}
