import type pg from 'pg';
import { DAY_MS } from '../../../platform/durations.ts';
import { copyToFile, formatTimestamp, type Queryable } from '../../database/index.ts';
import { columnsOf } from '../manifest/store.ts';
import { DEVICES_PER_BUCKET, type Part, type SealedFile } from '../part.ts';

/** Raw frames: rows of `timeline`, and the manifest of their files. */

const IS_FRAME = `t.kind in ('frame', 'frame-undecoded') and t.bytes is not null and t.device_id <> 0`;
const FIRST_DAY = '1970-01-01';

/** Parts that have frames of days before; those whose file is younger than `hoursApart` are left out. */
export async function listParts(db: Queryable, before: number, hoursApart: number): Promise<Part[]> {
  const { rows } = await db.query<Part & { readonly [column: string]: unknown }>(
    `select r.tenant_id as "tenantId", r.bucket, to_char(r.day, 'YYYY-MM-DD') as day from (
       select distinct t.tenant_id, t.device_id / ${DEVICES_PER_BUCKET} as bucket, (t.at at time zone 'UTC')::date as day
       from timeline t join device d on d.id = t.device_id
       where t.at >= '${FIRST_DAY}' and t.at < $1::timestamptz and ${IS_FRAME}) r
     where not exists (select from history_frame_file f where f.tenant_id = r.tenant_id and f.bucket = r.bucket
       and f.day = r.day and f.created_at > now() - $2 * interval '1 hour')
     order by r.day, 1, 2`,
    [formatTimestamp(before), hoursApart],
  );
  return rows;
}

/** Whether there is a frame of the days before, whenever its file was written. */
export async function hasFrames(db: Queryable, before: number): Promise<boolean> {
  const { rows } = await db.query(
    `select from timeline t join device d on d.id = t.device_id
     where t.at >= '${FIRST_DAY}' and t.at < $1::timestamptz and ${IS_FRAME} limit 1`,
    [formatTimestamp(before)],
  );
  return rows.length > 0;
}

type Row = SealedFile & { readonly [column: string]: unknown };

/** Files with frames that arrived in an interval, the end not included. */
export async function listFilesOf(
  db: Queryable,
  bucket: number | undefined,
  from: number,
  to: number,
): Promise<SealedFile[]> {
  const { rows } = await db.query<Row>(
    `select ${columnsOf('frames')} from history_frame_file
     where ($1::int8 is null or bucket = $1) and last_at >= $2::timestamptz and first_at < $3::timestamptz
     order by day, tenant_id, bucket`,
    [bucket ?? null, formatTimestamp(from), formatTimestamp(to)],
  );
  return rows;
}

const rowsOf = ({ tenantId, bucket, day }: Part): string => {
  const first = Date.parse(`${day}T00:00:00Z`);
  const from = Math.trunc(bucket) * DEVICES_PER_BUCKET;
  return `t.tenant_id = ${Math.trunc(tenantId)} and t.at >= '${formatTimestamp(first)}'
    and t.at < '${formatTimestamp(first + DAY_MS)}' and ${IS_FRAME} and t.device_id in (
      select d.id from device d where d.id >= ${from} and d.id < ${from + DEVICES_PER_BUCKET})`;
};

const MICROS = '(extract(epoch from t.at) * 1000000)::int8';
const HASHED = `encode(t.bytes, 'hex') || '|' || t.device_id || '|' || t.id || '|' || t.kind || '|' || t.gateway || '|' || t.conn
  || '|' || coalesce(t.protocol, '-') || '|' || coalesce(t.transport, '-') || '|' || coalesce(t.remote, '-')
  || '|' || coalesce(t.detail::text, '-')`;

export interface FrameSums {
  readonly frames: number;
  /** of times, µs */
  readonly times: string;
  /** of the hashes of all other columns */
  readonly hashes: string;
}

export async function sumRows(db: Queryable, part: Part): Promise<FrameSums> {
  const { rows } = await db.query<FrameSums & { readonly [column: string]: unknown }>(
    `select count(*)::float8 as frames, coalesce(sum(${MICROS}), 0)::text as times,
       coalesce(sum(('x' || substr(md5(${HASHED}), 1, 12))::bit(48)::int8), 0)::text as hashes
     from timeline t where ${rowsOf(part)}`,
  );
  return rows[0]!;
}

/** Columns are those of COLUMNS in files.ts. */
export const copyRows = (client: pg.Client, part: Part, path: string): Promise<number> =>
  copyToFile(
    client,
    `copy (
      select t.device_id, ${MICROS}, t.id, t.kind, t.gateway, t.conn, t.protocol, t.transport, t.remote,
        encode(t.bytes, 'hex'), t.detail::text
      from timeline t where ${rowsOf(part)} order by t.device_id, t.at, t.id
    ) to stdout (format csv, null '\\N', force_quote *)`,
    path,
  );

export async function deleteRows(db: Queryable, part: Part): Promise<number> {
  return (await db.query(`delete from timeline t where ${rowsOf(part)}`)).rowCount ?? 0;
}

export interface FrameTotals {
  readonly files: number;
  readonly frames: number;
  readonly bytes: number;
}

export async function readTotals(db: Queryable): Promise<FrameTotals> {
  const { rows } = await db.query<FrameTotals & { readonly [column: string]: unknown }>(
    `select count(*)::int8 as files, coalesce(sum(frames), 0)::int8 as frames, coalesce(sum(bytes), 0)::int8 as bytes
     from history_frame_file`,
  );
  return rows[0]!;
}
