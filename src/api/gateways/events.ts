import type { GatewayEvent } from '../../contract/events.ts';
import { createHabit } from '../../platform/postgres/index.ts';
import type { Directory, KnownDevice } from '../devices/directory/index.ts';
import { PackedRows } from '../positions/packed-rows.ts';
import type { Partitions } from '../positions/partitions.ts';
import { prepareEvents, type Resolved, resolveEvent } from './apply.ts';
import { applyInTurn } from './in-turn.ts';
import { createLanes } from './lanes.ts';
import { type PackedLines, type ParsedLines, parseLines } from './lines.ts';
import {
  type ApplierDeps,
  createApplier,
  type EventSource,
  type EventsAnswer,
  lastClock,
  nothing,
  type Prepared,
} from './once.ts';
import { readRecords } from './records.ts';
import type { Rejection } from './store.ts';

export interface EventService {
  /**
   * Applies a batch of NDJSON, or of a spool's records, once, whatever is repeated. Batches of a spool may come before the ones before them have
   * been answered: they are read at once and applied in order. Throws AppError `malformed`, `conflict`, `unavailable`.
   */
  take(source: EventSource, body: string | Buffer): Promise<EventsAnswer>;
}

export interface EventServiceDeps extends ApplierDeps {
  readonly directory: Directory;
  readonly positionMonths: Partitions;
  readonly timelineDays: Partitions;
  readonly autoRegister: boolean;
  readonly onStored: (positions: number) => void;
}

const imeiOf = (event: GatewayEvent): string | undefined =>
  event.type === 'position' ? event.position.deviceId : 'imei' in event ? event.imei : undefined;

export function createEventService(deps: EventServiceDeps): EventService {
  const habit = createHabit();
  const applyOnce = createApplier(deps, habit);
  const lanes = createLanes();
  /** spools whose last batch was applied here with nothing rejected: its last seq */
  const applied = new Map<string, number>();
  return {
    async take(source, body) {
      const parsed = typeof body === 'string' ? parseLines(body) : readRecords(body);
      if (parsed.lastSeq === 0) return { lastSeq: 0, rejected: [] };
      const lane = `${source.gateway} ${source.spool}`;
      const outcome = await lanes.inOrder(lane, prepare(source, parsed), async (prepared) => {
        const isNext = (applied.get(lane) ?? Number.POSITIVE_INFINITY) < parsed.firstSeq;
        const done =
          (isNext ? await applyNext(source, parsed, prepared) : undefined) ??
          (await applyOnce(source, parsed, prepared));
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
    const { items, packed, seqs } = await resolve(parsed, found, deps);
    await makePartitions(items, packed, deps);
    const isOfCommands = items.some(({ event }) => deps.commands?.eventTypes.has(event.type));
    const { clock, defaultTenantId, feed } = deps;
    const batch = { gateway, now: clock.now(), defaultTenantId, feed, manner: habit.manner() };
    return { items, packed, seqs, found, write: isOfCommands ? undefined : prepareEvents(items, batch, packed) };
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
}

/** Finds the devices; lines of devices that are not registered and may not be are rejected. */
async function resolve(
  { lines, packed = NONE }: ParsedLines,
  rejected: Rejection[],
  { directory, autoRegister, clock }: EventServiceDeps,
): Promise<Pick<Prepared, 'items' | 'packed' | 'seqs'>> {
  const imeis = new Set<string>(packed.deviceIds);
  for (const { event } of lines) {
    const imei = imeiOf(event);
    if (imei !== undefined && event.type !== 'knock') imeis.add(imei);
  }
  const known = await directory.resolve(imeis, autoRegister);
  const refuse = (seq: number, imei: string): void => {
    rejected.push({ seq, code: 'unknown-device', detail: `${imei} is not registered` });
  };
  const now = clock.now();
  const items: Resolved[] = [];
  for (const { event, attributes } of lines) {
    const imei = imeiOf(event);
    const device = imei === undefined ? undefined : known.get(imei);
    if (device === undefined && imei !== undefined && event.type !== 'knock') refuse(event.seq, imei);
    else items.push(resolveEvent(event, device, now, attributes));
  }
  return { items, ...resolvePacked(packed, known, refuse) };
}

const NONE: PackedLines = { bytes: Buffer.alloc(0), seqs: [], starts: [], deviceIds: [] };

function resolvePacked(
  { bytes, seqs, starts, deviceIds }: PackedLines,
  known: ReadonlyMap<string, KnownDevice>,
  refuse: (seq: number, imei: string) => void,
): Pick<Prepared, 'packed' | 'seqs'> {
  const of = { seqs: [] as number[], starts: [] as number[], devices: [] as KnownDevice[] };
  for (let index = 0; index < seqs.length; index++) {
    const imei = deviceIds[index]!;
    const device = known.get(imei);
    if (device === undefined) refuse(seqs[index]!, imei);
    else {
      of.seqs.push(seqs[index]!);
      of.starts.push(starts[index]!);
      of.devices.push(device);
    }
  }
  return { packed: new PackedRows(bytes, of.starts, of.devices), seqs: of.seqs };
}

async function makePartitions(items: readonly Resolved[], packed: PackedRows, deps: EventServiceDeps): Promise<void> {
  const times: number[] = [];
  const instants: number[] = [];
  for (const { event, row } of items) {
    if (row !== undefined) times.push(row.time);
    else if ('at' in event) instants.push(event.at);
  }
  await deps.positionMonths.ensure(times);
  await deps.positionMonths.ensure(packed.times);
  await deps.timelineDays.ensure(instants);
}
