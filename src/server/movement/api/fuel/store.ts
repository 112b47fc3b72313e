import type pg from 'pg';
import { copyAsTenant, formatTimestamp, queryAsTenant, readTimestamp } from '../../../database/index.ts';
import { merge, readerOf } from '../../../history/index.ts';
import type { FuelSample } from '../../track/fuel.ts';
import type { Stretch } from '../fixes/store.ts';

/**
 * Readings of one numeric attribute, in order. `attribute` is a name of letters and digits. Looking for it in the text
 * comes first: most records have none, and are not parsed then; the others are once, and what came out is read here.
 */
export async function readLevels(
  streams: pg.Pool,
  tenantId: number,
  { deviceId, from, to }: Stretch,
  attribute: string,
  add: (sample: FuelSample) => void,
  signal: AbortSignal,
): Promise<void> {
  if (!/^[A-Za-z][A-Za-z0-9]{0,63}$/.test(attribute)) return;
  const stretch = { deviceId, from, to };
  const history = readerOf(streams);
  if (history === undefined) {
    await readRowLevels(streams, tenantId, stretch, attribute, add, signal);
    return;
  }
  await history.across(tenantId, stretch, {
    rows: (part, guard) => readRowLevels(streams, tenantId, part, attribute, add, signal, guard),
    async files(part) {
      signal.throwIfAborted();
      const late = await readLateRows(history.app, tenantId, part, attribute);
      const found = await history.find(tenantId, part);
      const rows = await history.readRows(found, { containing: `"${attribute}"`, isSuspect: false });
      for (const row of merge<LevelRow>(late, rows)) {
        const level = (JSON.parse(row.attributes) as Record<string, unknown>)[attribute];
        if (typeof level !== 'number' || !Number.isFinite(level)) continue;
        const { time, latitude, longitude, speed, ignition } = row;
        add({
          at: time,
          level,
          latitude: latitude ?? undefined,
          longitude: latitude === null ? undefined : (longitude ?? undefined),
          speed: speed ?? undefined,
          ignition: ignition ?? undefined,
        });
      }
    },
  });
}

interface LevelRow {
  readonly time: number;
  readonly id: Buffer;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly speed: number | null;
  readonly ignition: boolean | null;
  readonly attributes: string;
}

const readLateRows = (pool: pg.Pool, tenantId: number, { deviceId, from, to }: Stretch, attribute: string) =>
  queryAsTenant<LevelRow & { [column: string]: unknown }>(pool, tenantId, {
    text: `select time, id, latitude, longitude, speed, ignition, attributes::text as attributes from position_all
      where device_id = $1 and tenant_id = $2 and time >= $3::timestamptz and time <= $4::timestamptz
        and not clock_suspect and strpos(attributes::text, $5) > 0 order by time, id`,
    values: [deviceId, tenantId, formatTimestamp(from), formatTimestamp(to), `"${attribute}"`],
  });

async function readRowLevels(
  streams: pg.Pool,
  tenantId: number,
  { deviceId, from, to }: Stretch,
  attribute: string,
  add: (sample: FuelSample) => void,
  signal: AbortSignal,
  guard?: pg.QueryConfig,
): Promise<void> {
  const numbers = [deviceId, tenantId].map((id) => String(Math.trunc(id)));
  const text = `copy (select time, (attributes->'${attribute}')::text, latitude, longitude, speed, ignition from position_all
    where device_id = ${numbers[0]} and tenant_id = ${numbers[1]} and time >= '${formatTimestamp(from)}'::timestamptz
      and time <= '${formatTimestamp(to)}'::timestamptz and not clock_suspect
      and strpos(attributes::text, '"${attribute}"') > 0
    order by time, id) to stdout (format binary)`;
  await copyAsTenant(
    streams,
    tenantId,
    text,
    {
      row(view, at) {
        const length = view.getInt32(at + 14);
        const level = readNumber(view, at + 18, length);
        if (level === undefined) return;
        const first = at + 18 + length;
        const hasPlace = view.getInt32(first) >= 0;
        const second = first + 4 + (hasPlace ? 8 : 0);
        const hasSecond = view.getInt32(second) >= 0;
        const third = second + 4 + (hasSecond ? 8 : 0);
        const hasSpeed = view.getInt32(third) >= 0;
        const fourth = third + 4 + (hasSpeed ? 8 : 0);
        add({
          at: readTimestamp(view, at + 6),
          level,
          latitude: hasPlace ? view.getFloat64(first + 4) : undefined,
          longitude: hasPlace && hasSecond ? view.getFloat64(second + 4) : undefined,
          speed: hasSpeed ? view.getFloat64(third + 4) : undefined,
          ignition: view.getInt32(fourth) < 0 ? undefined : view.getInt8(fourth + 4) !== 0,
        });
      },
    },
    signal,
    guard,
  );
}

const NEWEST = 20;

/** Names of the attributes of the newest records of an interval. */
export async function readAttributeNames(app: pg.Pool, tenantId: number, stretch: Stretch): Promise<readonly string[]> {
  const rows = await queryAsTenant<NewestRow & { [column: string]: unknown }>(app, tenantId, {
    name: 'read-attribute-names',
    text: `select time, id, attributes::text as attributes from position_all
           where device_id = $2 and tenant_id = $1 and time >= $3::timestamptz and time <= $4::timestamptz
           order by time desc, id desc limit ${NEWEST}`,
    values: [tenantId, stretch.deviceId, formatTimestamp(stretch.from), formatTimestamp(stretch.to)],
  });
  const history = readerOf(app);
  const filed =
    history === undefined
      ? []
      : await history.readRows(await history.find(tenantId, stretch), { newestFirst: true, limit: NEWEST });
  const newest = merge<NewestRow>([...rows].reverse(), [...filed].reverse()).slice(-NEWEST);
  return [...new Set(newest.flatMap(({ attributes }) => Object.keys(JSON.parse(attributes) as object)))].sort();
}

interface NewestRow {
  readonly time: number;
  readonly id: Buffer;
  readonly attributes: string;
}

/** The number that a JSON text is; undefined for other values and without a text. */
function readNumber(view: DataView, at: number, length: number): number | undefined {
  if (length < 1) return undefined;
  const first = view.getUint8(at);
  if (first !== MINUS && (first < ZERO || first > NINE)) return undefined;
  let text = '';
  for (let i = 0; i < length; i++) text += String.fromCharCode(view.getUint8(at + i));
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
