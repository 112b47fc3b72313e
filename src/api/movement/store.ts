import type pg from 'pg';
import { copyAsTenant, formatTimestamp, queryAsTenant } from '../../platform/postgres/index.ts';
import { type Fixes, makeFixes } from '../../track/fixes.ts';

export interface DeviceByName {
  readonly id: number;
  readonly imei: string;
  readonly name: string | null;
  readonly hasPosition: boolean;
  readonly options: Readonly<Record<string, string | number | boolean>>;
  readonly [column: string]: unknown;
}

/** Devices with this id or name, the id first; all of the tenant's (200 at most) without one. */
export async function findDevicesByName(
  app: pg.Pool,
  tenantId: number,
  called: { readonly targa: string; readonly written: string } | undefined,
): Promise<DeviceByName[]> {
  return queryAsTenant<DeviceByName>(app, tenantId, {
    name: 'find-devices-by-name',
    text: `
      select d.id, d.imei, d.name, d.options, n.device_id is not null as "hasPosition"
      from device d left join position_newest n on n.device_id = d.id
      where d.tenant_id = $1 and ($2::text is null or d.imei in ($2, $3)
        or upper(regexp_replace(d.name, '[\\s-]', '', 'g')) = $3)
      order by d.imei = $2 desc, d.imei = $3 desc, d.imei limit 200`,
    values: [tenantId, called?.written ?? null, called?.targa ?? null],
  });
}

/** A device's stretch of time, epoch ms, both ends included. */
export interface Stretch {
  readonly deviceId: number;
  readonly from: number;
  readonly to: number;
}

/** A record has a fix to go by: valid, and its own. */
const HAS_FIX = 'valid and not outdated and latitude is not null and longitude is not null';

/**
 * Statements of COPY take no parameters: only numbers and our own texts stand in them. The tenant is held by the policy,
 * once a row: millions of them are read here.
 */
const inStretch = ({ deviceId, from, to }: Stretch): string => {
  return `device_id = ${Math.trunc(deviceId)}
    and time >= '${formatTimestamp(from)}'::timestamptz and time <= '${formatTimestamp(to)}'::timestamptz`;
};

const ROOM = 2_048;

/** What takes fixes: a promise is waited for before more are read. */
export type FeedFixes = (fixes: Fixes) => Promise<void> | undefined | void;

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly most?: number;
  readonly withCourse?: boolean;
}

/**
 * Feeds the valid fixes of a stretch, in order of time and id, as they come from an index-only scan: memory does not
 * grow with their number. At most `most` of them.
 */
export async function readFixes(
  streams: pg.Pool,
  tenantId: number,
  stretch: Stretch,
  feed: FeedFixes,
  { signal, most, withCourse = false }: ReadOptions = {},
): Promise<void> {
  const fixes = makeFixes(ROOM);
  let waiting: Promise<void> | undefined;
  const flush = (): void => {
    if (fixes.count === 0) return;
    const wait = feed(fixes) ?? undefined;
    if (wait !== undefined) waiting = waiting === undefined ? wait : Promise.all([waiting, wait]).then(() => undefined);
    fixes.count = 0;
  };
  const text = `copy (select time, latitude, longitude, speed, ignition${withCourse ? ', course' : ''} from position
    where ${inStretch(stretch)} and valid and not outdated
    order by time, id limit ${most === undefined ? 'all' : Math.trunc(most)}) to stdout (format binary)`;
  await copyAsTenant(
    streams,
    tenantId,
    text,
    {
      row(view, at) {
        if (fixes.count === ROOM) flush();
        fillFix(fixes, view, at);
      },
      pause() {
        flush();
        const wait = waiting;
        waiting = undefined;
        return wait;
      },
    },
    signal,
  );
  flush();
  await waiting;
}

/** ms from the epoch to 2000, PostgreSQL's own */
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);

/** 8 bytes of µs → epoch ms */
export function readTime(view: DataView, at: number): number {
  const micros = view.getInt32(at) * 0x1_0000_0000 + view.getUint32(at + 4);
  return POSTGRES_EPOCH_MS + Math.floor(micros / 1_000);
}

/**
 * columns, each behind its length: time, latitude and longitude of 8 bytes, speed of 8 or null, ignition of 1 or null; a
 * row without a place is left out
 */
