import type { GatewayEvent } from '../../contract/events.ts';
import { appendDetail, type Feed, type SessionStep } from '../../feed/index.ts';
import { allSent, type Queryable, storableText, type WriteMode } from '../../platform/postgres/index.ts';
import type { KnownDevice } from '../device-directory/index.ts';
import { upsertSessions } from '../gateways/index.ts';
import { NO_FRAMES, type PackedFrames } from './packed-frames.ts';
import { batchOfRows, type PositionBatch } from './positions/batch.ts';
import { type PositionRow, toRow } from './positions/row.ts';
import { prepareWrite } from './positions/write.ts';
import { foldSessions } from './session-changes.ts';
import * as store from './store.ts';
import { isOnTimeline, type TimelineRow, toTimelineRow } from './timeline-rows.ts';

export interface PackedEvent {
  readonly type: 'packed';
  readonly seq: number;
}

/** An event of a device that is known, or of nobody. */
export interface Resolved {
  /** of a position that came packed there is no more than this */
  readonly event: GatewayEvent | PackedEvent;
  readonly device: KnownDevice | undefined;
  /** of a position: made once, also where the batch is applied in pieces */
  readonly row?: PositionRow | undefined;
}

export interface Batch {
  readonly gateway: string;
  readonly mode: WriteMode;
  /** epoch ms of this process */
  readonly now: number;
  /** where devices that nobody knows are listed */
  readonly defaultTenantId: number;
  readonly feed?: Feed | undefined;
}

export function resolveEvent(
  event: GatewayEvent,
  device: KnownDevice | undefined,
  now: number,
  attributes?: string,
): Resolved {
  const isPosition = event.type === 'position' && device !== undefined;
  return { event, device, ...(isPosition ? { row: toRow(event.position, device, now, attributes) } : {}) };
}

/** Frames as the events that they are. */
export const unpackFrames = (frames: PackedFrames): Resolved[] =>
  frames.seqs.map((_, index) => ({ event: frames.event(index), device: frames.devices[index] }));

/**
 * Makes ready what writes the events; its statements travel together. Number of new positions. `packed` positions
 * follow those of the events.
 */
export function prepareEvents(
  items: readonly Resolved[],
  batch: Batch,
  packed?: PositionBatch,
  frames = NO_FRAMES,
): (tx: Queryable) => Promise<number> {
  // what happened in one millisecond stands on the timeline in its order, so it is written by one statement
  if (frames.count > 0 && items.some(({ event }) => isOnTimeline(event))) {
    const all = [...items, ...unpackFrames(frames)].sort((a, b) => a.event.seq - b.event.seq);
    return prepareEvents(all, batch, packed);
  }
  const positions: PositionRow[] = [];
  const timeline: TimelineRow[] = [];
  const sessions: Parameters<typeof foldSessions>[0][number][] = [];
  const seen = new Map<number, number>();
  const knocks: store.UnregisteredDevice[] = [];
  const pieces: store.FileChunk[] = [];
  for (const { event, device, row } of items) {
    if (row !== undefined) {
      positions.push(row);
      continue;
    }
    if (event.type === 'packed') continue;
    const happened = toTimelineRow(event, device);
    if (happened !== undefined) timeline.push(happened);
    if (event.type === 'knock') knocks.push({ ...event, protocol: storableText(event.protocol) });
    if (device === undefined || event.type === 'position') continue;
    if (event.type === 'session-opened' || event.type === 'session-closed') sessions.push({ event, device });
    else if (event.type === 'file') pieces.push(pieceOf(event, device));
    else seen.set(device.id, Math.max(event.at, seen.get(device.id) ?? 0));
  }
  for (const [index, device] of frames.devices.entries()) {
    if (device !== undefined) seen.set(device.id, Math.max(frames.at(index), seen.get(device.id) ?? 0));
  }
  const stored = join(positions, packed);
  const write = prepareWrite(stored, batch.now, batch.mode, batch.feed);
  const happen = [
    ...(timeline.length > 0 ? [store.prepareTimelineInsert(batch.gateway, timeline)] : []),
    ...(frames.count > 0 ? [store.prepareFrameInsert(frames.columns(batch.gateway))] : []),
  ];
  return async (tx) => {
    const written = write(tx);
    await allSent([
      written,
      ...happen.map((insert) => insert(tx)),
      ...(sessions.length > 0 ? [upsertSessions(tx, batch.gateway, foldSessions(sessions))] : []),
      ...(sessions.length > 0 && batch.feed !== undefined ? [appendDetail(tx, 'sessions', stepsOf(sessions))] : []),
      ...(seen.size > 0 ? [store.touchSessions(tx, seen)] : []),
      ...(knocks.length > 0 ? [store.recordUnregisteredDevices(tx, batch.defaultTenantId, knocks)] : []),
      ...pieces.map((piece) => store.storeFileChunk(tx, piece)),
    ]);
    return written;
  };
}

/** A gateway's positions come in one form; what was kept in another one is rare. */
function join(rows: readonly PositionRow[], packed: PositionBatch | undefined): PositionBatch {
  if (packed === undefined || packed.count === 0) return batchOfRows(rows);
  return rows.length === 0 ? packed : batchOfRows([...rows, ...packed.rows()]);
}

const stepsOf = (sessions: Parameters<typeof foldSessions>[0]): SessionStep[] =>
  sessions.map(({ event, device }) => ({
    deviceId: device.id,
    state: event.type === 'session-opened' ? 'online' : 'offline',
    at: event.at,
  }));

function pieceOf(event: Extract<GatewayEvent, { type: 'file' }>, device: KnownDevice): store.FileChunk {
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
