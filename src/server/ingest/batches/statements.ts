import type { GatewayEvent } from '../../../contract/events.ts';
import { allSent, type Queryable, storableText } from '../../database/index.ts';
import type { KnownDevice } from '../../devices/directory/index.ts';
import { pinProtocols, upsertSessions } from '../../devices/gateways/index.ts';
import { appendDetail, type SessionStep } from '../feed/index.ts';
import { NO_FRAMES, type PackedFrames } from './packed-frames.ts';
import { addTenants, type ByTenant, batchOfRows, type PositionBatch } from './positions/batch.ts';
import { type PositionRow, toRow } from './positions/row.ts';
import { type PositionWrite, prepareWrite } from './positions/write.ts';
import { foldSessions } from './session-changes.ts';
import * as store from './store.ts';
import { isOnTimeline, type TimelineRow, toTimelineRow } from './timeline-rows.ts';

export interface PackedEvent {
  readonly type: 'packed';
  readonly seq: number;
}

/** An event and its registered device, if it has one. */
export interface ResolvedEvent {
  /** of a packed position only its sequence number */
  readonly event: GatewayEvent | PackedEvent;
  readonly device: KnownDevice | undefined;
  /** columns of positions: made once, also if the batch is stored in parts */
  readonly row?: PositionRow | undefined;
}

/** What the statements of a batch have in common. */
export interface WriteContext extends PositionWrite {
  readonly gateway: string;
  /** tenant under which unregistered devices are listed */
  readonly defaultTenantId: number;
}

export function resolveEvent(event: GatewayEvent, device: KnownDevice | undefined, now: number): ResolvedEvent {
  const isPosition = event.type === 'position' && device !== undefined;
  return { event, device, ...(isPosition ? { row: toRow(event.position, device, now) } : {}) };
}

/** Packed frames as events. */
export const unpackFrames = (frames: PackedFrames): ResolvedEvent[] =>
  frames.seqs.map((_, index) => ({ event: frames.event(index), device: frames.devices[index] }));

/**
 * Makes the statements that write the events. The returned function sends them together, in the calling tick; it
 * resolves to the numbers of new positions. `packed` positions follow those of the events.
 */
export function prepareStatements(
  items: readonly ResolvedEvent[],
  context: WriteContext,
  packed?: PositionBatch,
  frames = NO_FRAMES,
): (tx: Queryable) => Promise<ByTenant> {
  // rows of one millisecond keep their order only if one statement writes them
  if (frames.count > 0 && items.some(({ event }) => isOnTimeline(event))) {
    const all = [...items, ...unpackFrames(frames)].sort((a, b) => a.event.seq - b.event.seq);
    return prepareStatements(all, context, packed);
  }
  const positions: PositionRow[] = [];
  const timeline: TimelineRow[] = [];
  const sessions: Parameters<typeof foldSessions>[0][number][] = [];
  const alarms: SessionAlarm[] = [];
  const seen = new Map<number, number>();
  const unregistered: store.UnregisteredDevice[] = [];
  const chunks: store.FileChunk[] = [];
  for (const { event, device, row } of items) {
    if (row !== undefined) {
      positions.push(row);
      continue;
    }
    if (event.type === 'packed') continue;
    const timelineRow = toTimelineRow(event, device);
    if (timelineRow !== undefined) timeline.push(timelineRow);
    if (event.type === 'knock') unregistered.push({ ...event, protocol: storableText(event.protocol) });
    if (device === undefined || event.type === 'position') continue;
    if (event.type === 'session-opened' || event.type === 'session-closed') sessions.push({ event, device });
    else if (event.type === 'session-taken-over' || event.type === 'login-refused') alarms.push({ event, device });
    else if (event.type === 'file') chunks.push(chunkOf(event, device));
    else seen.set(device.id, Math.max(event.at, seen.get(device.id) ?? 0));
  }
  for (const [index, device] of frames.devices.entries()) {
    if (device !== undefined) seen.set(device.id, Math.max(frames.at(index), seen.get(device.id) ?? 0));
  }
  const writes = batchesOf(positions, packed).map((batch) => prepareWrite(batch, context));
  const timelineInserts = [
    ...(timeline.length > 0 ? [store.prepareTimelineInsert(context.gateway, timeline)] : []),
    ...(frames.count > 0 ? [store.prepareFrameInsert(frames.columns(context.gateway))] : []),
  ];
  const folded = foldSessions(sessions);
  const steps = [...stepsOf(sessions), ...alarms.map(({ event, device }) => alarmOf(event, device))];
  return async (tx) => {
    const written = writes.map((write) => write(tx));
    await allSent([
      ...written,
      ...timelineInserts.map((insert) => insert(tx)),
      ...(folded.length > 0
        ? [upsertSessions(tx, context.gateway, folded), pinProtocols(tx, firstProtocols(sessions))]
        : []),
      ...(steps.length > 0 && context.feed !== undefined ? [appendDetail(tx, 'sessions', steps)] : []),
      ...(seen.size > 0 ? [store.touchSessions(tx, seen)] : []),
      ...(unregistered.length > 0 ? [store.recordUnregisteredDevices(tx, context.defaultTenantId, unregistered)] : []),
      ...chunks.map((chunk) => store.storeFileChunk(tx, chunk)),
    ]);
    const counts = new Map<number, number>();
    for (const each of written) addTenants(counts, await each);
    return counts;
  };
}

/**
 * Positions with a wrong time, which are no device's newest one, and all others: newest positions are locked in one order.
 * Those others are packed, but for records that a spool of an earlier version holds.
 */
function batchesOf(rows: readonly PositionRow[], packed: PositionBatch | undefined): readonly PositionBatch[] {
  if (packed === undefined || packed.count === 0) return [batchOfRows(rows)];
  const suspects = rows.filter(({ clockSuspect }) => clockSuspect === true);
  const others = rows.filter(({ clockSuspect }) => clockSuspect !== true);
  return [batchOfRows(suspects), others.length === 0 ? packed : batchOfRows([...others, ...packed.rows()])];
}

const stepsOf = (sessions: Parameters<typeof foldSessions>[0]): SessionStep[] =>
  sessions.map(({ event, device }) => ({
    deviceId: device.id,
    state: event.type === 'session-opened' ? 'online' : 'offline',
    at: event.at,
  }));

/** The protocol of the first session that each device opens. */
function firstProtocols(sessions: Parameters<typeof foldSessions>[0]): Map<number, string> {
  const first = new Map<number, string>();
  for (const { event, device } of sessions) {
    if (event.type === 'session-opened' && !first.has(device.id)) first.set(device.id, storableText(event.protocol));
  }
  return first;
}

interface SessionAlarm {
  readonly event: Extract<GatewayEvent, { type: 'session-taken-over' | 'login-refused' }>;
  readonly device: KnownDevice;
}

/** The device is not authenticated: another sender may have used its id. */
const alarmOf = (event: SessionAlarm['event'], device: KnownDevice): SessionStep => ({
  deviceId: device.id,
  state: event.type,
  at: event.at,
  remote: storableText(event.remote),
  ...(event.type === 'login-refused' ? { reason: event.reason } : {}),
});

function chunkOf(event: Extract<GatewayEvent, { type: 'file' }>, device: KnownDevice): store.FileChunk {
  return {
    deviceId: device.id,
    tenantId: device.tenantId,
    name: storableText(event.name),
    media: event.media,
    total: event.total,
    at: event.at,
    start: event.offset,
    bytes: Buffer.from(event.bytes, 'base64'),
    last: event.last === true,
  };
}
