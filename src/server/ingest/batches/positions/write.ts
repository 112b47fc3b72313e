import { DAY_MS } from '../../../../platform/durations.ts';
import type { Queryable } from '../../../database/index.ts';
import { allSent, type WriteMode } from '../../../database/index.ts';
import type { Feed } from '../../feed/index.ts';
import { type ByTenant, batchOfRows, type PositionBatch } from './batch.ts';
import type { KnownLimits } from './known.ts';
import type { PositionRow } from './row.ts';
import { prepareNewest, preparePositions } from './store.ts';

/** How the positions of a batch are written. */
export interface PositionWrite {
  /** epoch ms of this process */
  readonly now: number;
  readonly mode: WriteMode;
  readonly knownLimits: KnownLimits;
  readonly feed?: Feed | undefined;
}

/**
 * Stores records, brings the newest positions up to date and appends new ones to the feed, in the caller's
 * transaction. Numbers of new rows.
 */
export const writePositions = (tx: Queryable, rows: readonly PositionRow[], how: PositionWrite): Promise<ByTenant> =>
  prepareWrite(batchOfRows(rows), how)(tx);

const NONE: ByTenant = new Map();

/** Records of days that are over may be narrow rows already: their batch is written in `careful` mode. */
export const isBeforeToday = (time: number, now: number): boolean => time < Math.floor(now / DAY_MS) * DAY_MS;

/** The same in two steps: makes the statements here; the returned function sends them. */
export function prepareWrite(
  batch: PositionBatch,
  { now, mode: asked, knownLimits, feed }: PositionWrite,
): (tx: Queryable) => Promise<ByTenant> {
  if (batch.count === 0) return () => Promise.resolve(NONE);
  const newest = batch.newest(now, knownLimits);
  const isPast = isBeforeToday(batch.oldest(), now);
  const mode = isPast ? 'careful' : asked;
  const insert = preparePositions(batch, isPast ? 'past' : mode);
  const upsert = newest.length === 0 ? undefined : prepareNewest(newest, knownLimits);
  return async (tx) => {
    const inserted = insert(tx);
    await allSent([
      inserted,
      ...(upsert === undefined ? [] : [upsert(tx)]),
      ...(feed === undefined || mode === 'careful' ? [] : [feed.append(tx, batch)]),
    ]);
    const fresh = await inserted;
    if (mode === 'careful') await feed?.append(tx, fresh);
    return fresh.tenants();
  };
}
