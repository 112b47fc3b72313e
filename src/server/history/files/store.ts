import type { DuckDBBlobValue, DuckDBConnection } from '@duckdb/node-api';
import * as exported from '../exported/files/store.ts';
import { HASHED, isSample, PLACES, type Sums, VALUES } from '../store.ts';
import { asStored, storedRows, wholeId, wholeRows } from './ids/store.ts';
import { text } from './literal.ts';
import { itemsOf, rowsOf } from './rows.ts';
import { type Tallied, withTally } from './tally.ts';

/** Statements of DuckDB on Parquet files. Paths, names and numbers stand in them: all are our own. */

/** `hasFolders`: with the names of their folders, `tenant` and `day`, as columns. */
const scan = (paths: readonly string[], hasFolders = false): string =>
  `read_parquet([${paths.map(text).join(', ')}], union_by_name = true, hive_partitioning = ${hasFolders})`;
const list = (paths: readonly string[], hasFolders = false): string =>
  wholeRows(`select * from ${scan(paths, hasFolders)}`);
const instant = (epochMs: number): string => `TIMESTAMPTZ '${new Date(epochMs).toISOString()}'`;

const COLUMNS = [
  'device_id',
  'time',
  'id',
  'latitude',
  'longitude',
  'speed',
  'course',
  'valid',
  'outdated',
  'altitude',
  'accuracy',
  'device_time',
  'fix_time',
  'server_time',
  'protocol',
  'network',
  'attributes',
  'ignition',
  'clock_suspect',
];
/** and what a file has of the id */
const STORED = [...COLUMNS, 'id_device'];
/** what rows are ordered and distinguished by */
const KEY = ['device_id', 'time', 'id'];

type Exported = exported.Exported;

export interface WriteOptions {
  readonly exported: Exported;
  /** file whose rows are taken over */
  readonly old: string | undefined;
  /** devices whose rows are left out */
  readonly without: readonly number[];
  /** file with the keys of further rows that are left out, see countKeys */
  readonly replaced?: string | undefined;
  /** file to write */
  readonly to: string;
  /** level of zstd (docs/adr/0023-sealing.md) */
  readonly compression: number;
}

/** rows that are fetched for one of a device's days, about 1 MB; a multiple of DuckDB's vectors (decision 0025) */
const ROW_GROUP = 61_440;

type KeptOptions = Omit<WriteOptions, 'to' | 'old' | 'compression'> & { readonly old: string };

/** Rows of a file that the new one takes over, where no exported row repeats them. */
const keptOf = ({ old, without, replaced, exported: late }: KeptOptions): string => {
  const device = without.length === 0 ? '' : ` where device_id not in (${without.map(Math.trunc).join(', ')})`;
  const notReplaced = replaced === undefined ? '' : `anti join (${keysOf(replaced)}) using (device_id, time, id)`;
  // files of earlier versions may have the names of their folders as columns
  return asStored(`select * from (select ${COLUMNS.join(', ')} from ${list([old])}${device}) ${notReplaced}
    anti join (${exported.keysOf(late)}) late using (device_id, time, id)`);
};

/** Keys of rows: device, time in µs, id in hex. */
const keysOf = (keys: string): string =>
  `select device_id, make_timestamptz(time) as time, unhex(id) as id
   from read_csv(${text(keys)}, header = false, auto_detect = false, delim = ',',
     columns = {'device_id': 'BIGINT', 'time': 'BIGINT', 'id': 'VARCHAR'})`;

/** Number of the rows of a file whose keys are listed. */
export async function countKeys(db: DuckDBConnection, path: string, keys: string): Promise<number> {
  const reader = await db.runAndReadAll(
    `select count(*)::double as n from ${list([path])} semi join (${keysOf(keys)}) using (device_id, time, id)`,
  );
  return Number(reader.getRowObjectsJS()[0]!['n']);
}

/**
 * Writes the rows in the order of device, time and id. A row that both have is written once. What the exported rows have
 * added up to as rows of the file.
 */
export const writeParquet = (db: DuckDBConnection, options: WriteOptions): Promise<Tallied> =>
  withTally(async (tally) => {
    const { old, to } = options;
    const rows = exported.tallied(options.exported, STORED, tally);
    const all =
      old === undefined
        ? rows
        : `select * from (${rows} union all by name ${keptOf({ ...options, old })}) both_sides
           order by device_id, time, ${wholeId()}`;
    await db.run(
      `copy (${all}) to ${text(to)} (format parquet, compression zstd, compression_level ${Math.trunc(options.compression)}, row_group_size ${ROW_GROUP}, write_bloom_filter false, parquet_version v2)`,
    );
    return tally.read();
  });

