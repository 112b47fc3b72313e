import { base64urlArray, int8Array, type Queryable, textArray, timestampArray } from '../../database/index.ts';
import { type HeldTable, hold, release } from '../../kernel/jobs/index.ts';
import type { Entry, FeedPosition, Place, SessionStep, UploadStep } from './entry.ts';
import { ID_CHARACTERS, type PositionKey } from './keys.ts';

export async function appendPositions(tx: Queryable, keys: Buffer): Promise<number> {
  const { rows } = await tx.query<{ seq: number }>({
    name: 'feed-positions',
    text: `insert into feed (kind, keys) values ('positions', $1) returning seq`,
    values: [keys],
  });
  return rows[0]!.seq;
}

export async function appendDetail(
  tx: Queryable,
  kind: 'notifications' | 'sessions',
  detail: readonly unknown[],
): Promise<void> {
  await tx.query({
    name: 'feed-detail',
    text: 'insert into feed (kind, detail) values ($1, $2)',
    values: [kind, JSON.stringify(detail)],
  });
}

interface EntryRow {
  readonly xid: string;
  readonly seq: number;
  readonly kind: Entry['kind'];
  readonly detail: readonly unknown[] | null;
}

/**
 * Entries after a position, in order: only of transactions older than any running one, so that no entry can appear in
 * between later.
 */
export async function readEntries(db: Queryable, after: Place, limit: number): Promise<Entry[]> {
  const { rows } = await db.query<EntryRow>({
    name: 'feed-read',
    // qualified: a bare xid in "order by" is the column of the result, a text, in which 1000 comes before 999
    text: `select f.xid::text, f.seq, f.kind, f.detail from feed f
           where (f.xid, f.seq) > ($1::text::xid8, $2::int8) and f.xid < pg_snapshot_xmin(pg_current_snapshot())
           order by f.xid, f.seq limit $3`,
    values: [after.xid, after.seq, limit],
  });
  return rows.map(toEntry);
}

/**
 * The first entry of a part of the feed `e`, by its index: `exists` reads the whole table where it expects that many
 * entries match and none does, which is the usual case.
 */
const FIRST = 'order by e.xid, e.seq limit 1';
/** Is there an entry that the follower of a cursor `c` has not seen? */
const IS_BEHIND = `coalesce((select e.xid < pg_snapshot_xmin(pg_current_snapshot()) from feed e
                where (e.xid, e.seq) > (c.xid, c.seq) ${FIRST}), false)`;

/** Entries of some kinds, and the place up to which there are no others of them. */
export interface Stretch {
  readonly entries: readonly Entry[];
  /** undefined: there are no entries of any kind */
  readonly to: Place | undefined;
}

/** As readEntries, without reading entries of other kinds. */
export async function readStretch(
  db: Queryable,
  after: Place,
  limit: number,
  kinds: readonly Entry['kind'][],
): Promise<Stretch> {
  const { rows } = await db.query<
    { readonly head: string; readonly isBehind: boolean } & (EntryRow | { readonly xid: null })
  >({
    name: 'feed-read-stretch',
    text: `select h.head::text, f.xid::text, f.seq, f.kind, f.detail,
             coalesce((select e.xid < h.head from feed e where (e.xid, e.seq) > ($1::text::xid8, $2::int8) ${FIRST}), false)
               as "isBehind"
           from (select pg_snapshot_xmin(pg_current_snapshot()) as head) h left join lateral (
             select e.xid, e.seq, e.kind, e.detail from feed e
             where (e.xid, e.seq) > ($1::text::xid8, $2::int8) and e.xid < h.head and e.kind = any($4::text[])
             order by e.xid, e.seq limit $3) f on true
           order by f.xid, f.seq`,
    values: [after.xid, after.seq, limit, textArray(kinds)],
  });
  const entries = rows.flatMap((row) => (row.xid === null ? [] : [toEntry(row)]));
  if (entries.length === limit) return { entries, to: entries.at(-1) };
  const { head, isBehind } = rows[0]!;
  return { entries, to: isBehind ? { xid: head, seq: 0 } : undefined };
}

function toEntry({ xid, seq, kind, detail }: EntryRow): Entry {
  const place = { xid, seq };
  const list = detail ?? [];
  switch (kind) {
    case 'positions':
    case 'rules':
      return { ...place, kind };
    case 'notifications':
      return { ...place, kind, ids: list as string[] };
    case 'sessions':
      return { ...place, kind, sessions: list as SessionStep[] };
    case 'uploads':
      return {
        ...place,
        kind,
        uploads: (list as [string, UploadStep['state'], number, number, number, number][]).map(
          ([uploadId, state, done, from, to, at]) => ({ uploadId, state, done, from, to, at }),
        ),
      };
    case 'commands':
      return {
        ...place,
        kind,
        steps: (list as [string, string | null, string | null, string, number][]).map(
          ([commandId, from, to, reason, at]) => ({ commandId, from, to, reason, at }),
        ),
      };
  }
}

