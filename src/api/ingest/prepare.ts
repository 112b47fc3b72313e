import type { GatewayEvent } from '../../contract/events.ts';
import type { Arena, DuplicateHeuristic } from '../../platform/postgres/index.ts';
import type { Directory, KnownDevice } from '../device-directory/index.ts';
import { NOTHING_PACKED, type PackedLines, type ParsedLines } from './json-lines.ts';
import { PackedFrames } from './packed-frames.ts';
import type { Partitions } from './partitions.ts';
import { PackedPositions } from './positions/packed-batch.ts';
import type { ApplierDeps, BatchSource, Prepared } from './single-transaction.ts';
import { prepareEvents, type Resolved, resolveEvent } from './statements.ts';
import type { Rejection } from './store.ts';

export interface PrepareDeps extends ApplierDeps {
  readonly directory: Directory;
  readonly positionMonths: Partitions;
  readonly timelineDays: Partitions;
  readonly autoRegister: boolean;
  readonly duplicates: DuplicateHeuristic;
}

/** What can be done for a batch before it is its turn. `arena`: where its columns are made. */
export async function prepareBatch(
  { gateway }: BatchSource,
  parsed: ParsedLines,
  arena: Arena,
  deps: PrepareDeps,
): Promise<Prepared> {
  const found = [...parsed.rejected];
  const resolved = await resolve(parsed, found, deps, arena);
  await makePartitions(resolved, deps);
  const { items, packed, frames } = resolved;
  const isOfCommands = items.some(({ event }) => deps.commands?.eventTypes.has(event.type));
  const { clock, defaultTenantId, feed } = deps;
  const mode = deps.duplicates.writeMode();
  const batch = { gateway, now: clock.now(), defaultTenantId, feed, mode };
  const write = isOfCommands ? undefined : prepareEvents(items, batch, packed, frames);
  return { ...resolved, found, mode, write };
}

const imeiOf = (event: GatewayEvent): string | undefined =>
  event.type === 'position' ? event.position.deviceId : 'imei' in event ? event.imei : undefined;

/** Finds the devices; lines of devices that are not registered and may not be are rejected. */
async function resolve(
  { lines, packed = NOTHING_PACKED, frames = NOTHING_PACKED }: ParsedLines,
  rejected: Rejection[],
  { directory, autoRegister, clock }: PrepareDeps,
  arena: Arena,
): Promise<Pick<Prepared, 'items' | 'packed' | 'seqs' | 'frames'>> {
  const imeis = new Set<string>(packed.deviceIds);
  for (const imei of frames.deviceIds) if (imei !== '') imeis.add(imei);
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
  const positions = resolvePacked(packed, known, refuse);
  const raw = resolvePacked(frames, known, refuse);
  return {
    items,
    packed: new PackedPositions(packed.bytes, positions.starts, positions.devices as readonly KnownDevice[], arena),
    seqs: positions.seqs,
    frames: new PackedFrames(raw, raw.devices, arena),
  };
}

/** Those whose device is known, or is nobody, and the devices. */
function resolvePacked(
  { bytes, seqs, starts, ends, deviceIds }: PackedLines,
  known: ReadonlyMap<string, KnownDevice>,
  refuse: (seq: number, imei: string) => void,
): PackedLines & { readonly devices: readonly (KnownDevice | undefined)[] } {
  const devices = deviceIds.map((imei) => known.get(imei));
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

async function makePartitions(
  { items, packed, frames }: Pick<Prepared, 'items' | 'packed' | 'frames'>,
  deps: PrepareDeps,
): Promise<void> {
  const times: number[] = [];
  const instants = Array.from({ length: frames.count }, (_, index) => frames.at(index));
  for (const { event, row } of items) {
    if (row !== undefined) times.push(row.time);
    else if ('at' in event) instants.push(event.at);
  }
  await deps.positionMonths.ensure(times);
  await deps.positionMonths.ensure(packed.times);
  await deps.timelineDays.ensure(instants);
}
