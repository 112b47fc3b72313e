import type { Queryable } from '../../platform/postgres/index.ts';
import { allSent, type Manner } from '../../platform/postgres/index.ts';
import { newestOf } from './newest.ts';
import type { PositionRow } from './row.ts';
import { insertPositions, upsertNewest } from './store.ts';

/** Stores records and brings the newest positions up to date, in the caller's transaction. Number of new rows. */
export async function writePositions(
  tx: Queryable,
  rows: readonly PositionRow[],
  now: number,
  manner: Manner,
): Promise<number> {
  if (rows.length === 0) return 0;
  const newest = newestOf(rows, now);
  const inserted = insertPositions(tx, rows, manner);
  await allSent(newest.length === 0 ? [inserted] : [inserted, upsertNewest(tx, newest)]);
  return inserted;
}
