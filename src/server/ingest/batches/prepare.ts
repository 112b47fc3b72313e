import type { GatewayEvent } from '../../../contract/events.ts';
import type { Arena } from '../../database/index.ts';
import type { Directory, KnownDevice } from '../../devices/directory/index.ts';
import { FILED_AFTER_MS, readerOf } from '../../history/index.ts';
import type { BatchSource, PreparedBatch, ReadBatch, StoreDeps } from './batch.ts';
import { counterOf } from './counts.ts';
import { PackedFrames } from './packed-frames.ts';
import type { PackedRecords } from './packed-records.ts';
import type { Partitions } from './partitions.ts';
import { type ClockLimits, checkClocks, findSuspects, markSuspect } from './positions/clocks.ts';
import { PackedPositions } from './positions/packed-batch.ts';
import { checkPlaces, findImplausible, markJump } from './positions/places.ts';
import { rememberLast } from './positions/remember-last.ts';
import { isBeforeToday } from './positions/write.ts';
import { prepareStatements, type ResolvedEvent, resolveEvent } from './statements.ts';
import type { Rejection } from './store.ts';

export interface PrepareDeps extends StoreDeps {
  readonly directory: Directory;
  readonly positionMonths: Partitions;
  readonly timelineDays: Partitions;
  readonly autoRegister: boolean;
  readonly clockLimits: ClockLimits;
}

/**
 * Everything that can be done before the batch is the first in its spool's queue: finds the devices, creates missing
 * partitions, makes the statements. `arena`: memory for the columns.
 */
export async function prepareBatch(
  source: BatchSource,
  batch: ReadBatch,
  arena: Arena,
  deps: PrepareDeps,
): Promise<PreparedBatch> {
  const { firstSeq, lastSeq, events } = batch;
  const rejected = [...batch.rejected];
  const received = await resolve(batch, rejected, deps, arena);
  const resolved = await withoutFiled(received, deps);
  await createMissingPartitions(resolved, deps);
  const { items, positions, frames } = resolved;
  const concernsCommands = items.some(({ event }) => deps.commands?.eventTypes.has(event.type));
  const { clock, defaultTenantId, feed, knownLimits } = deps;
  const rows = items.flatMap(({ row }) => row ?? []);
  const isKnown = [deps.recentIds.note(rows), deps.recentIds.notePacked(positions)].includes(true);
  const now = clock.now();
  const isPast =
    isBeforeToday(positions.oldest(), now) || items.some(({ row }) => isBeforeToday(row?.time ?? now, now));
  const mode = isKnown || isPast ? 'careful' : deps.duplicates.writeMode();
  const context = { gateway: source.gateway, now, defaultTenantId, feed, mode, knownLimits };
  const write = concernsCommands ? undefined : prepareStatements(items, context, positions, frames);
  rejected.sort((a, b) => a.seq - b.seq);
  const countReceived = counterOf(received);
  return {
    ...resolved,
    source,
    firstSeq,
    lastSeq,
    rejected,
    gatewayClock: lastClock(events),
    mode,
    write,
    countReceived,
  };
}

const lastClock = (events: readonly GatewayEvent[]): number | undefined => {
  const clock = events.findLast(({ type }) => type === 'clock');
  return clock?.type === 'clock' ? clock.at : undefined;
};

const imeiOf = (event: GatewayEvent): string | undefined =>
  event.type === 'position' ? event.position.deviceId : 'imei' in event ? event.imei : undefined;

