import type pg from 'pg';
import type { StoredPosition } from '../../../contract/internal.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import type { FiledFrame, FrameReader } from '../../history/index.ts';
import { readTrack } from '../../positions/history/index.ts';
import { toStoredPosition } from '../../positions/view/index.ts';
import { type Change, type Comparison, compare, type Difference, type Redecoded, type Values } from './compare.ts';
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
  /** frames that are in files */
  readonly frames: FrameReader;
  readonly progress?: (devices: number, of: number) => void;
}

/** A position that the decoder gives, as a gateway would send it. */
export interface Decoded extends Redecoded {
  readonly position: unknown;
}

export interface Stored extends Redecoded {
  readonly isSuspect: boolean;
  /** epoch ms */
  readonly deviceTime: number | undefined;
}

export type PositionChange = Change<Decoded, Stored>;

const FRAMES = 1_000;
const POSITIONS = 1_000;
/** a time that was decoded in another way is searched for so far from those of today */
const APART_MS = DAY_MS;

/** What today's decoder gives for the frames that are kept, beside what is stored. Changes nothing by itself. */
export async function redecode(
  query: store.FramesQuery,
  deps: RedecodeDeps,
  take: (device: store.Subject, changes: readonly PositionChange[]) => Promise<void> = async () => undefined,
): Promise<RedecodeReport> {
  const result: Comparison = { same: 0, changed: 0, added: 0, missing: 0, differences: new Map() };
  const devices = await store.listDevices(deps.pools.ingest, query, await deps.frames.devices(query));
  let frames = 0;
  for (const [index, device] of devices.entries()) {
    const read = readerOfDevice(device, query, deps);
    for (let from = query.from; from < query.to; from += DAY_MS) {
      const day = { ...query, from, to: Math.min(query.to, from + DAY_MS) };
      const decoded = await read(day);
      frames += decoded.frames;
      if (decoded.positions.length === 0) continue;
      const changes = await compareDay(device, day, decoded.positions, deps.pools.app, result);
      if (changes.length > 0) await take(device, changes);
    }
    deps.progress?.(index + 1, devices.length);
  }
  const { differences, ...counts } = result;
  const attributes = Object.fromEntries([...differences].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { devices: devices.length, frames, ...counts, attributes };
}

/** Connections of a device go on from one day to the next. */
function readerOfDevice(device: store.Subject, { protocol }: store.FramesQuery, deps: RedecodeDeps) {
  const connections = new Map<string, ReturnType<PositionDecoder>>();
  return async (day: store.FramesQuery): Promise<{ frames: number; positions: Decoded[] }> => {
    const positions: Decoded[] = [];
    let frames = 0;
    for await (const { gateway, conn, transport, bytes, at } of framesOf(device.id, day, deps)) {
      const key = `${gateway} ${conn}`;
      if (!connections.has(key)) {
        const { imei: deviceId, options } = device;
        connections.set(key, deps.decode({ protocol, transport: transport ?? 'tcp', deviceId, options }));
      }
      for (const { position, ...rest } of connections.get(key)?.({ bytes, at }) ?? []) {
        positions.push({ ...rest, position, arrivedAt: at, values: valuesOf(position as StoredPosition) });
      }
      frames += 1;
    }
    return { frames, positions };
  };
}

/** In their order; of a day that has a file, those that came after it was written are rows. */
async function* framesOf(
  deviceId: number,
  day: store.FramesQuery,
  { pools, frames }: RedecodeDeps,
): AsyncGenerator<FiledFrame> {
  const filed = await frames.frames(deviceId, day);
  let next = 0;
  for (let after: store.StoredFrame | undefined; ; ) {
    const rows: store.StoredFrame[] = await store.readFrames(pools.ingest, deviceId, day, after, FRAMES);
    for (const row of rows) {
      while (next < filed.length && isBefore(filed[next]!, row)) yield filed[next++]!;
      yield row;
    }
    after = rows.at(-1);
    if (rows.length < FRAMES) break;
  }
  while (next < filed.length) yield filed[next++]!;
}

const isBefore = (a: FiledFrame, b: FiledFrame): boolean => a.at < b.at || (a.at === b.at && a.id < b.id);

async function compareDay(
  { imei, tenantId }: store.Subject,
  day: store.FramesQuery,
  decoded: readonly Decoded[],
  app: pg.Pool,
  result: Comparison,
): Promise<PositionChange[]> {
  const times = decoded.map(({ time }) => time);
  const from = times.reduce((a, b) => Math.min(a, b));
  const to = times.reduce((a, b) => Math.max(a, b));
  const stored: Stored[] = [];
  for (let after: { time: number; id: string } | undefined; ; ) {
    const range = { imei, from: from - APART_MS, to: to + APART_MS };
    const page = { ...range, after, limit: POSITIONS, withOptions: false, clockSuspect: false };
    const rows: NonNullable<Awaited<ReturnType<typeof readTrack>>> = (await readTrack(app, tenantId, page)) ?? [];
    for (const row of rows.filter((one) => one.protocol === day.protocol)) {
      const position = toStoredPosition(row);
      stored.push({
        id: position.id,
        time: row.time,
        arrivedAt: row.serverTime,
        values: valuesOf(position),
        isSuspect: row.clockSuspect === true,
        deviceTime: row.deviceTime ?? undefined,
      });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < POSITIONS) break;
    after = { time: last.time, id: last.id.toString('hex') };
  }
  const isExpected = ({ time, arrivedAt }: Stored): boolean =>
    arrivedAt >= day.from && arrivedAt < day.to && time >= from && time <= to;
  return compare(imei, decoded, stored, isExpected, result);
}

const TIMES = new Set(['deviceTime', 'fixTime']);
/** not what the device has sent: a suspect record is marked when it is stored */
const OTHERS = new Set([
  'id',
  'imei',
  'deviceId',
  'protocol',
  'serverTime',
  'attributes',
  'clockSuspect',
  'implausible',
]);

function valuesOf(position: StoredPosition): Values {
  // as it is stored: 0, 0 is no place
  const valid = position.valid && !(position.latitude === 0 && position.longitude === 0);
  const own = Object.entries({ ...position, valid })
    .filter(([name]) => !OTHERS.has(name))
    .map(([name, value]) => [name, TIMES.has(name) ? new Date(value as string).toISOString() : value]);
  const attributes = Object.entries(position.attributes).map(([name, value]) => [`attributes.${name}`, value]);
  return Object.fromEntries([...own, ...attributes]);
}
