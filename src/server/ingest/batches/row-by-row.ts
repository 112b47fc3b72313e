import { AppError } from '../../../platform/errors.ts';
import { applyRows, type DuplicateHeuristic, type Queryable, transaction } from '../../database/index.ts';
import type { PreparedBatch, StoreDeps, StoredBatch } from './batch.ts';
import { loadCommands } from './commands.ts';
import { addTenants } from './positions/batch.ts';
import { unacknowledged } from './rejections.ts';
import { prepareStatements, type ResolvedEvent, unpackFrames } from './statements.ts';
import { lockCursor, moveCursor } from './store.ts';

/**
 * Last path, which takes every batch: records that were stored before are left out, rows that are there already are
 * kept, and where the database refuses the rows they are divided until the one that is refused stands alone; it is
 * rejected and the others are stored. Throws AppError `conflict`, `unavailable`.
 */
export const storeRowByRow = (batch: PreparedBatch, deps: StoreDeps): Promise<StoredBatch> =>
  transaction(deps.pool, (tx) => store(tx, batch, deps));

const alwaysCareful: DuplicateHeuristic = { writeMode: () => 'careful', duplicatesFound: () => {} };

/** Repeatable, as the transaction may be tried again. */
async function store(tx: Queryable, batch: PreparedBatch, deps: StoreDeps): Promise<StoredBatch> {
  const { source, firstSeq, lastSeq, gatewayClock } = batch;
  const { gateway, spool } = source;
  const { last, rejected: before } = await lockCursor(tx, gateway, spool);
  if (source.after !== undefined && source.after > last) {
    throw new AppError('conflict', `the batch up to ${source.after} has not been applied`);
  }
  // records that were stored before get the answer that they got then
  const rejected = before.filter(({ seq }) => seq >= firstSeq && seq <= lastSeq);
  if (lastSeq <= last) return { lastSeq: last, stored: new Map(), rejected, countedSeq: last, afterCommit: () => {} };
  rejected.push(...batch.rejected.filter(({ seq }) => seq > last));
  const items = unpacked(batch).filter(({ event }) => event.seq > last);
  const changes = await loadCommands(tx, gateway, items, deps.commands);
  const stored = new Map<number, number>();
  const { clock, defaultTenantId, feed, duplicates, knownLimits } = deps;
  await applyRows(tx, items, {
    duplicates: batch.mode === 'careful' ? alwaysCareful : duplicates,
    apply: async (part, mode) => {
      const context = { gateway, now: clock.now(), defaultTenantId, feed, mode, knownLimits };
      addTenants(stored, await prepareStatements(part, context)(tx));
    },
    refused: ({ event }, error) => {
      rejected.push({ seq: event.seq, code: 'unstorable', detail: 'the database refuses this record' });
      deps.onRefused({ seq: event.seq, type: event.type, error: error.message });
    },
  });
  rejected.sort((a, b) => a.seq - b.seq);
  await changes.apply();
  const kept = [...unacknowledged(before, batch, last), ...rejected];
  await moveCursor(tx, { gateway, spool, lastSeq, rejected: kept, gatewayClock });
  return { lastSeq, stored, rejected, countedSeq: last, afterCommit: changes.afterCommit };
}

/** All records by sequence number, those that came packed as well. */
function unpacked({ items, positions, seqs, frames }: PreparedBatch): readonly ResolvedEvent[] {
  const rows = positions.rows();
  const events = seqs.map((seq, index): ResolvedEvent => {
    return { event: { type: 'packed', seq }, device: positions.devices[index], row: rows[index] };
  });
  return [...items, ...events, ...unpackFrames(frames)].sort((a, b) => a.event.seq - b.event.seq);
}
