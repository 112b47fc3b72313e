import {
  allSent,
  byteaArray,
  int4Array,
  int8Array,
  jsonArray,
  type Queryable,
  storableJson,
  textArray,
  timestampArray,
} from '../../database/index.ts';
import { type Column, insertion } from './columns/index.ts';
import type { TimelineRow } from './timeline-rows.ts';

/** A record that was not stored, as the gateway is informed of it. */
export interface Rejection {
  readonly seq: number;
  readonly code: string;
  readonly detail: string;
}

/**
 * Locks the cursor of a spool for this transaction: batches of one spool are stored one after the other. Returns its
 * last sequence number and the rejections of the last batch, whose answer the gateway may not have received.
 */
export async function lockCursor(
  tx: Queryable,
  gateway: string,
  spool: string,
): Promise<{ last: number; rejected: readonly Rejection[] }> {
  const { rows } = await tx.query<{ last: number; rejected: Rejection[] }>({
    name: 'lock-cursor',
    text: `with locked as materialized (select lock_spool($1, $2))
           insert into gateway_cursor as c (gateway, spool, last_seq) select $1, $2, 0 from locked
           on conflict (gateway, spool) do update set updated_at = now() returning last_seq as last, rejected`,
    values: [gateway, spool],
  });
  return rows[0]!;
}

/** `gatewayClock`: epoch ms up to which the gateway's events have been stored, by its own clock. */
export async function moveCursor(
  tx: Queryable,
  cursor: {
    gateway: string;
    spool: string;
    lastSeq: number;
    rejected: readonly Rejection[];
    gatewayClock: number | undefined;
  },
): Promise<void> {
  await tx.query({
    name: 'move-cursor',
    text: `update gateway_cursor set last_seq = $3, rejected = $5, updated_at = now(),
             clock = greatest(clock, to_timestamp($4::float8 / 1000))
           where gateway = $1 and spool = $2`,
    values: [
      cursor.gateway,
      cursor.spool,
      cursor.lastSeq,
      cursor.gatewayClock ?? null,
      cursor.rejected.length === 0 ? '[]' : storableJson(cursor.rejected),
    ],
  });
}

/** Informs advanceCursor that it runs in a transaction: the setting is local to one. */
export async function markTransaction(tx: Queryable): Promise<void> {
  await tx.query({ name: 'enter-transaction', text: `select set_config('fleetgate.in_turn', 'on', true)` });
}

/**
 * Moves the cursor over a batch that is the next one: `after` has been stored, nothing of the batch has, and nothing of
 * the last one was rejected. Fails otherwise (FG001), and with it the transaction.
 */
export async function advanceCursor(
  tx: Queryable,
  batch: {
    readonly gateway: string;
    readonly spool: string;
    readonly after: number;
    readonly firstSeq: number;
    readonly lastSeq: number;
    readonly rejected: readonly Rejection[];
    readonly gatewayClock: number | undefined;
  },
): Promise<void> {
  await tx.query({
    name: 'advance-cursor',
    text: 'select advance_cursor($1, $2, $3, $4, $5, $6, to_timestamp($7::float8 / 1000))',
    values: [
      batch.gateway,
      batch.spool,
      batch.after,
      batch.firstSeq,
      batch.lastSeq,
      batch.rejected.length === 0 ? '[]' : storableJson(batch.rejected),
      batch.gatewayClock ?? null,
    ],
  });
}

/** Makes the statement; the returned function sends it. */
export function prepareTimelineInsert(
  gateway: string,
  rows: readonly TimelineRow[],
): (tx: Queryable) => Promise<unknown> {
  const statement = {
    name: 'insert-timeline',
    text: `
      insert into timeline (device_id, at, tenant_id, kind, gateway, conn, protocol, transport, remote, bytes, detail)
      select device_id, at, tenant_id, kind, $1, conn, protocol, transport, remote, bytes, detail
      from (select unnest($2::int8[]) as device_id, unnest($3::timestamptz[]) as at, unnest($4::int4[]) as tenant_id,
              unnest($5::text[]) as kind, unnest($6::text[]) as conn, unnest($7::text[]) as protocol,
              unnest($8::text[]) as transport, unnest($9::text[]) as remote, unnest($10::bytea[]) as bytes,
              unnest($11::json[]) as detail) as t`,
    values: [
      gateway,
      int8Array(rows.map((r) => r.deviceId)),
      timestampArray(rows.map((r) => r.at)),
      int4Array(rows.map((r) => r.tenantId)),
      textArray(rows.map((r) => r.kind)),
      textArray(rows.map((r) => r.conn)),
      textArray(rows.map((r) => r.protocol)),
      textArray(rows.map((r) => r.transport)),
      textArray(rows.map((r) => r.remote)),
      byteaArray(rows.map((r) => r.bytes)),
      jsonArray(rows.map((r) => r.detail)),
    ],
  };
  return (tx) => tx.query(statement);
}

/** Frames, as columns of `timeline`. */
export function prepareFrameInsert(columns: readonly Column[]): (tx: Queryable) => Promise<unknown> {
  const statement = insertion('timeline', columns);
  return (tx) => tx.query(statement);
}