function fillFix(fixes: Fixes & { count: number }, view: DataView, at: number): void {
  if (view.getInt32(at + 14) < 0 || view.getInt32(at + 26) < 0) return;
  const i = fixes.count;
  fixes.at[i] = readTime(view, at + 6);
  fixes.latitude[i] = view.getFloat64(at + 18);
  fixes.longitude[i] = view.getFloat64(at + 30);
  let next = at + 38;
  if (view.getInt32(next) < 0) {
    fixes.speed[i] = Number.NaN;
    next += 4;
  } else {
    fixes.speed[i] = view.getFloat64(next + 4);
    next += 12;
  }
  const hasIgnition = view.getInt32(next) >= 0;
  fixes.ignition[i] = hasIgnition ? view.getInt8(next + 4) : -1;
  if (view.getInt16(at) === 6) {
    next += hasIgnition ? 5 : 4;
    fixes.course[i] = view.getInt32(next) < 0 ? Number.NaN : view.getFloat64(next + 4);
  }
  fixes.count = i + 1;
}

/** The last valid fix before a time, within `withinMs`. */
export async function readFixBefore(
  app: pg.Pool,
  tenantId: number,
  deviceId: number,
  before: number,
  withinMs: number,
): Promise<Fixes | undefined> {
  const rows = await queryAsTenant<{ time: number; latitude: number; longitude: number }>(app, tenantId, {
    name: 'read-fix-before',
    text: `select time, latitude, longitude from position
      where device_id = $1 and tenant_id = $2 and time < $3::timestamptz and time >= $4::timestamptz and ${HAS_FIX}
      order by time desc, id desc limit 1`,
    values: [deviceId, tenantId, formatTimestamp(before), formatTimestamp(Math.max(before - withinMs, EARLIEST))],
  });
  const row = rows[0];
  if (row === undefined) return undefined;
  const fixes = makeFixes(1);
  fixes.at[0] = row.time;
  fixes.latitude[0] = row.latitude;
  fixes.longitude[0] = row.longitude;
  fixes.speed[0] = Number.NaN;
  fixes.ignition[0] = -1;
  fixes.count = 1;
  return fixes;
}

/** what RFC 3339 can write */
const EARLIEST = Date.parse('0000-01-01T00:00:00Z');

/** Does the device's newest record have a total of the fuel that it used? */
export async function reportsFuelUsed(app: pg.Pool, tenantId: number, deviceId: number): Promise<boolean> {
  const rows = await queryAsTenant(app, tenantId, {
    name: 'reports-fuel-used',
    text: `select from position_newest
           where device_id = $1 and tenant_id = $2 and json_typeof(attributes->'fuelUsed') = 'number'`,
    values: [deviceId, tenantId],
  });
  return rows.length > 0;
}

/** The total of fuel used in the last record up to each time that has one, within so many ms. */
export async function readTotalsNear(
  app: pg.Pool,
  tenantId: number,
  deviceId: number,
  times: readonly number[],
  withinMs: number,
): Promise<(number | null)[]> {
  const rows = await queryAsTenant<{ total: number | null }>(app, tenantId, {
    name: 'read-totals-near',
    text: `
      select found.total from unnest($3::timestamptz[]) with ordinality as asked(at, n)
      left join lateral (
        select (attributes->>'fuelUsed')::float8 as total from position
        where device_id = $1 and tenant_id = $2 and time <= asked.at and time >= asked.at - $4 * interval '1 ms'
          and json_typeof(attributes->'fuelUsed') = 'number'
        order by time desc, id desc limit 1) found on true
      order by asked.n`,
    values: [deviceId, tenantId, times.map(formatTimestamp), withinMs],
  });
  return rows.map(({ total }) => total);
}

export interface AlarmRow {
  readonly time: number;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** comma-separated names */
  readonly alarm: string;
  readonly [column: string]: unknown;
}

const MOST_ALARMS = 10_000;

/** Records of a stretch with an alarm, oldest first, 10,000 at most. Reads the attributes of each record. */
export async function readAlarms(app: pg.Pool, tenantId: number, stretch: Stretch): Promise<AlarmRow[]> {
  return queryAsTenant<AlarmRow>(app, tenantId, {
    name: 'read-alarms',
    text: `select time, latitude, longitude, attributes->>'alarm' as alarm from position
      where device_id = $1 and tenant_id = $2 and time >= $3::timestamptz and time <= $4::timestamptz
        and json_typeof(attributes->'alarm') = 'string'
      order by time, id limit ${MOST_ALARMS}`,
    values: [stretch.deviceId, tenantId, formatTimestamp(stretch.from), formatTimestamp(stretch.to)],
  });
}
