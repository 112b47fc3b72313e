import { RECORD_BYTES } from '../../../contract/records.ts';
import { createRecentlyUsed } from '../../../platform/recently-used.ts';
import {
  createArenas,
  createDuplicateHeuristic,
  createPipelinedConnection,
  ownMemory,
  type PipelinedConnection,
} from '../../database/index.ts';
import type { BatchAnswer, BatchSource, PreparedBatch, StoredBatch } from './batch.ts';
import type { RecordCounter } from './counts.ts';
import { readJsonLines } from './json-lines.ts';
import { storePipelined } from './pipelined.ts';
import { createRecentIds, type RecentIds } from './positions/recent-ids.ts';
import { type PrepareDeps, prepareBatch } from './prepare.ts';
import { storeRowByRow } from './row-by-row.ts';
import { storeInSingleTransaction } from './single-transaction.ts';
import { createSpoolQueue, type SpoolQueue } from './spool-queue.ts';
import { readSpoolRecords } from './spool-records.ts';

export interface IngestService {
  /**
   * Stores a batch of NDJSON, or of a spool's records, exactly once, also when it is repeated. A gateway may send
   * further batches of a spool before the first is answered: they are read at once and stored in order. Throws AppError
   * `malformed`, `conflict`, `unavailable`.
   */
  ingest(source: BatchSource, body: string | Buffer): Promise<BatchAnswer>;
}

export interface IngestServiceDeps extends Omit<PrepareDeps, 'duplicates' | 'recentIds'> {
  /** shared with pushes */
  readonly recentIds?: RecentIds | undefined;
  readonly counter?: RecordCounter | undefined;
}

/** Columns of larger bodies are made in memory that is reused. */
const LARGE_BYTES = 65_536;
const MAX_FREE_ARENAS = 4;
/** Those used last: of others the next batch asks the database, whose lock on the cursor keeps the order. */
const MAX_KNOWN_SPOOLS = 10_000;

/** What this process knows of a spool without asking the database. */
interface Spool {
  readonly queue: SpoolQueue;
  readonly connection: PipelinedConnection;
  /** last sequence number of the last batch, if it was stored and nothing of it was rejected */
  storedSeq?: number | undefined;
  /** the same, if it has at least been sent to the database */
  sentSeq?: number | undefined;
}

export function createIngestService(options: IngestServiceDeps): IngestService {
  const { recentIds = createRecentIds() } = options;
  const deps = { ...options, recentIds, duplicates: createDuplicateHeuristic('careful') };
  const spoolOf = createRecentlyUsed(
    MAX_KNOWN_SPOOLS,
    (_key: string): Spool => ({ queue: createSpoolQueue(), connection: createPipelinedConnection(deps.pool) }),
  );
  const arenas = createArenas(2 * RECORD_BYTES, MAX_FREE_ARENAS);
  return {
    async ingest(source, body) {
      const batch = typeof body === 'string' ? readJsonLines(body) : readSpoolRecords(body);
      if (batch.lastSeq === 0) return { lastSeq: 0, rejected: [] };
      const arena = body.length < LARGE_BYTES ? ownMemory : arenas.borrow();
      try {
        const preparing = prepareBatch(source, batch, arena, deps);
        const stored = await storeInOrder(spoolOf(`${source.gateway} ${source.spool}`), preparing);
        stored.afterCommit();
        if (deps.counter !== undefined) {
          (await preparing).countReceived(stored.countedSeq, deps.counter);
          for (const [tenantId, count] of stored.stored) deps.counter.countStored(tenantId, count);
        }
        return { lastSeq: stored.lastSeq, rejected: stored.rejected };
      } finally {
        arenas.release(arena);
      }
    },
  };

  /** The states of a batch are drawn in README.md. */
  async function storeInOrder(spool: Spool, preparing: Promise<PreparedBatch>): Promise<StoredBatch> {
    const slot = spool.queue.enter();
    // awaited below; an earlier failure is not an unhandled one
    preparing.catch(() => undefined);
    try {
      await slot.previousSent;
      const batch = await preparing;
      const ahead = mayBeSentAhead(spool, batch) ? send(spool, batch) : undefined;
      if (ahead !== undefined) slot.sent();
      ahead?.catch(() => undefined);
      await slot.previousFinished;
      let stored = await ahead;
      if (stored === undefined && isNext(spool, batch)) {
        const sending = send(spool, batch);
        slot.sent();
        stored = await sending;
      }
      stored ??= await storeAlone(spool, batch);
      spool.storedSeq = cleanSeq(stored);
      return stored;
    } finally {
      // a batch that fails early keeps its place all the same
      await slot.previousFinished;
      slot.finish();
    }
  }

  /** Starts the pipelined path in this tick, where the batch does not concern commands. */
  function send(spool: Spool, batch: PreparedBatch): Promise<StoredBatch | undefined> | undefined {
    const { write } = batch;
    spool.sentSeq = write === undefined ? undefined : cleanSeq(batch);
    return write === undefined ? undefined : storePipelined(batch, write, spool.connection, deps);
  }

  async function storeAlone(spool: Spool, batch: PreparedBatch): Promise<StoredBatch> {
    spool.storedSeq = undefined;
    spool.sentSeq = undefined;
    const stored = (await storeInSingleTransaction(batch, deps)) ?? (await storeRowByRow(batch, deps));
    spool.sentSeq = cleanSeq(stored);
    return stored;
  }
}

const cleanSeq = ({ lastSeq, rejected }: BatchAnswer): number | undefined =>
  rejected.length === 0 ? lastSeq : undefined;

/** While the batch before it is being stored: if that one fails, this one fails in the database as well. */
const mayBeSentAhead = ({ sentSeq }: Spool, { mode, source }: PreparedBatch): boolean =>
  mode === 'fast' && sentSeq !== undefined && source.after === sentSeq;

const isNext = ({ storedSeq }: Spool, { firstSeq }: PreparedBatch): boolean =>
  storedSeq !== undefined && storedSeq < firstSeq;
