import type pg from 'pg';
import { DAY_MS, HOUR_MS } from '../../platform/durations.ts';
import {
  formatTimestamp,
  int4Array,
  int8Array,
  type Queryable,
  queryAsTenant,
  timestampArray,
} from '../database/index.ts';
import { DEVICES_PER_BUCKET, type Part } from './part.ts';

/** The manifest, and the rows that become files. */

/** advisory lock, held by a session that moves positions */
export const LOCK = 4_711_902_560;
/** The first day that is sealed: earlier times are those of clocks that are wrong, and few. */
const FIRST_DAY = '1970-01-01';

/** One process at a time; held until the session ends. */
export async function tryLock(db: Queryable): Promise<boolean> {
  const { rows } = await db.query('select pg_try_advisory_lock($1) as mine', [LOCK]);
  return rows[0].mine;
}

/** Settings that a long transaction needs; and rows come in the order of an index, which several workers would not keep. */
export async function prepareSession(db: Queryable): Promise<void> {
  await db.query('set statement_timeout = 0');
  await db.query('set max_parallel_workers_per_gather = 0');
}

export interface PartQuery {
  /** epoch ms; only positions before it */
  readonly before: number;
  /** epoch ms; only positions that the server received before it */
  readonly arrivedBefore: number;
  /** parts whose file is younger than this, hours, are left out */
  readonly hoursApart: number;
  /** only rows of transactions before this one (xid8) */
  readonly writtenBefore?: string | undefined;
}

/** Age is compared, since the id of a row's transaction has no epoch; that of a very old one counts as negative. */
const written = ({ writtenBefore }: PartQuery, writer: string): string =>
  writtenBefore === undefined
    ? ''
    : `and (age(${writer}) > age('${BigInt(writtenBefore)}'::xid8::xid) or age(${writer}) < 0)`;

/** Parts that hold the oldest row of a device, of those that the query is for. */
export async function listParts(db: Queryable, query: PartQuery): Promise<Part[]> {
  const { rows } = await db.query<{ tenantId: number; bucket: number; day: string }>(
    `select distinct r.tenant_id as "tenantId", d.id / ${DEVICES_PER_BUCKET} as bucket,
       to_char(r.time, 'YYYY-MM-DD') as day
     from device d cross join lateral (
       select p.tenant_id, p.time from position_all p
       where p.device_id = d.id and p.time >= '${FIRST_DAY}' and p.time < $1::timestamptz
         and p.server_time < $2::timestamptz ${written(query, 'p.written_by')}
         and not exists (select from history_file f where f.tenant_id = p.tenant_id
           and f.bucket = p.device_id / ${DEVICES_PER_BUCKET} and f.day = p.time::date
           and (f.created_at > now() - $3 * interval '1 hour' or f.narrow_rows is not null))
       order by p.time limit 1) r
     order by 3, 1, 2`,
    [formatTimestamp(query.before), formatTimestamp(query.arrivedBefore), query.hoursApart],
  );
  return rows;
}

export async function announce(db: Queryable, path: string): Promise<void> {
  await db.query('insert into history_removal (path) values ($1)', [path]);
}

/** What columns add up to. */
export interface Sums {
  /** µs: of each time with a factor of its own */
  readonly times: string;
  /** bytes of the texts of attributes */
  readonly texts: string;
  /** of the hashes of id, attributes, protocol and network */
  readonly hashes: string;
  /** of latitudes and longitudes, 1e-9 degrees */
  readonly places: string;
  /** of speed, course, altitude and accuracy, 1e-6, of the flags and of the device */
  readonly values: string;
}

/** What the sums are of, in SQL that PostgreSQL and DuckDB understand alike. */
const SUMMED = {
  /** of a number, or -1 if there is none; what is too large for an integer counts as 0 */
  number: (column: string): string =>
    `case when ${column} is null then -1 when abs(${column}) < 1e9 then (${column} * 1e6::float8)::int8 else 0 end`,
  /** of degrees */
  place: (column: string): string =>
    `case when ${column} is null then -1 when abs(${column}) <= 180 then (${column} * 1e9::float8)::int8 else 0 end`,
  flag: (column: string): string => `case when ${column} is null then 2 when ${column} then 1 else 0 end`,
};

const { number, flag, place } = SUMMED;
export const PLACES = `${place('latitude')} + 3 * ${place('longitude')}`;
export const VALUES = [
  ...['speed', 'course', 'altitude', 'accuracy'].map(number),
  ...['valid', 'outdated', 'ignition', 'clock_suspect'].map(flag),
]
  .concat('device_id')
  .map((value, i) => `${2 * i + 1} * ${value}`)
  .join(' + ');
/** as text of the hash */
export const HASHED = `attributes::text || '|' || coalesce(protocol::text, '-') || '|' || coalesce(network::text, '-')`;