export interface Contents extends FileSums {
  readonly firstAt: number;
  readonly lastAt: number;
  /** and no row is there twice */
  readonly isSorted: boolean;
}

const TIMES = ['time', 'device_time', 'fix_time', 'server_time'].map(
  (n, i) => `${i + 1} * coalesce(epoch_us(${n}), 0)`,
);

const HASHES = `coalesce(sum(hash(${STORED.join(', ')})), 0)::varchar`;

/** Of rows as a file has them: number and hashes of all, and of a sample what PostgreSQL adds up as well. */
function sumsOf(isOfAll: boolean): string {
  const sum = (value: string): string =>
    `coalesce(sum(case when ${isSample(isOfAll, 'blob')} then ${value} end), 0)::varchar`;
  return `count(*)::double as positions, ${HASHES} as rows, ${sum(TIMES.join(' + '))} as times,
    ${sum('length(attributes)')} as texts,
    ${sum(`('0x' || substr(md5(lower(hex(${wholeId()})) || ${HASHED}), 1, 12))::bigint`)} as hashes,
    ${sum(PLACES)} as places, ${sum(VALUES)} as values`;
}

/** Sums of rows that are in a file or will be. */
export interface FileSums extends Sums {
  readonly positions: number;
  /** of the hashes of rows with all their columns */
  readonly rows: string;
}

/** Reads all of a file and adds up what PostgreSQL has added up. */
export async function sumFile(db: DuckDBConnection, path: string, isOfAll: boolean): Promise<Contents> {
  // whole ids are made only of rows with the device and the time of the row before
  const isBehind = `case when device_id_before <> device_id then device_id_before < device_id
    when time_before <> time then time_before < time
    else ${wholeId('_before')} < ${wholeId()} end`;
  const before = [...KEY, 'id_device'].map((column) => `lag(${column}) over () as ${column}_before`);
  const reader = await db.runAndReadAll(
    `select ${sumsOf(isOfAll)}, floor(epoch_us(min(time)) / 1000)::double as "firstAt",
       ceil(epoch_us(max(time)) / 1000)::double as "lastAt",
       coalesce(bool_and(device_id_before is null or ${isBehind}), true) as "isSorted"
     from (select *, ${before.join(', ')} from ${storedRows(`select * from ${scan([path])}`)})`,
  );
  return rowsOf<Contents>(reader)[0]!;
}

/** The sums of a file's rows that no exported row repeats. */
export async function sumKept(db: DuckDBConnection, options: KeptOptions, isOfAll: boolean): Promise<FileSums> {
  const reader = await db.runAndReadAll(`select ${sumsOf(isOfAll)} from (${keptOf(options)})`);
  return rowsOf<FileSums>(reader)[0]!;
}

export async function countOfDevice(db: DuckDBConnection, path: string, deviceId: number): Promise<number> {
  const reader = await db.runAndReadAll(
    `select count(*)::double as n from ${list([path])} where device_id = ${Math.trunc(deviceId)}`,
  );
  return Number(reader.getRowObjectsJS()[0]!['n']);
}

export interface RowGroup {
  /** offsets of its first byte and behind its last byte */
  readonly start: number;
  readonly end: number;
  /** null: unknown */
  readonly firstDevice: number | null;
  readonly lastDevice: number | null;
  /** epoch ms */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
}

/** Where the row groups of a file are, and what is in them. Only its metadata are read. */
export async function listRowGroups(db: DuckDBConnection, path: string): Promise<RowGroup[]> {
  const start = `least(coalesce(nullif(dictionary_page_offset, 0), data_page_offset), data_page_offset)`;
  const of = (column: string, value: string): string => `max(${value}) filter (path_in_schema = '${column}')`;
  const device = (value: string): string => `${of('device_id', `try_cast(${value} as double)`)}::double`;
  const time = (value: string): string => `${of('time', `epoch_us(try_cast(${value} as timestamptz)) / 1000`)}::double`;
  const reader = await db.runAndReadAll(
    `select min(${start})::double as start, max(${start} + total_compressed_size)::double as end,
       ${device('stats_min_value')} as "firstDevice", ${device('stats_max_value')} as "lastDevice",
       floor(${time('stats_min_value')}) as "firstAt", ceil(${time('stats_max_value')}) as "lastAt"
     from parquet_metadata(${text(path)}) group by row_group_id order by row_group_id`,
  );
  return rowsOf<RowGroup>(reader);
}

/** Which positions of a device are read; times are epoch ms, both ends included. */
export interface Range {
  readonly deviceId: number;
  readonly from: number;
  readonly to: number;
  readonly visible: readonly (readonly [number | null, number | null])[] | undefined;
}

