import type pg from 'pg';
import { inTransaction } from '../transaction.ts';
import * as store from './store.ts';

export { hasFiledRows, listClosed, listDays, type PartOfDay } from './store.ts';

/**
 * A day whose narrow rows are a table of their own, while they are moved to files. The table is closed first: it takes no
 * more rows. Then each part enters its file, in which its rows are twice: readers see both as one. When all rows are in
 * files the table is emptied, which costs nothing by row. Each step is a transaction: whoever is killed goes on with the
 * parts that are left.
 */

/** Closes a day's table; its parts that are not in files. Undefined: the day stays as it is for now. */
export async function openDay(
  client: pg.Client,
  day: string,
  hoursApart: number,
): Promise<store.PartOfDay[] | undefined> {
  const wasClosed = await store.isClosed(client, day);
  // late rows wait until the day's files are old enough to be written again
  if (!wasClosed && hoursApart > 0 && (await store.hasNewFile(client, day, hoursApart))) return undefined;
  const isClosed = await inTransaction(client, () => store.close(client, day));
  return isClosed ? store.listUnfiled(client, day) : undefined;
}

/** Empties the table of a day, all of whose parts are in files. False: somebody reads it. */
export const emptyDay = (client: pg.Client, day: string): Promise<boolean> =>
  inTransaction(client, () => store.empty(client, day));

/** Empties those that could not be emptied before: somebody was reading them. */
export async function emptyClosed(client: pg.Client): Promise<void> {
  for (const day of await store.listClosed(client)) {
    if ((await store.listUnfiled(client, day)).length === 0) await emptyDay(client, day);
  }
}