/** The server time of all narrow rows but few is a difference, mostly of less than an hour: then it need not be calculated. */
const narrowArrived = (arrivedBefore: number): string => `(p.flags & 512 = 0 and p.server_after <= ${HOUR_MS}
    and p.time < '${formatTimestamp(arrivedBefore - HOUR_MS)}' or case
      when p.flags & 512 <> 0 then (p.rest::json->>'serverTime')::timestamptz
      else p.time + p.server_after * interval '1 millisecond' end < '${formatTimestamp(arrivedBefore)}')`;

/** The columns of each table by which rows are selected. */
const CHOSEN = {
  position_all: { arrived: undefined, writer: 'p.written_by' },
  position: { arrived: undefined, writer: 'p.xmin' },
  position_narrow: { arrived: narrowArrived, writer: 'p.xmin' },
};
type Table = keyof typeof CHOSEN;

/** epoch ms */
export const DAY_START = ({ day }: Part): number => Date.parse(`${day}T00:00:00Z`);

/** Whether a query is for the whole day of a part. */
export const isWholeDay = (part: Part, { before }: PartQuery): boolean => DAY_START(part) + DAY_MS <= before;

/** Condition for rows `p` of which a query is for all that have arrived by then. */
function isSettled(until: PartQuery, table: Table): string {
  const { arrived, writer } = CHOSEN[table];
  const isArrived = arrived?.(until.arrivedBefore) ?? `p.server_time < '${formatTimestamp(until.arrivedBefore)}'`;
  return `${isArrived} ${written(until, writer)}`;
}

/** Condition for the rows `p` of a part, without that on the device. */
export function conditionOf(part: Part, until: PartQuery, table: Table): string {
  const next = Math.min(DAY_START(part) + DAY_MS, until.before);
  return `${isBetween(part, next)} and ${isSettled(until, table)}`;
}

const isBetween = (part: Part, next: number): string =>
  `p.tenant_id = ${Math.trunc(part.tenantId)} and p.time >= '${formatTimestamp(DAY_START(part))}'
    and p.time < '${formatTimestamp(next)}'`;

/** The devices of a part. */
export const devicesOf = ({ bucket }: Part): string => {
  const first = Math.trunc(bucket) * DEVICES_PER_BUCKET;
  return `select d.id from device d where d.id >= ${first} and d.id < ${first + DEVICES_PER_BUCKET}`;
};

const rowsOf = (part: Part, until: PartQuery, table: Table): string =>
  `${conditionOf(part, until, table)} and p.device_id in (${devicesOf(part)})`;

const micros = (column: string): string => `(extract(epoch from p.${column}) * 1000000)::int8`;
const TIMES = ['time', 'device_time', 'fix_time', 'server_time'].map((n, i) => `${i + 1} * coalesce(${micros(n)}, 0)`);

/** Condition for rows whose columns are added up one by one: one of 256 by its id, or all. PostgreSQL and DuckDB. */
export const isSample = (isOfAll: boolean, bytes: 'bytea' | 'blob'): string =>
  isOfAll ? 'true' : `id < '\\x01'::${bytes}`;

/** What the rows of a sample add up to, as readers of rows see them. */
export async function sumSample(db: Queryable, part: Part, until: PartQuery, isOfAll: boolean): Promise<Sums> {
  const { rows } = await db.query<Sums & { [column: string]: unknown }>(
    `select coalesce(sum(${TIMES.join(' + ')}), 0)::text as times,
       coalesce(sum(length(p.attributes::text)), 0)::text as texts,
       coalesce(sum(('x' || substr(md5(encode(p.id, 'hex') || ${HASHED}), 1, 12))::bit(48)::int8), 0)::text as hashes,
       coalesce(sum(${PLACES}), 0)::text as places,
       coalesce(sum(${VALUES}), 0)::text as values
     from position_all p where ${rowsOf(part, until, 'position_all')} and ${isSample(isOfAll, 'bytea')}`,
  );
  return rows[0]!;
}

/** The rows that have been copied in this transaction, of one of the tables. Number of rows. */
export async function deleteRows(
  db: Queryable,
  part: Part,
  until: PartQuery,
  table: 'position' | 'position_narrow',
): Promise<number> {
  return (await db.query(`delete from ${table} p where ${rowsOf(part, until, table)}`)).rowCount ?? 0;
}

/** Makes wide rows again of the narrow rows of a part's day that a query is not for: few, which arrived much later. */
export async function widenLateRows(db: Queryable, part: Part, until: PartQuery): Promise<void> {
  const columns = `time, id, tenant_id, latitude, longitude, speed, course, valid, outdated, altitude, accuracy,
    device_time, fix_time, server_time, protocol, network, attributes, ignition, clock_suspect`;
  const all = columns.replaceAll(/\w+/g, 'p.$&');
  const isOfDay = isBetween(part, DAY_START(part) + DAY_MS);
  await db.query(
    `with late as (
       delete from position_narrow p where ${isOfDay} and p.device_id in (${devicesOf(part)})
         and not (${isSettled(until, 'position_narrow')})
       returning p.device_id, p.time, p.id)
     insert into position (device_id, ${columns})
     select p.device_id, ${all} from late l join position_all p
       on p.device_id = l.device_id and p.time = l.time and p.id = l.id where ${isOfDay}`,
  );
}