const FIRST_MS = 0;
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const within = (epochMs: number): number => Math.min(Math.max(epochMs, FIRST_MS), LAST_MS);

function whereOf({ deviceId, from, to, visible }: Range): string {
  const seen = visible?.map(([first, next]) =>
    [
      ...(first === null ? [] : [`time >= ${instant(within(first))}`]),
      ...(next === null ? [] : [`time < ${instant(within(next))}`]),
      'true',
    ].join(' and '),
  );
  const condition = seen === undefined ? '' : seen.length === 0 ? ' and false' : ` and (${seen.join(' or ')})`;
  return `device_id = ${Math.trunc(deviceId)} and time >= ${instant(within(from))} and time < ${instant(within(to))} + interval 1 millisecond${condition}`;
}

export interface FixColumns {
  readonly count: number;
  readonly at: Float64Array;
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  /** NaN: none */
  readonly speed: Float64Array;
  /** -1: unknown */
  readonly ignition: Float64Array;
  readonly course: Float64Array;
  readonly altitude: Float64Array;
  readonly ids: readonly Buffer[];
}

export interface FixQuery {
  /** as a merge needs them */
  readonly withIds: boolean;
  /** of fixes that follow each other with the ignition off, only the first and the last */
  readonly onlyDriven: boolean;
}

const DRIVEN = `window own as (order by time, id)
  qualify coalesce(ignition or lag(ignition) over own or lead(ignition) over own, true)`;

/**
 * The valid fixes, in order. Without ids, and where nothing is left out, they come in the order of the files, which follow
 * each other by days: sorting took as long as reading. Files that are not in order are sorted.
 */
export async function readFixes(
  db: DuckDBConnection,
  paths: readonly string[],
  range: Range,
  query: FixQuery,
): Promise<FixColumns[]> {
  const isSorted = !query.withIds && !query.onlyDriven;
  const found = await readFixColumns(db, paths, range, query, isSorted);
  return isSorted && !isInOrder(found) ? readFixColumns(db, paths, range, query, false) : found;
}

function isInOrder(found: readonly FixColumns[]): boolean {
  let last = Number.NEGATIVE_INFINITY;
  for (const { at, count } of found) {
    for (let n = 0; n < count; n++) {
      if (at[n]! < last) return false;
      last = at[n]!;
    }
  }
  return true;
}

/** Files whose fixes DuckDB gives as a whole, 15 MB of a device that reports each 10 s: a third faster than piece by piece. */
const READ_WHOLE = 31;

async function readFixColumns(
  db: DuckDBConnection,
  paths: readonly string[],
  range: Range,
  { withIds, onlyDriven }: FixQuery,
  isSorted: boolean,
): Promise<FixColumns[]> {
  const optional = (column: string): string => `coalesce(${column}, 'NaN'::double)`;
  const query = `select floor(epoch_us(time) / 1000)::double, latitude, longitude, ${optional('speed')},
       case when ignition then 1.0 when not ignition then 0.0 else -1.0 end::double, ${optional('course')},
       ${optional('altitude')}${withIds ? ', id' : ''}
     from ${isSorted ? scan(paths) : list(paths)} where ${whereOf(range)}
       and valid and not outdated and latitude is not null and longitude is not null
     ${onlyDriven ? DRIVEN : ''} ${isSorted ? '' : 'order by time, id'}`;
  const result = await (paths.length <= READ_WHOLE ? db.run(query) : db.stream(query));
  const found: FixColumns[] = [];
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return found;
    // the memory of a chunk is DuckDB's
    const numbers = (i: number): Float64Array => Float64Array.from(itemsOf<Float64Array>(chunk.getColumnVector(i)));
    const ids = withIds ? chunk.getColumnValues(7).map((id) => Buffer.from((id as DuckDBBlobValue).bytes)) : [];
    found.push({
      count: chunk.rowCount,
      at: numbers(0),
      latitude: numbers(1),
      longitude: numbers(2),
      speed: numbers(3),
      ignition: numbers(4),
      course: numbers(5),
      altitude: numbers(6),
      ids,
    });
  }
}

/** A record as the database's driver gives it: times in epoch ms. */
export interface FileRow {
  readonly time: number;
  readonly id: Buffer;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly speed: number | null;
  readonly course: number | null;
  readonly valid: boolean;
  readonly outdated: boolean;
  readonly altitude: number | null;
  readonly accuracy: number | null;
  readonly deviceTime: number | null;
  readonly fixTime: number | null;
  readonly serverTime: number;
  readonly protocol: string | null;
  readonly network: string | null;
  readonly attributes: string;
  readonly ignition: boolean | null;
  readonly clockSuspect: boolean;
}

