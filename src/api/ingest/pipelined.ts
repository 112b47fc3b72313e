import type pg from 'pg';
import type { PipelinedConnection, Queryable, WriteMode } from '../../platform/postgres/index.ts';
import { allSent, isDatabaseAway, isRowRefused, transaction } from '../../platform/postgres/index.ts';
import { advanceCursor, markTransaction, type Rejection } from './store.ts';

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
  readonly mode: WriteMode;
  /** sends what writes all of its lines, where `fast` in this very turn; number of new positions */
  readonly write: (tx: Queryable) => Promise<number>;
}

/**
 * Nearly every batch follows the one before it, is new in all its rows and says nothing of commands: all that it is
 * goes in one write, its commit included, behind that of the batch before it. Undefined where it was not so, as where
 * another process has applied some of it, or the one before it failed: then nothing of it is applied. Throws AppError
 * `unavailable`.
 */
export async function applyInTurn(
  db: { readonly track: PipelinedConnection; readonly pool: pg.Pool },
  batch: ReadyBatch,
  metDuplicates: () => void,
): Promise<number | undefined> {
  const send = async (tx: Queryable): Promise<number> => {
    const moved = [markTransaction(tx), advanceCursor(tx, batch)];
    const written = batch.write(tx);
    await allSent([...moved, written]);
    return written;
  };
  try {
    return await (batch.mode === 'fast' ? db.track.run(send) : transaction(db.pool, send));
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    // whatever else it is shows again, or is dealt with, where each step is looked at
    if (isRowRefused(error)) metDuplicates();
    return undefined;
  }
}