/** Finds the devices; records of devices that are not registered, and must not be, are rejected. */
async function resolve(
  { events, positions, frames }: ReadBatch,
  rejected: Rejection[],
  { directory, autoRegister, clock, clockLimits }: PrepareDeps,
  arena: Arena,
): Promise<Resolved> {
  const imeis = new Set<string>();
  const add = rememberLast((imei: string) => imeis.add(imei));
  positions.deviceIds.forEach(add);
  frames.deviceIds.forEach(add);
  // of devices that had not identified themselves
  imeis.delete('');
  for (const event of events) {
    const imei = imeiOf(event);
    if (imei !== undefined && event.type !== 'knock') imeis.add(imei);
  }
  const known = await directory.resolve(imeis, autoRegister);
  const refuse = (seq: number, imei: string): void => {
    rejected.push({ seq, code: 'unknown-device', detail: `${imei} is not registered` });
  };
  const now = clock.now();
  const items: ResolvedEvent[] = [];
  for (const event of events) {
    const imei = imeiOf(event);
    const device = imei === undefined ? undefined : known.get(imei);
    if (device === undefined && imei !== undefined && event.type !== 'knock') {
      // the end of a session of a device that was removed meanwhile is of no use to anybody
      if (event.type !== 'session-closed') refuse(event.seq, imei);
    } else items.push(resolveEvent(event, device, now));
  }
  const kept = resolvePacked(positions, known, refuse);
  const keptFrames = resolvePacked(frames, known, refuse);
  const packed = new PackedPositions(kept.bytes, kept.starts, kept.devices as readonly KnownDevice[], arena);
  const suspects = findSuspects(packed, clockLimits, now);
  const { zero, jumps } = findImplausible(packed);
  for (const index of zero) packed.invalidate(index);
  const apart = new Set([...suspects, ...jumps]);
  const marked = [...apart].map((index): ResolvedEvent => {
    const row = packed.row(index);
    return {
      event: { type: 'packed', seq: kept.seqs[index]! },
      device: packed.devices[index],
      row: suspects.has(index) ? markSuspect(row) : markJump(row),
    };
  });
  return {
    items: [...withChecked(items, clockLimits, now), ...marked].sort((a, b) => a.event.seq - b.event.seq),
    positions: packed.without(apart),
    seqs: leaveOut(kept.seqs, apart),
    frames: new PackedFrames(keptFrames, keptFrames.devices, arena),
  };
}

const leaveOut = <T>(list: readonly T[], places: ReadonlySet<number>): readonly T[] =>
  places.size === 0 ? list : list.filter((_, index) => !places.has(index));

type Resolved = Pick<PreparedBatch, 'items' | 'positions' | 'seqs' | 'frames'>;

/** Records that devices send again after they were moved to files are stored already. */
async function withoutFiled(resolved: Resolved, { pool, clock }: PrepareDeps): Promise<Resolved> {
  const history = readerOf(pool);
  if (history === undefined) return resolved;
  const { items, positions, seqs } = resolved;
  const before = clock.now() - FILED_AFTER_MS;
  const rows = items.flatMap(({ row }) => row ?? []);
  const old: number[] = [];
  positions.times.forEach((time, index) => {
    if (time < before) old.push(index);
  });
  const known = await history.findKnown([...rows, ...old.map((index) => positions.key(index))]);
  if (known.size === 0) return resolved;
  let next = 0;
  const filed = new Set(old.filter((_, index) => known.has(rows.length + index)));
  return {
    ...resolved,
    items: items.filter(({ row }) => row === undefined || !known.has(next++)),
    positions: positions.without(filed),
    seqs: leaveOut(seqs, filed),
  };
}

/** Positions that are not packed likewise. */
function withChecked(items: readonly ResolvedEvent[], limits: ClockLimits, now: number): readonly ResolvedEvent[] {
  const rows = items.flatMap(({ row }) => (row === undefined ? [] : [row]));
  if (rows.length === 0) return items;
  const checked = checkPlaces(checkClocks(rows, limits, now));
  if (checked === rows) return items;
  let next = 0;
  return items.map((item) => (item.row === undefined ? item : { ...item, row: checked[next++] }));
}

/** The records whose device is registered or has not identified itself, and their devices. */
function resolvePacked(
  { bytes, seqs, starts, ends, deviceIds }: PackedRecords,
  known: ReadonlyMap<string, KnownDevice>,
  refuse: (seq: number, imei: string) => void,
): PackedRecords & { readonly devices: readonly (KnownDevice | undefined)[] } {
  const devices = deviceIds.map(rememberLast((imei: string) => known.get(imei)));
  const isKept = (index: number): boolean => devices[index] !== undefined || deviceIds[index] === '';
  if (devices.every((_, index) => isKept(index))) return { bytes, seqs, starts, ends, deviceIds, devices };
  for (const [index, imei] of deviceIds.entries()) if (!isKept(index)) refuse(seqs[index]!, imei);
  const keep = <T>(list: readonly T[]): T[] => list.filter((_, index) => isKept(index));
  return {
    bytes,
    seqs: keep(seqs),
    starts: keep(starts),
    ends: keep(ends),
    deviceIds: keep(deviceIds),
    devices: keep(devices),
  };
}

async function createMissingPartitions(
  { items, positions, frames }: Pick<PreparedBatch, 'items' | 'positions' | 'frames'>,
  deps: PrepareDeps,
): Promise<void> {
  const times: number[] = [];
  const instants = Array.from({ length: frames.count }, (_, index) => frames.at(index));
  for (const { event, row } of items) {
    if (row !== undefined) times.push(row.time);
    else if ('at' in event) instants.push(event.at);
  }
  await deps.positionMonths.ensure(times);
  await deps.positionMonths.ensure(positions.times);
  await deps.timelineDays.ensure(instants);
}