export async function readKeys(db: Queryable, { xid, seq }: Place): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ keys: Buffer | null }>({
    name: 'feed-keys',
    text: 'select keys from feed where xid = $1::text::xid8 and seq = $2',
    values: [xid, seq],
  });
  return rows[0]?.keys ?? undefined;
}

/** Positions in the order of their keys; deleted ones are left out. */
export async function readPositions(db: Queryable, keys: readonly PositionKey[]): Promise<FeedPosition[]> {
  if (keys.length === 0) return [];
  const { rows } = await db.query<Record<string, unknown>>({
    name: 'feed-position-rows',
    text: `select p.device_id as "deviceId", p.tenant_id as "tenantId", p.time, p.id, p.latitude, p.longitude, p.speed,
                  p.course, p.valid, p.outdated, p.altitude, p.accuracy, p.device_time as "deviceTime",
                  p.fix_time as "fixTime", p.server_time as "serverTime", p.protocol, p.network::text as network,
                  p.attributes::text as attributes, p.ignition, nullif(p.clock_suspect, false) as "clockSuspect"
           from unnest($1::int8[], $2::timestamptz[], $3::bytea[]) with ordinality as k(device_id, time, id, n)
           join position_all p on p.device_id = k.device_id and p.time = k.time and p.id = k.id
           order by k.n`,
    values: [
      int8Array(keys.map((key) => key.deviceId)),
      timestampArray(keys.map((key) => key.time)),
      base64urlArray(
        keys.map((key) => key.id),
        ID_CHARACTERS,
      ),
    ],
  });
  return rows.map((row) => {
    for (const name of Object.keys(row)) row[name] ??= undefined;
    row['id'] = (row['id'] as Buffer).toString('base64url').slice(0, ID_CHARACTERS);
    return row as unknown as FeedPosition;
  });
}

/** Head of the feed: later entries come after it. */
export async function readHead(db: Queryable): Promise<Place> {
  const { rows } = await db.query<{ xid: string }>({
    name: 'feed-head',
    text: 'select pg_snapshot_xmin(pg_current_snapshot())::text as xid',
  });
  return { xid: rows[0]!.xid, seq: 0 };
}

/** End of the feed: what has been stored until now, or is being stored, is before it. */
export async function readEnd(db: Queryable): Promise<Place> {
  const { rows } = await db.query<{ xid: string }>({
    name: 'feed-end',
    text: 'select pg_snapshot_xmax(pg_current_snapshot())::text as xid',
  });
  return { xid: rows[0]!.xid, seq: 0 };
}

/** Floor of the feed: entries up to it have been deleted. */
export async function readFloor(db: Queryable): Promise<Place> {
  const { rows } = await db.query<Place>(`select xid::text, seq from feed_cursor where name = 'floor'`);
  return rows[0] ?? { xid: '0', seq: 0 };
}

/** Followers that have a backlog, or no cursor yet. */
export async function listWithNews(db: Queryable, names: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>({
    name: 'feed-list-news',
    text: `select n as name from unnest($1::text[]) as n left join feed_cursor c on c.name = n
           where c.name is null or c.xid > pg_snapshot_xmax(pg_current_snapshot())
             or ${IS_BEHIND}`,
    values: [textArray(names)],
  });
  return rows.map(({ name }) => name);
}

const SHARDS: HeldTable = {
  name: 'shard',
  table: 'shard_lease',
  key: 'name',
  owner: 'owner',
  until: 'lease_until',
  columns: 'j.name',
};

export interface ShardQuery {
  readonly owner: string;
  readonly names: readonly string[];
  readonly leaseMs: number;
  /** shards that the owner may hold; what it holds beyond that is released */
  readonly most: number;
}

/** Renews the leases of a process and takes over free shards. The names of those that it holds now. */
export async function holdShards(db: Queryable, { names, ...query }: ShardQuery): Promise<string[]> {
  const rows = await hold<{ readonly name: string }>(db, SHARDS, { ...query, keys: names });
  return rows.map(({ name }) => name);
}

export const releaseShards = (db: Queryable, owner: string): Promise<void> => release(db, SHARDS, owner);

export async function prepareShards(db: Queryable, names: readonly string[]): Promise<void> {
  await db.query({
    name: 'shard-prepare',
    text: 'insert into shard_lease (name) select unnest($1::text[]) on conflict do nothing',
    values: [textArray(names)],
  });
}

/** Deletes cursors that no process uses any longer: old entries are kept for them. */
export async function retireCursors(db: Queryable, names: readonly string[]): Promise<void> {
  await db.query({
    text: `delete from feed_cursor where name = any($1::text[]) and updated_at < now() - interval '10 minutes'`,
    values: [textArray(names)],
  });
}

/**
 * Locks a follower's cursor, creating it at the head of the feed; undefined while another process holds it. A cursor
 * ahead of this server comes from another server, by an import: it is reset.
 */
