import type pg from 'pg';
import { inTransaction } from '../transaction.ts';
import * as store from './store.ts';

export { hasFiledRows, listClosed, listDays, listPartitions, type PartOfDay } from './store.ts';

/**
 * A day whose narrow rows are a table of their own, while they are moved to files. The table is closed first: it
 * takes no more rows. Then each part enters its file, in which its rows are twice: readers see both as one. When all
 * rows are in files the table is emptied, which costs nothing by row. Each step is a transaction: a killed process
 * restarts with the parts that are left.
 */

/** Closes a day's table; its parts that are not in files. Undefined: its rows are not moved as a whole. */
export async function openDay(client: pg.Client, day: string): Promise<store.PartOfDay[] | undefined> {
  const wasClosed = await store.isClosed(client, day);
  // rows of a day that has files came late: most of them stay for now, and closing would make them wide again
  if (!wasClosed && (await store.hasFiles(client, day))) return undefined;
  const isClosed = await inTransaction(client, () => store.close(client, day));
  return isClosed ? store.listUnfiled(client, day) : undefined;
}

/**
 * Empties the table of a day whose rows are all in files. False if they are not, or if the table is being read. `rows`:
 * their number when the table was closed; if files have as many, they are not counted again, since no part can have more.
 */
export const emptyDay = (client: pg.Client, day: string, rows?: number): Promise<boolean> =>
  inTransaction(client, async () => {
    const isFiled = rows !== undefined && rows === (await store.countFiled(client, day));
    if (!isFiled && (await store.listUnfiled(client, day)).length > 0) return false;
    return store.empty(client, day);
  });

/** Empties the tables that could not be emptied earlier because they were being read. */
export async function emptyClosed(client: pg.Client): Promise<void> {
  for (const day of await store.listClosed(client)) await emptyDay(client, day);
}
