import { DAY_MS } from '../../../platform/durations.ts';
import type { Queryable } from '../../database/index.ts';
import { DEVICES_PER_BUCKET, isOfDay, type Part } from '../part.ts';

/** Tables of narrow rows, of a day or a month each: which one it is in their names. */

/** A part whose day's table is closed. */
export interface PartOfDay extends Part {
  /** of all of its rows, also those that stay in the database */
  readonly narrowRows: number;
}

/** of 2026-01-31: 20260131 */
const suffixOf = (day: string): string => day.replaceAll('-', '');
const dayOf = (suffix: string): string => `${suffix.slice(0, 4)}-${suffix.slice(4, 6)}-${suffix.slice(6)}`;
const IN_DAY = isOfDay('p.time', '$1');

/** Names of the partitions that exist, without those of their table: 202601, 20260131. */
export async function listPartitions(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select substr(c.relname, length('position_narrow_') + 1) as name
     from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'position_narrow'::regclass order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Days that have a table of their own and are over before an instant (epoch ms), in order. */
export async function listDays(db: Queryable, before: number): Promise<string[]> {
  const days = (await listPartitions(db)).filter((name) => name.length === 8).map(dayOf);
  return days.filter((day) => Date.parse(day) + DAY_MS <= before);
}

export const isClosed = async (db: Queryable, day: string): Promise<boolean> => (await listClosed(db)).includes(day);

/** Whether positions of the day are in files. */
export async function hasFiles(db: Queryable, day: string): Promise<boolean> {
  const { rows } = await db.query('select from history_file where day = $1::date limit 1', [day]);
  return rows.length > 0;
}

/** Makes the day's table refuse rows. False if another transaction writes to it. */
export async function close(tx: Queryable, day: string): Promise<boolean> {
  const { rows } = await tx.query<{ state: string }>('select close_narrow_partition($1) as state', [suffixOf(day)]);
  // marks of a database that was imported: rows may have come since
  if (rows[0]!.state === 'closed') await forgetMarks(tx, day);
  return rows[0]!.state !== 'busy';
}

/**
 * Parts of a day with rows that are not in their file, and the number of all of their narrow rows. An index gives it device by
 * device, without the table; few devices have been another tenant's. Rows of a device that has been deleted are nobody's: no
 * file takes them, and they go with the table.
 */
export async function listUnfiled(db: Queryable, day: string): Promise<PartOfDay[]> {
  const { rows } = await db.query<PartOfDay & { readonly [column: string]: unknown }>(
    `with counted as (
       select d.id, d.tenant_id, d.id / ${DEVICES_PER_BUCKET} as bucket, n.rows, n.own
       from device d cross join lateral (
         select count(*) as rows, count(*) filter (where p.tenant_id = d.tenant_id) as own
         from position_narrow p where p.device_id = d.id and ${IN_DAY}) n)
     select r.tenant_id as "tenantId", r.bucket, $1::text as day, r.rows as "narrowRows" from (
       select tenant_id, bucket, sum(rows)::int8 as rows from (
         select tenant_id, bucket, own as rows from counted where own > 0
         union all
         select p.tenant_id, c.bucket, 1 from counted c cross join lateral (
           select tenant_id from position_narrow p
           where p.device_id = c.id and ${IN_DAY} and p.tenant_id <> c.tenant_id offset 0) p
         where c.own < c.rows) of_tenants
       group by 1, 2) r
     left join history_file f on f.tenant_id = r.tenant_id and f.bucket = r.bucket and f.day = $1::date
     where f.narrow_rows is null or f.narrow_rows < r.rows order by 1, 2`,
    [day],
  );
  return rows;
}

/** Number of the narrow rows of a part's devices. */
export async function countRows(db: Queryable, { tenantId, bucket, day }: Part): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*) as n from position_narrow p where ${IN_DAY} and p.tenant_id = $2
       and p.device_id in (select id from device where id >= $3 and id < $3 + ${DEVICES_PER_BUCKET})`,
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

/** Days whose tables are closed, in order. */
export async function listClosed(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ suffix: string }>(
    `select right(c.relname, 8) as suffix
     from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_inherits i on i.inhrelid = c.oid
     where i.inhparent = 'position_narrow'::regclass and t.tgname = 'position_narrow_closed' order by 1`,
  );
  return rows.map(({ suffix }) => dayOf(suffix));
}
