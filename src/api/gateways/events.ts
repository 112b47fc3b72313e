import type pg from 'pg';
import type { GatewayEvent } from '../../contract/events.ts';
import type { Feed } from '../../feed/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { applyAll, createHabit, type Queryable, transaction } from '../../platform/postgres/index.ts';
import type { Directory } from '../devices/directory/index.ts';
import type { Partitions } from '../positions/partitions.ts';
import { prepareEvents, type Resolved, resolveEvent } from './apply.ts';
import { applyInTurn } from './in-turn.ts';
import { createLanes } from './lanes.ts';
import { type ParsedLine, type ParsedLines, parseLines } from './lines.ts';
import { lockCursor, moveCursor, type Rejection } from './store.ts';

export interface EventSource {
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

export interface EventService {
  /**
   * Applies a batch of NDJSON once, whatever is repeated. Batches of a spool may come before the ones before them have
   * been answered: they are read at once and applied in order. Throws AppError `malformed`, `conflict`, `unavailable`.
   */
  take(source: EventSource, text: string): Promise<EventsAnswer>;
}

/** Who keeps the commands: told of a gateway's events within the transaction that stores them. */
export interface CommandLedger {
  readonly eventTypes: ReadonlySet<string>;
  /** Returns what is to be done once the transaction is through. */
  apply(
    tx: Queryable,
    gateway: string,
    events: readonly { readonly event: GatewayEvent; readonly deviceId: number | undefined }[],
  ): Promise<() => void>;
}

export interface EventServiceDeps {
  readonly commands?: CommandLedger | undefined;
  readonly pool: pg.Pool;
  readonly directory: Directory;
  readonly positionMonths: Partitions;
  readonly timelineDays: Partitions;
  readonly clock: Clock;
  readonly autoRegister: boolean;
  readonly defaultTenantId: number;
  readonly onStored: (positions: number) => void;
  readonly feed?: Feed | undefined;
  readonly onRefused: (detail: { seq: number; type: string; error: string }) => void;
}

const imeiOf = (event: GatewayEvent): string | undefined =>
  event.type === 'position' ? event.position.deviceId : 'imei' in event ? event.imei : undefined;

export function createEventService(deps: EventServiceDeps): EventService {
  const habit = createHabit();
  const lanes = createLanes();
  /** spools whose last batch was applied here with nothing rejected: its last seq */
  const applied = new Map<string, number>();
  return {
    async take(source, text) {
      const parsed = parseLines(text);
      if (parsed.lastSeq === 0) return { lastSeq: 0, rejected: [] };
      const lane = `${source.gateway} ${source.spool}`;
      const outcome = await lanes.inOrder(lane, prepare(source, parsed), async (prepared) => {
        const isNext = (applied.get(lane) ?? Number.POSITIVE_INFINITY) < parsed.firstSeq;
        const done =
          (isNext ? await applyNext(source, parsed, prepared) : undefined) ??
          (await transaction(deps.pool, (tx) => apply(tx, source, parsed, prepared)));
        if (done.rejected.length === 0) applied.set(lane, done.lastSeq);
        else applied.delete(lane);
        return done;
      });
      outcome.afterwards();
      deps.onStored(outcome.stored);
      return { lastSeq: outcome.lastSeq, rejected: outcome.rejected };
    },
  };

  /** What can be done before it is the batch's turn. */
  async function prepare({ gateway }: EventSource, parsed: ParsedLines): Promise<Prepared> {
    const found = [...parsed.rejected];
    const items = await resolve(parsed.lines, found, deps);
    await makePartitions(items, deps);
    const isOfCommands = items.some(({ event }) => deps.commands?.eventTypes.has(event.type));
    const { clock, defaultTenantId, feed } = deps;
    const batch = { gateway, now: clock.now(), defaultTenantId, feed, manner: habit.manner() };
    return { items, found, write: isOfCommands ? undefined : prepareEvents(items, batch) };
  }

  /** The outcome of a batch that is the next one; undefined where it turns out not to be. */
  async function applyNext({ gateway, spool, after = 0 }: EventSource, parsed: ParsedLines, prepared: Prepared) {
    const { found, write } = prepared;
    if (write === undefined) return undefined;
    const { firstSeq, lastSeq } = parsed;
    const rejected = found.toSorted((a, b) => a.seq - b.seq);
    const batch = { gateway, spool, behind: after, firstSeq, lastSeq, rejected, clock: lastClock(parsed.lines), write };
    const stored = await applyInTurn(deps.pool, batch, habit.metDuplicates);
    return stored === undefined ? undefined : { lastSeq, stored, rejected, afterwards: nothing };
  }

  /** Repeatable, as the transaction is. */
  async function apply(tx: pg.PoolClient, source: EventSource, parsed: ParsedLines, { items, found }: Prepared) {
    const { last, rejected: before } = await lockCursor(tx, source.gateway, source.spool);
    if (source.after !== undefined && source.after > last) {
      throw new AppError('conflict', `the batch up to ${source.after} has not been applied`);
    }
    // what was applied before is answered as it was then, whatever would be said of it now
    const rejected = before.filter(({ seq }) => seq >= parsed.firstSeq && seq <= parsed.lastSeq);
    let stored = 0;
    if (parsed.lastSeq <= last) return { lastSeq: last, stored, rejected, afterwards: nothing };
    rejected.push(...found.filter(({ seq }) => seq > last));
    const { defaultTenantId, feed } = deps;
    const batch = { gateway: source.gateway, now: deps.clock.now(), defaultTenantId, feed };
    const fresh = parsed.firstSeq > last ? items : items.filter(({ event }) => event.seq > last);
    await applyAll(tx, fresh, {
      habit,
      apply: async (part, manner) => {
        stored += await prepareEvents(part, { ...batch, manner })(tx);
      },
      refused: ({ event }, error) => {
        rejected.push({ seq: event.seq, code: 'unstorable', detail: 'the database refuses this record' });
        deps.onRefused({ seq: event.seq, type: event.type, error: error.message });
      },
    });
    rejected.sort((a, b) => a.seq - b.seq);
    const afterwards = await applyToCommands(tx, source.gateway, fresh, deps.commands);
    const { lastSeq } = parsed;
    const unheard = before.filter(({ seq }) => seq < parsed.firstSeq && seq > (source.settled ?? last));
    const told = { rejected: [...unheard, ...rejected], clock: lastClock(parsed.lines) };
    await moveCursor(tx, { gateway: source.gateway, spool: source.spool, lastSeq, ...told });
    return { lastSeq, stored, rejected, afterwards };
  }
}

interface Prepared {
  readonly items: readonly Resolved[];
  readonly found: readonly Rejection[];
  /** writes all of it as if nothing of it had been applied; undefined where commands have to be looked at as well */
  readonly write: ((tx: Queryable) => Promise<number>) | undefined;
}

const nothing = (): void => {};

async function applyToCommands(
  tx: Queryable,
  gateway: string,
  items: readonly Resolved[],
  commands: CommandLedger | undefined,
): Promise<() => void> {
  if (commands === undefined) return nothing;
  const events = items.flatMap(({ event, device }) =>
    commands.eventTypes.has(event.type) ? [{ event, deviceId: device?.id }] : [],
  );
  return events.length === 0 ? nothing : commands.apply(tx, gateway, events);
}

/** The gateway's stream has been applied up to this instant of its clock, where the batch says so. */
const lastClock = (lines: readonly ParsedLine[]): number | undefined => {
  const clock = lines.findLast(({ event }) => event.type === 'clock')?.event;
  return clock?.type === 'clock' ? clock.at : undefined;
};

/** Finds the devices; lines of devices that are not registered and may not be are rejected. */
async function resolve(
  lines: readonly ParsedLine[],
  rejected: Rejection[],
  { directory, autoRegister, clock }: EventServiceDeps,
): Promise<Resolved[]> {
  const imeis = new Set<string>();
  for (const { event } of lines) {
    const imei = imeiOf(event);
    if (imei !== undefined && event.type !== 'knock') imeis.add(imei);
  }
  const known = await directory.resolve(imeis, autoRegister);
  const now = clock.now();
  const items: Resolved[] = [];
  for (const { event, attributes } of lines) {
    const imei = imeiOf(event);
    const device = imei === undefined ? undefined : known.get(imei);
    if (device === undefined && imei !== undefined && event.type !== 'knock') {
      rejected.push({ seq: event.seq, code: 'unknown-device', detail: `${imei} is not registered` });
    } else {
      items.push(resolveEvent(event, device, now, attributes));
    }
  }
  return items;
}

async function makePartitions(items: readonly Resolved[], deps: EventServiceDeps): Promise<void> {
  const times: number[] = [];
  const instants: number[] = [];
  for (const { event, row } of items) {
    if (row !== undefined) times.push(row.time);
    else if (event.type !== 'position') instants.push(event.at);
  }
  await deps.positionMonths.ensure(times);
  await deps.timelineDays.ensure(instants);
}
