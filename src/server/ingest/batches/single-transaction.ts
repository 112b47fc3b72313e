import { allSent, isRowRefused, type Queryable, transaction } from '../../database/index.ts';
import type { PreparedBatch, StoreDeps, StoredBatch } from './batch.ts';
import { loadCommands } from './commands.ts';
import { unacknowledged } from './rejections.ts';
import { prepareStatements } from './statements.ts';
import { lockCursor, moveCursor } from './store.ts';

/** A part of the batch has been stored before, or the batch before it has not. */
class UnexpectedCursor extends Error {}

/**
 * Second path: events of the batch concern commands, or the pipelined path did not store it. One transaction of two
 * round trips: the cursor, the commands and all rows travel together, then what follows from them. Undefined if
 * nothing was stored: the batch is not the next one, or the database refuses a row. Throws AppError `unavailable`.
 */
export async function storeInSingleTransaction(
  batch: PreparedBatch,
  deps: StoreDeps,
): Promise<StoredBatch | undefined> {
  if (!isPlain(batch) || batch.mode !== 'fast' || deps.duplicates.writeMode() !== 'fast') return undefined;
  try {
    return await transaction(deps.pool, (tx) => store(tx, batch, deps));
  } catch (error) {
    if (error instanceof UnexpectedCursor) return undefined;
    if (!isRowRefused(error)) throw error;
    deps.duplicates.duplicatesFound();
    return undefined;
  }
}

/** A gateway's start closes the sessions of its previous run, whose events have to be written first. */
const isPlain = ({ items }: PreparedBatch): boolean => items.every(({ event }) => event.type !== 'gateway-started');

async function store(tx: Queryable, batch: PreparedBatch, deps: StoreDeps): Promise<StoredBatch> {
  const { source, items, positions, frames, firstSeq, lastSeq, rejected, gatewayClock } = batch;
  const { gateway, spool } = source;
  const { clock, defaultTenantId, feed, knownLimits } = deps;
  const context = { gateway, now: clock.now(), defaultTenantId, feed, mode: 'fast', knownLimits } as const;
  const cursor = lockCursor(tx, gateway, spool);
  const loaded = loadCommands(tx, gateway, items, deps.commands, frames);
  const written = prepareStatements(items, context, positions, frames)(tx);
  await allSent([cursor, loaded, written]);
  const { last, rejected: before } = await cursor;
  if (firstSeq <= last || (source.after ?? 0) > last) throw new UnexpectedCursor();
  const changes = await loaded;
  const applied = changes.apply();
  const kept = [...unacknowledged(before, batch, last), ...rejected];
  const moved = moveCursor(tx, { gateway, spool, lastSeq, rejected: kept, gatewayClock });
  await allSent([applied, moved]);
  return { lastSeq, stored: await written, rejected, countedSeq: 0, afterCommit: changes.afterCommit };
}
