import type pg from 'pg';
import { DAY_MS } from '../../../platform/durations.ts';
import { dayOf, monthOf, type PartitionRange, type Queryable } from '../../database/index.ts';
import { listClosed, listPartitions } from '../days/index.ts';
import { inTransaction } from '../transaction.ts';
import * as store from './store.ts';

export { readSizes, type TableSizes } from './store.ts';

export interface NarrowRequest {
  /** epoch ms: rows before it */
  readonly before: number;
  /**
   * Rows of a day are moved once it is over, or those of a month: days are better where files take them after some of
   * them, months where rows stay for years.
   */
  readonly by: 'day' | 'month';
  /** minimum age of the tables, hours: processes of the previous version do not read narrow rows */
  readonly hours?: number;
  /** forms of the attributes of one tenant */
  readonly forms: number;
  /** called after each device of a day or month */
  readonly progress?: (range: PartitionRange, positions: number, devices: number, of: number) => void;
  /** for tests: called inside of the transaction that moves the rows of a device, before it is committed */
  readonly at?: (() => Promise<void> | void) | undefined;
}

/** Times of wrong clocks must not make a thousand tables: older rows stay as they are. */
const MONTHS_BACK_MS = 3 * 366 * DAY_MS;
/** older days share a table by month */
const DAYS_BACK_MS = 60 * DAY_MS;

/** Moves rows day by day, or month by month, and device by device; each is a transaction. Number of positions. */
export async function narrowRows(client: pg.Client, request: NarrowRequest, now: number): Promise<number> {
  const { before, by, hours = 0, forms, progress, at } = request;
  if (hours > 0 && (await store.hoursSinceMigration(client)) < hours) return 0;
  const partitions = new Set(await listPartitions(client));
  // days that are being moved to files: their late rows become narrow when their table is empty
  const closed = new Set((await listClosed(client)).map(Date.parse));
  let total = 0;
  let from = now - MONTHS_BACK_MS;
  for (;;) {
    const oldest = await store.oldestRow(client, from, before);
    if (oldest === undefined) break;
    const range = rangeOf(oldest, by === 'day' && oldest > now - DAYS_BACK_MS ? 'day' : 'month', partitions);
    from = range.next;
    if (range.next > before || closed.has(range.first)) continue;
    if (!partitions.has(range.name)) await store.makePartition(client, range);
    partitions.add(range.name);
    const devices = await store.listDevices(client, range);
    for (const [index, deviceId] of devices.entries()) {
      total += await move(client, deviceId, range, forms, at);
      progress?.(range, total, index + 1, devices.length);
    }
  }
  await store.trim(client);
  return total;
}

export const findOldest = (db: Queryable, before: number, now: number): Promise<number | undefined> =>
  store.oldestRow(db, now - MONTHS_BACK_MS, before);

/** A table by month and tables by day of the same month exclude each other. */
function rangeOf(time: number, by: 'day' | 'month', partitions: ReadonlySet<string>): PartitionRange {
  const [day, month] = [dayOf(time), monthOf(time)];
  if (partitions.has(month.name)) return month;
  const hasDays = [...partitions].some((name) => name.length > month.name.length && name.startsWith(month.name));
  return by === 'day' || hasDays ? day : month;
}

async function move(
  client: pg.Client,
  deviceId: number,
  range: PartitionRange,
  forms: number,
  at: NarrowRequest['at'],
): Promise<number> {
  return inTransaction(client, async () => {
    await store.lockPastDays(client);
    const moved = await store.moveRows(client, deviceId, range, forms);
    await at?.();
    return moved;
  });
}
