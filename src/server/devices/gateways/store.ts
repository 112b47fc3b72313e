import type pg from 'pg';
import type { UnadmittedFrame } from '../../../contract/events.ts';
import {
  boolArray,
  int4Array,
  int8Array,
  type Queryable,
  storableJson,
  textArray,
  timestampArray,
} from '../../database/index.ts';

/** State of a device's connection. Times are epoch ms by the clock of the gateway. */
export interface SessionState {
  readonly deviceId: number;
  readonly tenantId: number;
  readonly conn: string;
  readonly protocol: string | undefined;
  readonly transport: string | undefined;
  readonly remote: string | undefined;
  readonly open: boolean;
  readonly since: number;
  readonly changedAt: number;
  readonly seenAt: number;
}

/**
 * An opened connection takes over the device, unless a later change is known; a closed connection ends only its own
 * session. A new connection gets a new epoch.
 */
export async function upsertSessions(tx: Queryable, gateway: string, sessions: readonly SessionState[]): Promise<void> {
  await tx.query({
    name: 'upsert-sessions',
    text: `
      insert into session as s (device_id, tenant_id, gateway, conn, protocol, transport, remote, open, since, changed_at, seen_at)
      select device_id, tenant_id, $1, conn, protocol, transport, remote, open, since, changed_at, seen_at
      from unnest($2::int8[], $3::int4[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bool[],
                  $9::timestamptz[], $10::timestamptz[], $11::timestamptz[])
           as t(device_id, tenant_id, conn, protocol, transport, remote, open, since, changed_at, seen_at)
      on conflict (device_id) do update set
        tenant_id = excluded.tenant_id, gateway = excluded.gateway, conn = excluded.conn,
        protocol = coalesce(excluded.protocol, s.protocol), transport = coalesce(excluded.transport, s.transport),
        remote = coalesce(excluded.remote, s.remote), open = excluded.open, changed_at = excluded.changed_at,
        seen_at = greatest(s.seen_at, excluded.seen_at),
        since = case when (s.gateway, s.conn) = (excluded.gateway, excluded.conn) then s.since else excluded.since end,
        epoch = case when (s.gateway, s.conn) = (excluded.gateway, excluded.conn) then s.epoch
                     else nextval('session_epoch') end
      where excluded.changed_at >= s.changed_at
        -- a datagram, whose sender may be forged, does not replace a connection to another gateway
        and not (excluded.transport = 'udp' and excluded.open and s.open and s.transport <> 'udp'
                 and s.gateway <> excluded.gateway
                 and exists (select from gateway_lease l where l.gateway = s.gateway and l.lease_until > now()))
        and (excluded.open or (s.gateway, s.conn) = (excluded.gateway, excluded.conn))`,
    values: [
      gateway,
      int8Array(sessions.map((s) => s.deviceId)),
      int4Array(sessions.map((s) => s.tenantId)),
      textArray(sessions.map((s) => s.conn)),
      textArray(sessions.map((s) => s.protocol)),
      textArray(sessions.map((s) => s.transport)),
      textArray(sessions.map((s) => s.remote)),
      boolArray(sessions.map((s) => s.open)),
      timestampArray(sessions.map((s) => s.since)),
      timestampArray(sessions.map((s) => s.changedAt)),
      timestampArray(sessions.map((s) => s.seenAt)),
    ],
  });
}

/** Closes sessions that are open on a gateway but not in its list: they ended while the API was not reachable. */
export async function closeMissingSessions(
  tx: Queryable,
  gateway: string,
  conns: readonly string[],
  deviceIds: readonly number[],
  at: number,
): Promise<void> {
  await tx.query({
    text: `update session s set open = false, changed_at = $4
           where s.gateway = $1 and s.open and s.changed_at <= $4 and not exists (
             select from unnest($2::text[], $3::int8[]) as t(conn, device_id)
             where t.device_id = s.device_id and t.conn = s.conn)`,
    values: [gateway, textArray(conns), int8Array(deviceIds), new Date(at).toISOString()],
  });
}