export async function lockCursor(tx: Queryable, name: string): Promise<Place | undefined> {
  const lock = async (): Promise<(Place & { readonly isAhead: boolean }) | undefined> => {
    const { rows } = await tx.query<Place & { readonly isAhead: boolean }>({
      name: 'feed-cursor-lock',
      text: `select xid::text, seq, xid > pg_snapshot_xmax(pg_current_snapshot()) as "isAhead"
             from feed_cursor where name = $1 for update skip locked`,
      values: [name],
    });
    return rows[0];
  };
  const cursor = await lock();
  if (cursor?.isAhead === false) return cursor;
  if (cursor === undefined) {
    const { rowCount } = await tx.query({
      name: 'feed-cursor-make',
      text: `insert into feed_cursor (name, xid, seq)
             select $1, pg_snapshot_xmin(pg_current_snapshot()), 0
             where not exists (select from feed_cursor where name = $1) on conflict do nothing`,
      values: [name],
    });
    return rowCount === 0 ? undefined : lock();
  }
  await tx.query({
    name: 'feed-cursor-mend',
    text: `with odd as (select from feed_cursor where xid > pg_snapshot_xmax(pg_current_snapshot()) limit 1),
                gone as (delete from feed where exists (select from odd)
                         and xid > pg_snapshot_xmax(pg_current_snapshot()))
           update feed_cursor set xid = pg_snapshot_xmin(pg_current_snapshot()), seq = 0
           where exists (select from odd) and xid > pg_snapshot_xmax(pg_current_snapshot())`,
  });
  return lock();
}

export async function moveCursor(tx: Queryable, name: string, { xid, seq }: Place): Promise<void> {
  await tx.query({
    name: 'feed-cursor-move',
    text: 'update feed_cursor set xid = $2::text::xid8, seq = $3, updated_at = now() where name = $1',
    values: [name, xid, seq],
  });
}

/** Where a follower is; undefined without a cursor. */
export async function readCursor(db: Queryable, name: string): Promise<Place | undefined> {
  const { rows } = await db.query<Place>({
    name: 'feed-cursor-read',
    text: 'select xid::text, seq from feed_cursor where name = $1',
    values: [name],
  });
  return rows[0];
}

export interface Backlog {
  readonly name: string;
  /** age of the oldest event that the follower has not seen, s */
  readonly seconds: number;
  readonly events: number;
}

/** What followers have not seen, by the names of their cursors. */
export async function readBacklogs(db: Queryable, names: readonly string[]): Promise<Backlog[]> {
  const { rows } = await db.query<Backlog>({
    name: 'feed-backlogs',
    text: `select c.name, coalesce(greatest(0, extract(epoch from now() - min(f.at))), 0)::float8 as seconds,
                  coalesce(sum(case f.kind when 'positions' then octet_length(f.keys) / 33
                                           else jsonb_array_length(f.detail) end), 0)::float8 as events
           from feed_cursor c left join feed f on (f.xid, f.seq) > (c.xid, c.seq) and f.kind <> 'rules'
           where c.name = any($1::text[]) group by c.name`,
    values: [textArray(names)],
  });
  return rows;
}

/** Followers that have not seen all entries before a place, by the names of their cursors. */
export async function listBehind(db: Queryable, { xid }: Place): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select c.name from feed_cursor c where c.name <> 'floor'
       and (select e.xid < $1::text::xid8 from feed e where (e.xid, e.seq) > (c.xid, c.seq) ${FIRST}) order by c.name`,
    [xid],
  );
  return rows.map(({ name }) => name);
}

/** Age of the oldest entry that this follower has not seen, s; 0: none. */
export async function readLag(db: Queryable, name: string): Promise<number> {
  const { rows } = await db.query<{ lag: number }>({
    name: 'feed-lag',
    text: `select coalesce(extract(epoch from now() - (
             select (select e.at from feed e where (e.xid, e.seq) > (c.xid, c.seq) ${FIRST})
             from feed_cursor c where c.name = $1)), 0)::float8 as lag`,
    values: [name],
  });
  return Math.max(0, rows[0]?.lag ?? 0);
}

/**
 * Deletes old entries that every follower has seen, and very old ones in any case. Moves the floor in the same
 * transaction.
 */
export async function trim(tx: Queryable, keptMinutes: number, atMostDays: number): Promise<void> {
  await tx.query(
    `with gone as (
       delete from feed f where (f.at < now() - $1 * interval '1 minute' and (f.xid, f.seq) <= (
           select c.xid, c.seq from feed_cursor c where c.name <> 'floor' order by c.xid, c.seq limit 1))
         or f.at < now() - $2 * interval '1 day'
       returning f.xid, f.seq
     ), last as (select xid, seq from gone order by xid desc, seq desc limit 1)
     insert into feed_cursor as c (name, xid, seq) select 'floor', xid, seq from last
     on conflict (name) do update set xid = excluded.xid, seq = excluded.seq, updated_at = now()
     where (excluded.xid, excluded.seq) > (c.xid, c.seq)`,
    [keptMinutes, atMostDays],
  );
}