export interface RowQuery {
  /** only rows whose attributes contain this text */
  readonly containing?: string;
  /** only rows behind this place */
  readonly after?: { readonly time: number; readonly id: Buffer } | undefined;
  readonly limit?: number;
  readonly isValid?: boolean;
  /** only rows whose time cannot be right (true), or only the others (false) */
  readonly isSuspect?: boolean;
  readonly newestFirst?: boolean;
}

const ms = (column: string, as: string): string => `floor(epoch_us(${column}) / 1000)::double as "${as}"`;

/** The ids of a device's records in a range, 22 characters each. */
export async function listIds(db: DuckDBConnection, path: string, range: Range): Promise<ReadonlySet<string>> {
  const reader = await db.runAndReadAll(`select id from ${list([path])} where ${whereOf(range)}`);
  return new Set(reader.getRowsJS().map(([id]) => (id as Buffer).toString('base64url').slice(0, 22)));
}

/** Whole records, in order. */
export async function readRows(
  db: DuckDBConnection,
  paths: readonly string[],
  range: Range,
  { containing, after, limit, isValid = false, isSuspect, newestFirst = false }: RowQuery = {},
): Promise<FileRow[]> {
  const behind =
    after === undefined
      ? ''
      : ` and (time, id) > (${instant(within(after.time))}, unhex(${text(after.id.toString('hex'))}))`;
  const direction = newestFirst ? ' desc' : '';
  const reader = await db.runAndReadAll(
    `select ${ms('time', 'time')}, id, latitude, longitude, speed, course, valid, outdated, altitude, accuracy,
       ${ms('device_time', 'deviceTime')}, ${ms('fix_time', 'fixTime')}, ${ms('server_time', 'serverTime')}, protocol,
       network, attributes, ignition, coalesce(clock_suspect, false) as "clockSuspect"
     from ${list(paths)} where ${whereOf(range)}${behind}
       ${containing === undefined ? '' : `and contains(attributes, ${text(containing)})`}
       ${isSuspect === undefined ? '' : `and coalesce(clock_suspect, false) = ${isSuspect}`}
       ${isValid ? 'and valid and not outdated and latitude is not null and longitude is not null' : ''}
     order by time${direction}, id${direction} ${limit === undefined ? '' : `limit ${Math.trunc(limit)}`}`,
  );
  return rowsOf<FileRow>(reader);
}

/** The last number of an attribute at or before each time, at most `withinMs` older; undefined if there is none. */
export async function readNumbersNear(
  db: DuckDBConnection,
  paths: readonly string[],
  range: Range,
  attribute: string,
  times: readonly number[],
  withinMs: number,
): Promise<({ readonly value: number; readonly time: number; readonly id: Buffer } | undefined)[]> {
  const asked = times.map((time, n) => `(${n}, ${instant(within(time))})`).join(', ');
  const path = text(`$."${attribute}"`);
  const reader = await db.runAndReadAll(
    `with asked(n, moment) as (values ${asked}),
       found as (
         select time, arg_max(json_extract(attributes, ${path})::double, id) as value, max(id) as id
         from ${list(paths)} where ${whereOf(range)} and not coalesce(clock_suspect, false)
           and contains(attributes, ${text(`"${attribute}"`)})
           and json_type(attributes, ${path}) in ('BIGINT', 'UBIGINT', 'DOUBLE', 'HUGEINT')
         group by time)
     select n, value, ${ms('time', 'time')}, id
     from asked asof join found on asked.moment >= found.time
     where found.time >= asked.moment - interval ${Math.trunc(withinMs)} millisecond`,
  );
  const answers: ({ value: number; time: number; id: Buffer } | undefined)[] = times.map(() => undefined);
  for (const row of rowsOf<{ n: number; value: number; time: number; id: Buffer }>(reader)) {
    answers[row.n] = { value: row.value, time: row.time, id: row.id };
  }
  return answers;
}

/** A statement of an operator over the files, on a database of its own: no other files are read or written. */
export async function runQuery(
  db: DuckDBConnection,
  paths: readonly string[],
  sql: string,
): Promise<{ readonly columns: readonly string[]; readonly rows: readonly unknown[][] }> {
  await db.run(
    paths.length === 0
      ? `create or replace temp view positions as select ${COLUMNS.map((name) => `null as ${name}`).join(
          ', ',
        )} where false`
      : `create or replace temp view positions as ${list(paths, true)}`,
  );
  await db.run(`set allowed_paths = [${paths.map(text).join(', ')}]`);
  await db.run('set enable_external_access = false');
  await db.run('set lock_configuration = true');
  const reader = await db.runAndReadAll(sql);
  return { columns: reader.columnNames(), rows: reader.getRowsJson() as unknown[][] };
}
