import type pg from 'pg';
import type { GatewayEvent } from '../../contract/events.ts';
import type { Feed } from '../../feed/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import {
  allSent,
  applyRows,
  type DuplicateHeuristic,
  isRowRefused,
  type Queryable,
  transaction,
  type WriteMode,
} from '../../platform/postgres/index.ts';
import type { ParsedLine, ParsedLines } from './json-lines.ts';
import { NO_FRAMES, type PackedFrames } from './packed-frames.ts';
import type { PackedPositions } from './positions/packed-batch.ts';
import { prepareEvents, type Resolved, unpackFrames } from './statements.ts';
import { lockCursor, moveCursor, type Rejection } from './store.ts';

export interface BatchSource {
  readonly gateway: string;
  readonly spool: string;
  /** the batch counts only where that of this seq has been applied */
  readonly after?: number | undefined;
  /** up to here the gateway knows what was rejected */
  readonly settled?: number | undefined;
  /** epoch ms by the gateway's clock */
  readonly clock?: number | undefined;
}

export interface EventsAnswer {
  readonly lastSeq: number;
  readonly rejected: readonly Rejection[];
}

/** Who keeps the commands: told of a gateway's events within the transaction that stores them. */
export interface CommandEvents {
  readonly eventTypes: ReadonlySet<string>;
  /**
   * Loads and locks what the events are about, and the sessions of the devices that the transaction `touched`. What is
   * returned applies the events: its statements leave in one turn, and it resolves with what is to be done once the
   * transaction is through.
   */
  load(
    tx: Queryable,
    gateway: string,
    events: readonly { readonly event: GatewayEvent; readonly deviceId: number | undefined }[],
    touched: ReadonlySet<number>,
  ): Promise<() => Promise<() => void>>;
}

export interface ApplierDeps {
  readonly feed?: Feed | undefined;
  readonly commands?: CommandEvents | undefined;
  readonly pool: pg.Pool;
  readonly clock: Clock;
  /** where devices that nobody knows are listed */
  readonly defaultTenantId: number;
  readonly onRefused: (detail: { seq: number; type: string; error: string }) => void;
}

/** What of a batch can be done before it is its turn. */
export interface Prepared {
  /** all but what is packed */
  readonly items: readonly Resolved[];
  /** positions, and their seqs */
  readonly packed: PackedPositions;
  readonly seqs: readonly number[];
  readonly frames: PackedFrames;
  readonly found: readonly Rejection[];
  readonly mode: WriteMode;
  /** writes all of it as if nothing of it had been applied; undefined where commands have to be looked at as well */
  readonly write: ((tx: Queryable) => Promise<number>) | undefined;
}

export interface Outcome extends EventsAnswer {
  readonly stored: number;
  readonly afterwards: () => void;
}

/** Some of the batch is known, or what comes before it is not: that is looked at step by step. */
class OutOfTurn extends Error {}

/** A gateway's new life closes what is left of the one before, which has to be written by then. */
const isOrdinary = ({ items }: Prepared): boolean => items.every(({ event }) => event.type !== 'gateway-started');

const batchOf = ({ gateway }: BatchSource, { clock, defaultTenantId, feed }: ApplierDeps) => ({
  gateway,
  now: clock.now(),
  defaultTenantId,
  feed,
});

/** All of it in its order, packed or not. */
function oneByOne({ items, packed, seqs, frames }: Prepared): readonly Resolved[] {
  const rows = packed.rows();
  const unpacked = seqs.map((seq, index): Resolved => {
    return { event: { type: 'packed', seq }, device: packed.devices[index], row: rows[index] };
  });
  return [...items, ...unpacked, ...unpackFrames(frames)].sort((a, b) => a.event.seq - b.event.seq);
}

/** What was rejected of batches before, and the gateway may not have heard. */
const unheardOf = (
  before: readonly Rejection[],
  { firstSeq }: ParsedLines,
  { settled }: BatchSource,
  last: number,
): readonly Rejection[] => before.filter(({ seq }) => seq < firstSeq && seq > (settled ?? last));

export type Applier = (source: BatchSource, parsed: ParsedLines, prepared: Prepared) => Promise<Outcome>;

