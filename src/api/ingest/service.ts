import { RECORD_BYTES } from '../../contract/records.ts';
import { createArenas, createDuplicateHeuristic, ownMemory } from '../../platform/postgres/index.ts';
import { parseLines } from './json-lines.ts';
import { createLanes } from './lanes.ts';
import { type PrepareDeps, prepareBatch } from './prepare.ts';
import type { BatchSource, EventsAnswer, Outcome } from './single-transaction.ts';
import { readRecords } from './spool-records.ts';
import { createTurns } from './turns.ts';

export interface IngestService {
  /**
   * Applies a batch of NDJSON, or of a spool's records, once, whatever is repeated. Batches of a spool may come before
   * the ones before them have been answered: they are read at once and applied in order. Throws AppError `malformed`,
   * `conflict`, `unavailable`.
   */
  take(source: BatchSource, body: string | Buffer): Promise<EventsAnswer>;
}

export interface IngestServiceDeps extends Omit<PrepareDeps, 'duplicates'> {
  readonly onStored: (positions: number) => void;
}

/** From here on columns are made in memory that is used again. */
const LARGE_BYTES = 65_536;
const ARENAS_KEPT = 4;

export function createIngestService(given: IngestServiceDeps): IngestService {
  const duplicates = createDuplicateHeuristic();
  const deps = { ...given, duplicates };
  const turns = createTurns(deps, duplicates);
  const lanes = createLanes<Outcome>();
  const arenas = createArenas(2 * RECORD_BYTES, ARENAS_KEPT);
  return {
    async take(source, body) {
      const parsed = typeof body === 'string' ? parseLines(body) : readRecords(body);
      if (parsed.lastSeq === 0) return { lastSeq: 0, rejected: [] };
      const lane = `${source.gateway} ${source.spool}`;
      const arena = body.length < LARGE_BYTES ? ownMemory : arenas.borrow();
      try {
        const turn = prepareBatch(source, parsed, arena, deps).then((prepared) =>
          turns.of(lane, source, parsed, prepared),
        );
        const outcome = await lanes.inOrder(lane, turn);
        outcome.afterwards();
        deps.onStored(outcome.stored);
        return { lastSeq: outcome.lastSeq, rejected: outcome.rejected };
      } finally {
        arenas.release(arena);
      }
    },
  };
}