export interface Lease {
  /** epoch ms by the clock of the gateway */
  readonly clock: number;
  /** 0: it ends now, because the gateway stops */
  readonly seconds: number;
  /** records that wait in the spool; undefined: not reported */
  readonly waiting: number | undefined;
}

export async function renewLease(tx: Queryable, gateway: string, { clock, seconds, waiting }: Lease): Promise<void> {
  await tx.query({
    name: 'renew-lease',
    text: `insert into gateway_lease (gateway, lease_until, clock, waiting, stopped_at)
           values ($1, now() + make_interval(secs => $3), to_timestamp($2::float8 / 1000), $4::int8,
                   case when $3 = 0 then now() end)
           on conflict (gateway) do update set lease_until = excluded.lease_until, clock = excluded.clock,
             waiting = excluded.waiting, stopped_at = excluded.stopped_at`,
    values: [gateway, clock, seconds, waiting],
  });
}

/** Stores the protocol of a device's first session, unless one is stored. */
export async function pinProtocols(tx: Queryable, first: ReadonlyMap<number, string>): Promise<void> {
  if (first.size === 0) return;
  await tx.query({
    name: 'pin-protocols',
    text: `
      with unpinned as materialized (
        select d.id from device d where d.id = any($1::int8[]) and d.pinned_protocol is null
        order by d.id for no key update)
      update device d set pinned_protocol = t.protocol
      from unpinned u, unnest($1::int8[], $2::text[]) as t(id, protocol)
      where d.id = u.id and t.id = u.id`,
    values: [int8Array([...first.keys()]), textArray([...first.values()])],
  });
}

export interface LeftRecords {
  readonly gateway: string;
  /** records in its spool when it was last heard; 0 if it has never said */
  readonly waiting: number;
  /** it has stopped in order; otherwise its spool may have more by now */
  readonly hasStopped: boolean;
}

/** Gateways of the last week that are not connected, and did not stop with an empty spool. */
export async function readLeftRecords(pool: Queryable): Promise<LeftRecords[]> {
  const { rows } = await pool.query<LeftRecords>({
    name: 'left-records',
    text: `select gateway, coalesce(waiting, 0) as waiting, stopped_at is not null as "hasStopped" from gateway_lease
           where lease_until <= now() and lease_until > now() - interval '7 days'
             and (stopped_at is null or waiting > 0) order by gateway`,
  });
  return rows;
}

const SAMPLE_AGE = '1 hour';

/** Replaces the frames of a gateway, and deletes those older than SAMPLE_AGE. */
export async function replaceUnadmittedFrames(
  tx: Queryable,
  gateway: string,
  frames: readonly UnadmittedFrame[],
): Promise<void> {
  await tx.query({
    text: `delete from unadmitted_frame where gateway = $1 or at < now() - $2::interval`,
    values: [gateway, SAMPLE_AGE],
  });
  if (frames.length === 0) return;
  await tx.query({
    text: `
      insert into unadmitted_frame (gateway, n, at, conn, protocol, transport, remote, reason, imei, size, bytes)
      select $1, n, to_timestamp(at / 1000), conn, protocol, transport, remote, reason, imei, size, decode(bytes, 'base64')
      from rows from (json_to_recordset($2) as (at float8, conn text, protocol text, transport text, remote text,
        reason text, imei text, size int, bytes text)) with ordinality
        as f(at, conn, protocol, transport, remote, reason, imei, size, bytes, n)`,
    values: [gateway, storableJson(frames)],
  });
}

export interface UnadmittedFrameRow extends Omit<UnadmittedFrame, 'bytes' | 'imei'> {
  readonly gateway: string;
  readonly imei: string | null;
  readonly bytes: Buffer;
}

/** Newest first. */
export async function listUnadmittedFrames(pool: pg.Pool, limit: number): Promise<UnadmittedFrameRow[]> {
  const { rows } = await pool.query<UnadmittedFrameRow>({
    text: `select gateway, at, conn, protocol, transport, remote, reason, imei, size, bytes from unadmitted_frame
           where at > now() - $2::interval order by at desc, gateway, n desc limit $1`,
    values: [limit, SAMPLE_AGE],
  });
  return rows;
}
