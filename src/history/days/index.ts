import type pg from 'pg';
import { inTransaction } from '../transaction.ts';
import * as store from './store.ts';

export { hasFiledRows, listClosed, listDays, listPartitions, type PartOfDay } from './store.ts';

/**
 * A day whose narrow rows are a table of their own, while they are moved to files. The table is closed first: it takes no
 * more rows. Then each part enters its file, in which its rows are twice: readers see both as one. When all rows are in
 * files the table is emptied, which costs nothing by row. Each step is a transaction: whoever is killed goes on with the
 * parts that are left.
 */

/** Closes a day's table; its parts that are not in files. Undefined: its rows are not moved as a whole. */
export async function openDay(client: pg.Client, day: string): Promise<store.PartOfDay[] | undefined> {
  const wasClosed = await store.isClosed(client, day);
  // what is left of a day that has files is what came late: most of it is to stay for now, and would become wide again
  if (!wasClosed && (await store.hasFiles(client, day))) return undefined;
  const isClosed = await inTransaction(client, () => store.close(client, day));
  return isClosed ? store.listUnfiled(client, day) : undefined;
}

/**
 * Empties the table of a day whose rows are all in files. False: they are not, or somebody reads it. `rows`: as many as
 * it had when it was closed; if files have as many, they need not be counted again, since no part can have got more.
 */
export const emptyDay = (client: pg.Client, day: string, rows?: number): Promise<boolean> =>
  inTransaction(client, async () => {
    const isFiled = rows !== undefined && rows === (await store.countFiled(client, day));
    if (!isFiled && (await store.listUnfiled(client, day)).length > 0) return false;
    return store.empty(client, day);
  });

/** Empties those that could not be emptied before: somebody was reading them. */
export async function emptyClosed(client: pg.Client): Promise<void> {
  for (const day of await store.listClosed(client)) await emptyDay(client, day);
}