/** Files that are no longer read. */
export async function listRemovals(db: Queryable, afterMinutes: number): Promise<string[]> {
  const { rows } = await db.query<{ path: string }>(
    `select path from history_removal r where at < now() - $1 * interval '1 minute'
       and not exists (select from history_file f where f.path = r.path)
       and not exists (select from history_frame_file f where f.path = r.path) order by at limit 1000`,
    [afterMinutes],
  );
  return rows.map(({ path }) => path);
}

export async function forgetRemovals(db: Queryable, paths: readonly string[]): Promise<void> {
  for (const path of paths) await db.query('delete from history_removal where path = $1', [path]);
}

export interface Totals {
  readonly files: number;
  readonly positions: number;
  readonly bytes: number;
  /** of positions, epoch ms */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
}

export async function readTotals(db: Queryable): Promise<Totals> {
  const { rows } = await db.query<Totals & { [column: string]: unknown }>(
    `select count(*)::int8 as files, coalesce(sum(positions), 0)::int8 as positions,
       coalesce(sum(bytes), 0)::int8 as bytes, min(first_at) as "firstAt", max(last_at) as "lastAt" from history_file`,
  );
  return rows[0]!;
}

/** Time of the oldest row that could be in a file; undefined: there is none. */
export async function oldestRow(db: Queryable): Promise<number | undefined> {
  const { rows } = await db.query<{ time: number | null }>(
    `select min(r.time) as time from device d cross join lateral (
       select time from position_all where device_id = d.id and time >= '${FIRST_DAY}' order by time limit 1) r`,
  );
  return rows[0]?.time ?? undefined;
}

/** Where a reader finds a device's positions that are not rows. */
export interface Place {
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly day: string }[];
  /** epoch ms, from the first moment to before the last one, null: without end; undefined: everything is visible */
  readonly visible: readonly (readonly [number | null, number | null])[] | undefined;
}

const MS = (column: string): string => `floor(extract(epoch from ${column}) * 1000)::float8`;

/** Files of a stretch of time, both ends included, as far as the caller may see them. */
export async function findFiles(
  app: pg.Pool,
  tenantId: number,
  deviceId: number,
  from: number,
  to: number,
): Promise<Place> {
  const rows = await queryAsTenant<{
    files: Place['files'] | null;
    visible: [number | null, number | null][] | null;
    restricted: boolean;
  }>(app, tenantId, {
    name: 'history-find-files',
    text: `
      select (select json_agg(json_build_object('path', path, 'bytes', bytes, 'day', to_char(day, 'YYYY-MM-DD')) order by day)
              from history_file where tenant_id = $1 and bucket = $2 and last_at >= $4::timestamptz
                and first_at <= $5::timestamptz) as files,
             is_restricted() as restricted,
             case when is_restricted() then (
               select json_agg(json_build_array(${MS('from_at')}, ${MS('to_at')})) from visible_ranges($3)) end as visible`,
    values: [tenantId, Math.floor(deviceId / DEVICES_PER_BUCKET), deviceId, formatTimestamp(from), formatTimestamp(to)],
  });
  const { files, visible, restricted } = rows[0]!;
  return { files: files ?? [], visible: restricted ? (visible ?? []) : undefined };
}

/** A query that finds a row if a stretch of time has a file. */
export const hasFiles = (tenantId: number, deviceId: number, from: number, to: number): pg.QueryConfig => ({
  text: `select from history_file where tenant_id = $1 and bucket = $2 and last_at >= $3::timestamptz
           and first_at <= $4::timestamptz limit 1`,
  values: [tenantId, Math.floor(deviceId / DEVICES_PER_BUCKET), formatTimestamp(from), formatTimestamp(to)],
});

/** The files of the days and devices of records, with the indices of their records. */
export async function findFilesOfRecords(
  db: Queryable,
  records: readonly { readonly tenantId: number; readonly deviceId: number; readonly time: number }[],
): Promise<
  { readonly file: { readonly path: string; readonly bytes: number }; readonly indices: readonly number[] }[]
> {
  const { rows } = await db.query<{ path: string; bytes: number; indices: number[] }>({
    name: 'history-files-of-records',
    text: `select f.path, f.bytes, array_agg(r.n - 1) as indices
           from unnest($1::int4[], $2::int8[], $3::timestamptz[]) with ordinality r (tenant_id, bucket, time, n)
           join history_file f on f.tenant_id = r.tenant_id and f.bucket = r.bucket
             and f.day = (r.time at time zone 'UTC')::date
           group by f.path, f.bytes`,
    values: [
      int4Array(records.map(({ tenantId }) => tenantId)),
      int8Array(records.map(({ deviceId }) => Math.floor(deviceId / DEVICES_PER_BUCKET))),
      timestampArray(records.map(({ time }) => time)),
    ],
  });
  return rows.map(({ path, bytes, indices }) => ({ file: { path, bytes }, indices: indices.map(Number) }));
}
