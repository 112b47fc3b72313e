import type { DuckDBConnection } from '@duckdb/node-api';
import { text } from '../../files/literal.ts';
import { rowsOf } from '../../files/rows.ts';

/** Statements of DuckDB on files of raw frames. Paths and numbers stand in them: all are our own. */

/** As copyRows in ../store.ts sends them. */
const COLUMNS = {
  device_id: 'BIGINT',
  arrived_at: 'BIGINT',
  id: 'BIGINT',
  kind: 'VARCHAR',
  gateway: 'VARCHAR',
  conn: 'VARCHAR',
  protocol: 'VARCHAR',
  transport: 'VARCHAR',
  remote: 'VARCHAR',
  bytes: 'VARCHAR',
  detail: 'VARCHAR',
};
/** The folders of a file have names that look like columns. */
const fileOf = (path: string): string => `read_parquet(${text(path)}, hive_partitioning = false)`;
/** longest text of a row, bytes */
const LINE_BYTES = 8 * 1024 ** 2;
const ROW_GROUP = 20_480;

const exported = (csv: string): string => {
  const columns = Object.entries(COLUMNS).map(([name, type]) => `${text(name)}: ${text(type)}`);
  return `select * replace (make_timestamptz(arrived_at) as arrived_at, unhex(bytes) as bytes)
    from read_csv(${text(csv)}, header = false, auto_detect = false, delim = ',', quote = '"', escape = '"',
      nullstr = '\\N', allow_quoted_nulls = false, max_line_size = ${LINE_BYTES}, buffer_size = ${2 * LINE_BYTES}, columns = {${columns.join(', ')}})`;
};

export interface FrameSources {
  readonly csv: string;
  /** file whose frames are taken over */
  readonly old: string | undefined;
  /** device whose frames are left out */
  readonly without: number | undefined;
}

const allOf = ({ csv, old, without }: FrameSources): string => {
  const rows = exported(csv);
  const kept = without === undefined ? '' : ` where device_id <> ${Math.trunc(without)}`;
  return old === undefined
    ? rows
    : `with late as (${rows}) select * from (
         select * from late union all by name
         select * from (select ${Object.keys(COLUMNS).join(', ')} from ${fileOf(old)}${kept}) kept anti join late using (device_id, arrived_at, id)) both_sides`;
};

/** Writes the frames in the order of device, time and id. One that both have is written once. */
export async function writeFrames(
  db: DuckDBConnection,
  sources: FrameSources,
  { to, compression }: { readonly to: string; readonly compression: number },
): Promise<void> {
  await db.run(
    `copy (select * from (${allOf(sources)}) order by device_id, arrived_at, id) to ${text(to)}
     (format parquet, compression zstd, compression_level ${Math.trunc(compression)}, row_group_size ${ROW_GROUP}, parquet_version v2)`,
  );
}

const HASHED = `lower(hex(bytes)) || '|' || device_id || '|' || id || '|' || kind || '|' || gateway || '|' || conn
  || '|' || coalesce(protocol, '-') || '|' || coalesce(transport, '-') || '|' || coalesce(remote, '-')
  || '|' || coalesce(detail, '-')`;
const SUMS = `count(*)::double as frames, coalesce(sum(epoch_us(arrived_at)), 0)::varchar as times,
  coalesce(sum(('0x' || substr(md5(${HASHED}), 1, 12))::bigint), 0)::varchar as hashes`;

export interface FrameContents {
  readonly frames: number;
  readonly times: string;
  readonly hashes: string;
}

const read = async <T>(db: DuckDBConnection, sql: string): Promise<T> => rowsOf<T>(await db.runAndReadAll(sql))[0]!;

export const sumExported = (db: DuckDBConnection, csv: string): Promise<FrameContents> =>
  read(db, `select ${SUMS} from (${exported(csv)})`);

export const sumAll = (db: DuckDBConnection, sources: FrameSources): Promise<FrameContents> =>
  read(db, `select ${SUMS} from (${allOf(sources)})`);

export interface FileContents extends FrameContents {
  readonly firstAt: number;
  readonly lastAt: number;
  readonly isSorted: boolean;
}

export const sumFile = (db: DuckDBConnection, path: string): Promise<FileContents> =>
  read(
    db,
    `select ${SUMS}, floor(epoch_us(min(arrived_at)) / 1000)::double as "firstAt", ceil(epoch_us(max(arrived_at)) / 1000)::double as "lastAt",
       coalesce(bool_and(before is null or before < this), true) as "isSorted"
     from (select *, (device_id, arrived_at, id) as this, lag((device_id, arrived_at, id)) over () as before from ${fileOf(path)})`,
  );

export async function countOfDevice(db: DuckDBConnection, path: string, deviceId: number): Promise<number> {
  const { n } = await read<{ n: number }>(
    db,
    `select count(*)::double as n from ${fileOf(path)} where device_id = ${Math.trunc(deviceId)}`,
  );
  return Number(n);
}

const instant = (epochMs: number): string => `make_timestamptz(${Math.trunc(epochMs * 1_000)})`;

export interface FrameQuery {
  readonly protocol: string;
  /** time of arrival, epoch ms; the end is not included */
  readonly from: number;
  readonly to: number;
}

const whereOf = ({ protocol, from, to }: FrameQuery): string =>
  `protocol = ${text(protocol)} and arrived_at >= ${instant(from)} and arrived_at < ${instant(to)}`;

/** Devices that have frames of a protocol. */
export async function listDevices(db: DuckDBConnection, path: string, query: FrameQuery): Promise<number[]> {
  const reader = await db.runAndReadAll(
    `select distinct device_id::double as id from ${fileOf(path)} where ${whereOf(query)}`,
  );
  return reader.getRowObjectsJS().map((row) => Number(row['id']));
}

export interface FiledFrame {
  readonly id: number;
  /** epoch ms */
  readonly at: number;
  readonly gateway: string;
  readonly conn: string;
  readonly transport: string | null;
  readonly bytes: Buffer;
}

/** Frames of a device in their order. */
export async function readFrames(
  db: DuckDBConnection,
  path: string,
  deviceId: number,
  query: FrameQuery,
): Promise<FiledFrame[]> {
  const reader = await db.runAndReadAll(
    `select id::double as id, (epoch_us(arrived_at) / 1000)::double as "at", gateway, conn, transport, bytes
     from ${fileOf(path)} where device_id = ${Math.trunc(deviceId)} and ${whereOf(query)} order by arrived_at, id`,
  );
  return rowsOf<Omit<FiledFrame, 'bytes'> & { bytes: Uint8Array }>(reader).map((row) => ({
    ...row,
    bytes: Buffer.from(row.bytes),
  }));
}