/** Applies a batch once, whatever of it is repeated. Throws AppError `conflict`, `unavailable`. */
export function createApplier(deps: ApplierDeps, duplicates: DuplicateHeuristic): Applier {
  return applyOnce;

  /** In few round trips where nothing is out of the ordinary, otherwise step by step. */
  async function applyOnce(source: BatchSource, parsed: ParsedLines, prepared: Prepared): Promise<Outcome> {
    if (isOrdinary(prepared) && duplicates.writeMode() === 'fast') {
      try {
        return await transaction(deps.pool, (tx) => applyAtOnce(tx, source, parsed, prepared));
      } catch (error) {
        if (!(error instanceof OutOfTurn) && !isRowRefused(error)) throw error;
        if (isRowRefused(error)) duplicates.duplicatesFound();
      }
    }
    return transaction(deps.pool, (tx) => apply(tx, source, parsed, prepared));
  }

  /** All that can be asked and written before anything is known travels together, and all that follows from it. */
  async function applyAtOnce(
    tx: Queryable,
    source: BatchSource,
    parsed: ParsedLines,
    { items, packed, frames, found }: Prepared,
  ): Promise<Outcome> {
    const { gateway, spool } = source;
    const cursor = lockCursor(tx, gateway, spool);
    const loaded = loadCommands(tx, gateway, items, deps.commands, frames);
    const written = prepareEvents(items, { ...batchOf(source, deps), mode: 'fast' }, packed, frames)(tx);
    await allSent([cursor, loaded, written]);
    const { last, rejected: before } = await cursor;
    if (parsed.firstSeq <= last || (source.after ?? 0) > last) throw new OutOfTurn();
    const finish = await loaded;
    const rejected = found.toSorted((a, b) => a.seq - b.seq);
    const finished = finish();
    const told = {
      rejected: [...unheardOf(before, parsed, source, last), ...rejected],
      clock: lastClock(parsed.lines),
    };
    const moved = moveCursor(tx, { gateway, spool, lastSeq: parsed.lastSeq, ...told });
    await allSent([finished, moved]);
    return { lastSeq: parsed.lastSeq, stored: await written, rejected, afterwards: await finished };
  }

  /** Repeatable, as the transaction is. */
  async function apply(tx: Queryable, source: BatchSource, parsed: ParsedLines, prepared: Prepared): Promise<Outcome> {
    const { found } = prepared;
    const { last, rejected: before } = await lockCursor(tx, source.gateway, source.spool);
    if (source.after !== undefined && source.after > last) {
      throw new AppError('conflict', `the batch up to ${source.after} has not been applied`);
    }
    // what was applied before is answered as it was then, whatever would be said of it now
    const rejected = before.filter(({ seq }) => seq >= parsed.firstSeq && seq <= parsed.lastSeq);
    let stored = 0;
    if (parsed.lastSeq <= last) return { lastSeq: last, stored, rejected, afterwards: nothing };
    rejected.push(...found.filter(({ seq }) => seq > last));
    const items = oneByOne(prepared);
    const fresh = parsed.firstSeq > last ? items : items.filter(({ event }) => event.seq > last);
    const finish = await loadCommands(tx, source.gateway, fresh, deps.commands);
    await applyRows(tx, fresh, {
      duplicates: duplicates,
      apply: async (part, mode) => {
        stored += await prepareEvents(part, { ...batchOf(source, deps), mode })(tx);
      },
      refused: ({ event }, error) => {
        rejected.push({ seq: event.seq, code: 'unstorable', detail: 'the database refuses this record' });
        deps.onRefused({ seq: event.seq, type: event.type, error: error.message });
      },
    });
    rejected.sort((a, b) => a.seq - b.seq);
    const afterwards = await finish();
    const { lastSeq } = parsed;
    const told = {
      rejected: [...unheardOf(before, parsed, source, last), ...rejected],
      clock: lastClock(parsed.lines),
    };
    await moveCursor(tx, { gateway: source.gateway, spool: source.spool, lastSeq, ...told });
    return { lastSeq, stored, rejected, afterwards };
  }
}

export const nothing = (): void => {};

const nothingToDo = async (): Promise<() => void> => nothing;

/** Sessions are locked in one order by all who write them, before anything is written. */
async function loadCommands(
  tx: Queryable,
  gateway: string,
  items: readonly Resolved[],
  commands: CommandEvents | undefined,
  frames = NO_FRAMES,
): Promise<() => Promise<() => void>> {
  if (commands === undefined) return nothingToDo;
  const touched = new Set(frames.devices.flatMap((device) => device?.id ?? []));
  const events: Parameters<CommandEvents['load']>[2][number][] = [];
  for (const { event, device } of items) {
    if (event.type === 'position' || event.type === 'packed') continue;
    if (device !== undefined && event.type !== 'file' && event.type !== 'knock') touched.add(device.id);
    if (commands.eventTypes.has(event.type)) events.push({ event, deviceId: device?.id });
  }
  return events.length === 0 && touched.size === 0 ? nothingToDo : commands.load(tx, gateway, events, touched);
}

/** The gateway's stream has been applied up to this instant of its clock, where the batch says so. */
export const lastClock = (lines: readonly ParsedLine[]): number | undefined => {
  const clock = lines.findLast(({ event }) => event.type === 'clock')?.event;
  return clock?.type === 'clock' ? clock.at : undefined;
};
