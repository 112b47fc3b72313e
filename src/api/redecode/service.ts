import type pg from 'pg';
import type { StoredPosition } from '../../contract/internal.ts';
import { readTrack } from '../position-history/index.ts';
import { toStoredPosition } from '../position-view/index.ts';
import { type Comparison, compare, type Difference, type Redecoded, type Values } from './compare.ts';
import * as store from './store.ts';

/** Decodes the frames of a connection in their order; undefined for a protocol that does not exist. */
export type PositionDecoder = (connection: {
  readonly protocol: string;
  readonly transport: string;
  readonly deviceId: string;
  readonly options: Readonly<Record<string, string | number | boolean>>;
}) =>
  | ((frame: {
      readonly bytes: Uint8Array;
      /** epoch ms */
      readonly at: number;
    }) => readonly { readonly id: string; readonly time: number; readonly position: unknown }[])
  | undefined;

export interface RedecodeReport {
  readonly devices: number;
  readonly frames: number;
  readonly same: number;
  readonly changed: number;
  readonly added: number;
  readonly missing: number;
  readonly attributes: Readonly<Record<string, Difference>>;
}

export interface RedecodeDeps {
  readonly pools: { readonly app: pg.Pool; readonly ingest: pg.Pool };
  readonly decode: PositionDecoder;
  readonly progress?: (devices: number, of: number) => void;
}

const FRAMES = 1_000;
const POSITIONS = 1_000;

/** What today's decoder would give for the frames that are kept, beside what is stored. Changes nothing. */
export async function redecode(query: store.FramesQuery, deps: RedecodeDeps): Promise<RedecodeReport> {
  const result: Comparison = { same: 0, changed: 0, added: 0, missing: 0, differences: new Map() };
  const devices = await store.listDevices(deps.pools.ingest, query);
  let frames = 0;
  for (const [index, device] of devices.entries()) {
    const decoded = await decodeDevice(device, query, deps);
    frames += decoded.frames;
    await compareDevice(device, query.protocol, decoded.positions, deps.pools.app, result);
    deps.progress?.(index + 1, devices.length);
  }
  const { differences, ...counts } = result;
  const attributes = Object.fromEntries([...differences].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { devices: devices.length, frames, ...counts, attributes };
}

async function decodeDevice(
  device: store.Subject,
  query: store.FramesQuery,
  { pools, decode }: RedecodeDeps,
): Promise<{ frames: number; positions: Redecoded[] }> {
  const connections = new Map<string, ReturnType<PositionDecoder>>();
  const positions: Redecoded[] = [];
  let frames = 0;
  for (let after: store.StoredFrame | undefined; ; ) {
    const rows: store.StoredFrame[] = await store.readFrames(pools.ingest, device.id, query, after, FRAMES);
    for (const { gateway, conn, transport, bytes, at } of rows) {
      const key = `${gateway} ${conn}`;
      if (!connections.has(key)) {
        const { imei: deviceId, options } = device;
        connections.set(key, decode({ protocol: query.protocol, transport: transport ?? 'tcp', deviceId, options }));
      }
      for (const { position, ...rest } of connections.get(key)?.({ bytes, at }) ?? []) {
        positions.push({ ...rest, values: valuesOf(position as StoredPosition) });
      }
    }
    frames += rows.length;
    after = rows.at(-1);
    if (rows.length < FRAMES) return { frames, positions };
  }
}

async function compareDevice(
  { imei, tenantId }: store.Subject,
  protocol: string,
  decoded: readonly Redecoded[],
  app: pg.Pool,
  result: Comparison,
): Promise<void> {
  if (decoded.length === 0) return;
  const byTime = groupByTime(decoded);
  const times = [...byTime.keys()];
  const from = times.reduce((a, b) => Math.min(a, b));
  const to = times.reduce((a, b) => Math.max(a, b));
  const stored: Redecoded[] = [];
  for (let after: { time: number; id: string } | undefined; ; ) {
    const page = { imei, from, to, after, limit: POSITIONS, withOptions: false, clockSuspect: false };
    const rows: NonNullable<Awaited<ReturnType<typeof readTrack>>> = (await readTrack(app, tenantId, page)) ?? [];
    for (const row of rows.filter((one) => one.protocol === protocol)) {
      const position = toStoredPosition(row);
      stored.push({ id: position.id, time: row.time, values: valuesOf(position) });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < POSITIONS) break;
    after = { time: last.time, id: last.id.toString('hex') };
  }
  const storedByTime = groupByTime(stored);
  for (const time of new Set([...times, ...storedByTime.keys()])) {
    compare(imei, byTime.get(time) ?? [], storedByTime.get(time) ?? [], result);
  }
}

function groupByTime(positions: readonly Redecoded[]): Map<number, Redecoded[]> {
  const groups = new Map<number, Redecoded[]>();
  for (const position of positions) {
    const group = groups.get(position.time);
    if (group === undefined) groups.set(position.time, [position]);
    else if (!group.some(({ id }) => id === position.id)) group.push(position);
  }
  return groups;
}

const TIMES = new Set(['deviceTime', 'fixTime']);
/** not what the device has sent: a suspect record is marked when it is stored */
const OTHERS = new Set(['id', 'imei', 'deviceId', 'protocol', 'serverTime', 'attributes', 'clockSuspect']);

function valuesOf(position: StoredPosition): Values {
  const isSuspect = position.clockSuspect === true;
  const own = Object.entries(position)
    .filter(([name]) => !OTHERS.has(name) && !(isSuspect && name === 'valid'))
    .map(([name, value]) => [name, TIMES.has(name) ? new Date(value as string).toISOString() : value]);
  const attributes = Object.entries(position.attributes).map(([name, value]) => [`attributes.${name}`, value]);
  return Object.fromEntries([...own, ...attributes]);
}
