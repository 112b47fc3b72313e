import type { Queryable } from '../../platform/postgres/index.ts';
import { DEVICES_PER_BUCKET, type Part } from '../part.ts';

/** A part whose day's table is closed. */
export interface PartOfDay extends Part {
  /** of all of its rows, also those that stay in the database */
  readonly narrowRows: number;
}

/** Tables that hold the narrow rows of one day: what the day is in their names. */

const DAY_MS = 86_400_000;
/** of 2026-01-31: 20260131 */
const suffixOf = (day: string): string => day.replaceAll('-', '');
const IS_CLOSED = `exists (
  select from pg_trigger t where t.tgrelid = to_regclass('position_narrow_' || $1) and t.tgname = 'position_narrow_closed')`;
/** so that tables of other days are not searched */
const IN_DAY = `p.time >= $1::date::timestamp at time zone 'UTC' and p.time < ($1::date + 1)::timestamp at time zone 'UTC'`;

/** Days that have a table of their own and are over before an instant (epoch ms), in order. */
export async function listDays(db: Queryable, before: number): Promise<string[]> {
  const { rows } = await db.query<{ day: string }>(
    `select to_char(to_date(s.suffix, 'YYYYMMDD'), 'YYYY-MM-DD') as day
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     cross join lateral (select substring(c.relname from '_([0-9]{8})$') as suffix) s
     where i.inhparent = 'position_narrow'::regclass and s.suffix is not null order by 1`,
  );
  return rows.map(({ day }) => day).filter((day) => Date.parse(`${day}T00:00:00Z`) + DAY_MS <= before);
}

export async function isClosed(db: Queryable, day: string): Promise<boolean> {
  const { rows } = await db.query<{ closed: boolean }>(`select ${IS_CLOSED} as closed`, [suffixOf(day)]);
  return rows[0]!.closed;
}

/** Whether positions of the day are in files. */
export async function hasFiles(db: Queryable, day: string): Promise<boolean> {
  const { rows } = await db.query('select from history_file where day = $1::date limit 1', [day]);
  return rows.length > 0;
}

/** From now on the day's table takes no rows. False: somebody writes to it. */
export async function close(tx: Queryable, day: string): Promise<boolean> {
  const { rows } = await tx.query<{ state: string }>('select close_narrow_partition($1) as state', [suffixOf(day)]);
  // marks of a database that was imported: rows may have come since
  if (rows[0]!.state === 'closed') await forgetMarks(tx, day);
  return rows[0]!.state !== 'busy';
}

/** Parts of a day with rows that are not in their file, and the number of all of their narrow rows. */
export async function listUnfiled(db: Queryable, day: string): Promise<PartOfDay[]> {
  const { rows } = await db.query<PartOfDay & { readonly [column: string]: unknown }>(
    `select r.tenant_id as "tenantId", r.bucket, $1::text as day, r.rows as "narrowRows" from (
       select p.tenant_id, p.device_id / ${DEVICES_PER_BUCKET} as bucket, count(*) as rows
       from position_narrow p where ${IN_DAY} group by 1, 2) r
     left join history_file f on f.tenant_id = r.tenant_id and f.bucket = r.bucket and f.day = $1::date
     where f.narrow_rows is null or f.narrow_rows < r.rows order by 1, 2`,
    [day],
  );
  return rows;
}

/** Number of the narrow rows of a part. */
export async function countRows(db: Queryable, { tenantId, bucket, day }: Part): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*) as n from position_narrow p where ${IN_DAY} and p.tenant_id = $2
       and p.device_id >= $3 and p.device_id < $3 + ${DEVICES_PER_BUCKET}`,
    [day, tenantId, bucket * DEVICES_PER_BUCKET],
  );
  return rows[0]!.n;
}

/** Notes that all narrow rows of a part, whose table is closed, are in its file. */
export async function keepRows(tx: Queryable, { tenantId, bucket, day }: Part, rows: number): Promise<void> {
  await tx.query('update history_file set narrow_rows = $4 where tenant_id = $1 and bucket = $2 and day = $3', [
    tenantId,
    bucket,
    day,
    rows,
  ]);
}

/** Number of the rows of a day's table that are in files as well. */
export async function countFiled(db: Queryable, day: string): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select coalesce(sum(narrow_rows), 0)::int8 as n from history_file where day = $1::date`,
    [day],
  );
  return rows[0]!.n;
}

/** Whether the narrow rows of a part are in its file as well. */
export async function hasFiledRows(db: Queryable, { tenantId, bucket, day }: Part): Promise<boolean> {
  const { rows } = await db.query(
    `select from history_file where tenant_id = $1 and bucket = $2 and day = $3 and narrow_rows is not null`,
    [tenantId, bucket, day],
  );
  return rows.length > 0;
}

const forgetMarks = (tx: Queryable, day: string): Promise<unknown> =>
  tx.query('update history_file set narrow_rows = null where day = $1::date and narrow_rows is not null', [day]);

/** Removes all rows of a day that is closed, and opens its table. False: it is being read. */
export async function empty(tx: Queryable, day: string): Promise<boolean> {
  const { rows } = await tx.query<{ done: boolean }>('select empty_narrow_partition($1) as done', [suffixOf(day)]);
  if (rows[0]!.done) await forgetMarks(tx, day);
  return rows[0]!.done;
}

/** Days whose tables are closed. */
export async function listClosed(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ day: string }>(
    `select to_char(to_date(right(c.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') as day
     from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_inherits i on i.inhrelid = c.oid
     where i.inhparent = 'position_narrow'::regclass and t.tgname = 'position_narrow_closed' order by 1`,
  );
  return rows.map(({ day }) => day);
}
