import type pg from 'pg';
import type { Queryable } from '../../platform/postgres/index.ts';
import { allSent, isDatabaseAway, isRowRefused, transaction } from '../../platform/postgres/index.ts';
import { advanceCursor, type Rejection } from './store.ts';

/** A batch whose statements have been made ready. */
export interface ReadyBatch {
  readonly gateway: string;
  readonly spool: string;
  /** counts only where this seq has been applied; 0: whatever has been */
  readonly behind: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly rejected: readonly Rejection[];
  /** epoch ms of the gateway, where the batch says so */
  readonly clock: number | undefined;
  /** sends what writes all of its lines; number of new positions */
  readonly write: (tx: Queryable) => Promise<number>;
}

/**
 * Nearly every batch follows the one before it, is new in all its rows and says nothing of commands: all that it is
 * goes in one write, and is committed when every statement has been answered. Undefined where it was not so, as where
 * another process has applied some of it: then nothing is. Throws AppError `unavailable`.
 */
export async function applyInTurn(
  pool: pg.Pool,
  batch: ReadyBatch,
  metDuplicates: () => void,
): Promise<number | undefined> {
  try {
    return await transaction(pool, async (tx) => {
      const advanced = advanceCursor(tx, batch);
      const written = batch.write(tx);
      await allSent([advanced, written]);
      return written;
    });
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    // whatever else it is shows again, or is dealt with, where each step is looked at
    if (isRowRefused(error)) metDuplicates();
    return undefined;
  }
}
