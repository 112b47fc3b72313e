import {
  createPipelinedConnection,
  type DuplicateHeuristic,
  type PipelinedConnection,
} from '../../platform/postgres/index.ts';
import type { ParsedLines } from './json-lines.ts';
import type { Turn } from './lanes.ts';
import { applyInTurn } from './pipelined.ts';
import {
  type ApplierDeps,
  type BatchSource,
  createApplier,
  lastClock,
  nothing,
  type Outcome,
  type Prepared,
} from './single-transaction.ts';

/** What is known of a spool's batches without asking the database. */
interface Progress {
  /** the last seq of the last batch, where all up to it was applied with nothing rejected */
  applied?: number | undefined;
  /** the same, where all up to it has been sent to the database at least */
  sent?: number | undefined;
  readonly track: PipelinedConnection;
}

export interface Turns {
  /**
   * A batch goes to the database behind the one before it while that is being stored, where it asks for it (`after`):
   * what it then finds is what it expects, or it fails, and is looked at step by step when it is its turn.
   */
  of(lane: string, source: BatchSource, parsed: ParsedLines, prepared: Prepared): Turn<Outcome>;
}

export function createTurns(deps: ApplierDeps, duplicates: DuplicateHeuristic): Turns {
  const applyOnce = createApplier(deps, duplicates);
  const spools = new Map<string, Progress>();
  return {
    of(lane, source, parsed, prepared) {
      const progress = spools.get(lane) ?? { track: createPipelinedConnection(deps.pool) };
      spools.set(lane, progress);
      return turnOf(progress, source, parsed, prepared);
    },
  };

  function turnOf(progress: Progress, source: BatchSource, parsed: ParsedLines, prepared: Prepared): Turn<Outcome> {
    const isClean = prepared.found.length === 0;
    const send = (): Promise<Outcome | undefined> | undefined => {
      const sent = sendNext(progress.track, source, parsed, prepared);
      progress.sent = sent !== undefined && isClean ? parsed.lastSeq : undefined;
      return sent;
    };
    return {
      begin: () =>
        prepared.mode === 'fast' && progress.sent !== undefined && source.after === progress.sent ? send() : undefined,
      async finish(begun, hasBegun) {
        let outcome = begun;
        if (outcome === undefined && (progress.applied ?? Number.POSITIVE_INFINITY) < parsed.firstSeq) {
          const sent = send();
          hasBegun();
          outcome = await sent;
        }
        if (outcome === undefined) {
          progress.applied = undefined;
          progress.sent = undefined;
          outcome = await applyOnce(source, parsed, prepared);
          progress.sent = outcome.rejected.length === 0 ? outcome.lastSeq : undefined;
        }
        progress.applied = outcome.rejected.length === 0 ? outcome.lastSeq : undefined;
        return outcome;
      },
    };
  }

  /** The outcome of a batch that is the next one; undefined where it turns out not to be. */
  function sendNext(
    track: PipelinedConnection,
    { gateway, spool, after = 0 }: BatchSource,
    parsed: ParsedLines,
    { found, mode, write }: Prepared,
  ): Promise<Outcome | undefined> | undefined {
    if (write === undefined) return undefined;
    const { firstSeq, lastSeq } = parsed;
    const rejected = found.toSorted((a, b) => a.seq - b.seq);
    const clock = lastClock(parsed.lines);
    const batch = { gateway, spool, behind: after, firstSeq, lastSeq, rejected, clock, mode, write };
    return applyInTurn({ track, pool: deps.pool }, batch, duplicates.duplicatesFound).then((stored) =>
      stored === undefined ? undefined : { lastSeq, stored, rejected, afterwards: nothing },
    );
  }
}
