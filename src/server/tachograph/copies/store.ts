import type { Queryable } from '../../database/index.ts';

/** Whole files of devices that are in the tachograph archive, or were until it removed them. */
const ARCHIVED = `a.outcome in ('stored', 'duplicate') and f.complete and f.version = a.version`;

const BEFORE = (ms: string): string => `to_timestamp(${ms}::float8 / 1000)`;

export interface CopyQuery {
  /** id of the last one before */
  readonly after: string;
  /** archived before, epoch ms */
  readonly before: number;
  readonly limit: number;
}

/**
 * Locks copies that are no longer needed, until the end of the transaction: archived before, or removed from the archive.
 * One that receives a piece at the moment is left for the next round.
 */
export async function lockCopies(tx: Queryable, { after, before, limit }: CopyQuery): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select f.id::text from device_file f join ddd_device_file a on a.device_file_id = f.id
     where f.id > $1::bigint and ${ARCHIVED}
       and (a.at < ${BEFORE('$2')} or not exists (select from ddd_file d where d.id = a.file_id))
     order by f.id limit $3 for update of f skip locked`,
    [after, before, limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Removes locked copies whose bytes are those that were archived; the others are passed to the archive again. A statement
 * of its own: it sees pieces that came before the lock. Number of copies that were removed.
 */
export async function removeCopies(tx: Queryable, ids: readonly string[]): Promise<number> {
  const { rows } = await tx.query<{ removed: number }>(
    `with copy as (
       select f.id, a.tenant_id, a.sha256, a.file_id, content.sha256 as current
       from device_file f join ddd_device_file a on a.device_file_id = f.id
       cross join lateral (
         select sha256(string_agg(c.bytes, ''::bytea order by c.start)) as sha256 from file_chunk c where c.file_id = f.id) content
       where f.id = any($1::bigint[]) and ${ARCHIVED}),
     judged as (
       select id, case when sha256 is not null then sha256 = current
         else not exists (select from ddd_file d where d.id = copy.file_id)
           or exists (select from ddd_file d where d.tenant_id = copy.tenant_id and d.sha256 = copy.current) end as same
       from copy),
     again as (delete from ddd_device_file a using judged j where a.device_file_id = j.id and j.same is not true),
     gone as (delete from device_file f using judged j where f.id = j.id and j.same returning f.id)
     select count(*)::int as removed from gone`,
    [ids],
  );
  return rows[0]!.removed;
}

/**
 * Files with names of tachograph files that the archive has rejected or that never became whole, whose last piece came
 * before (epoch ms). Number of files.
 */
export async function removeUnusable(tx: Queryable, before: number, limit: number): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from device_file where id in (
       select f.id from device_file f where f.at < ${BEFORE('$1')} and f.media = 'other' and is_tachograph_name(f.name)
         and (not f.complete or exists (
           select from ddd_device_file a where a.device_file_id = f.id and a.version = f.version and a.outcome = 'rejected'))
       order by f.id limit $2 for update of f skip locked)`,
    [before, limit],
  );
  return rowCount ?? 0;
}
