import {
  allSent,
  isDatabaseAway,
  isRowRefused,
  type PipelinedConnection,
  type Queryable,
  transaction,
} from '../../database/index.ts';
import type { PreparedBatch, StoreDeps, StoredBatch } from './batch.ts';
import type { ByTenant } from './positions/batch.ts';
import { advanceCursor, markTransaction } from './store.ts';

/**
 * First path, and the usual one: the batch follows the one before it, all its rows are new, and it does not concern
 * commands. The whole transaction, commit included, is one write behind the transaction of the batch before it; the
 * cursor's function fails where the batch is not the next one. Undefined if nothing was stored: another process has
 * stored a part of it, the batch before it failed, or the database refuses a row. Throws AppError `unavailable`.
 */
export async function storePipelined(
  batch: PreparedBatch,
  write: NonNullable<PreparedBatch['write']>,
  connection: PipelinedConnection,
  { pool, duplicates }: StoreDeps,
): Promise<StoredBatch | undefined> {
  const { firstSeq, lastSeq, rejected, gatewayClock, source } = batch;
  const send = async (tx: Queryable): Promise<ByTenant> => {
    const cursor = { ...source, after: source.after ?? 0, firstSeq, lastSeq, rejected, gatewayClock };
    const advanced = [markTransaction(tx), advanceCursor(tx, cursor)];
    const written = write(tx);
    await allSent([...advanced, written]);
    return written;
  };
  try {
    // `careful` writes wait for an answer between two statements, which a pipelined transaction cannot
    const stored = await (batch.mode === 'fast' ? connection.run(send) : transaction(pool, send));
    return { lastSeq, stored, rejected, countedSeq: 0, afterCommit: () => {} };
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    // any other cause is found by the next path, which checks each step
    if (isRowRefused(error)) duplicates.duplicatesFound();
    return undefined;
  }
}