export async function touchSessions(tx: Queryable, seen: ReadonlyMap<number, number>): Promise<void> {
  await tx.query({
    name: 'touch-sessions',
    text: `update session s set seen_at = t.at from unnest($1::int8[], $2::timestamptz[]) as t(device_id, at)
           where s.device_id = t.device_id and s.seen_at < t.at`,
    values: [int8Array([...seen.keys()]), timestampArray([...seen.values()])],
  });
}

export interface UnregisteredDevice {
  readonly imei: string;
  readonly protocol: string;
  readonly remote: string;
  readonly at: number;
}

const MAX_UNREGISTERED = 10_000;

/** Lists devices until they are registered; at most MAX_UNREGISTERED, against floods of invented ids. */
export async function recordUnregisteredDevices(
  tx: Queryable,
  tenantId: number,
  devices: readonly UnregisteredDevice[],
): Promise<void> {
  await tx.query({
    text: `
      insert into knock as k (imei, tenant_id, protocol, remote, first_at, last_at, times)
      select imei, $1, max(protocol), max(remote), min(at), max(at), count(*)
      from unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[]) as t(imei, protocol, remote, at)
      where not exists (select from device d where d.imei = t.imei and not d.is_claim)
        and ((select count(*) from knock) < $6 or exists (select from knock o where o.imei = t.imei))
      group by imei order by imei
      on conflict (imei) do update set protocol = excluded.protocol, remote = excluded.remote,
        last_at = greatest(k.last_at, excluded.last_at), times = k.times + excluded.times`,
    values: [
      tenantId,
      textArray(devices.map((k) => k.imei)),
      textArray(devices.map((k) => k.protocol)),
      textArray(devices.map((k) => k.remote)),
      timestampArray(devices.map((k) => k.at)),
      MAX_UNREGISTERED,
    ],
  });
}

export interface FileChunk {
  readonly deviceId: number;
  readonly tenantId: number;
  readonly name: string;
  readonly media: string;
  readonly total: number | undefined;
  readonly at: number;
  readonly start: number;
  readonly bytes: Uint8Array;
  readonly last: boolean;
}

/**
 * A device may send a file of the same name again, in other pieces: each byte is that of the piece that came last, and what
 * lies behind the end of a document or of a file whose size is known goes. A document that begins again is not complete. A
 * whole tachograph file that is not archived yet is kept beside the one that begins.
 */
export async function storeFileChunk(tx: Queryable, chunk: FileChunk): Promise<void> {
  // the queries of a transaction run in their order
  await allSent([
    ...(chunk.start === 0 && chunk.media === 'other' ? [keepUnread(tx, chunk)] : []),
    storePiece(tx, chunk),
  ]);
}

const keepUnread = (tx: Queryable, { deviceId, name }: FileChunk): Promise<unknown> =>
  tx.query({ name: 'keep-unread-file', text: 'select keep_unread_file($1, $2)', values: [deviceId, name] });

async function storePiece(tx: Queryable, chunk: FileChunk): Promise<void> {
  await tx.query({
    name: 'store-piece',
    text: `
      with file as (
        insert into device_file as f (device_id, tenant_id, name, media, total, complete, at)
        values ($1, $2, $3, $4, $5, $6, to_timestamp($7::float8 / 1000))
        on conflict (device_id, name) where not superseded do update set
          total = coalesce(excluded.total, f.total), at = greatest(f.at, excluded.at), version = f.version + excluded.complete::int,
          complete = excluded.complete or f.complete and not (excluded.media = 'other' and $8::bigint = 0)
        returning id),
      piece as (select id, $8::bigint as start, $8::bigint + length($9::bytea) as behind from file),
      old as (
        select c.start, c.bytes, c.start + length(c.bytes) as behind from file_chunk c join piece p on p.id = c.file_id
        where c.start < p.behind and c.start + length(c.bytes) > p.start),
      cut as (
        update file_chunk c set bytes = substring(c.bytes from 1 for (p.start - c.start)::int) from piece p
        where c.file_id = p.id and c.start < p.start and c.start + length(c.bytes) > p.start),
      gone as (
        delete from file_chunk c using piece p where c.file_id = p.id and c.start > p.start and (
          c.start < p.behind or $6 and c.start >= coalesce($5, case when $4 = 'other' then p.behind end))),
      rest as (
        insert into file_chunk (file_id, tenant_id, start, bytes)
        select p.id, $2, p.behind, substring(old.bytes from (p.behind - old.start)::int + 1)
        from old cross join piece p where old.behind > p.behind and old.start <> p.start and not $6
        order by old.start desc limit 1
        on conflict (file_id, start) do nothing)
      insert into file_chunk (file_id, tenant_id, start, bytes) select id, $2, $8, $9 from file
      on conflict (file_id, start) do update set bytes = excluded.bytes`,
    values: [
      chunk.deviceId,
      chunk.tenantId,
      chunk.name,
      chunk.media,
      chunk.total ?? null,
      chunk.last,
      chunk.at,
      chunk.start,
      Buffer.from(chunk.bytes),
    ],
  });
}
