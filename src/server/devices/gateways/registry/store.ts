import type { OtherSession, SessionQuery } from '../../../../contract/events.ts';
import { int8Array, type Queryable, textArray, timestampArray } from '../../../database/index.ts';
import type { SessionState } from '../store.ts';

/**
 * Notes which gateway is about to open the session of each device that has none: events arrive later. A note is
 * replaced when its session is known, or after so many seconds. Datagram sessions do not block others.
 */
export async function holdSessions(
  tx: Queryable,
  gateway: string,
  queries: readonly SessionQuery[],
  seconds: number,
): Promise<void> {
  await tx.query({
    name: 'hold-sessions',
    text: `
      insert into session_hold as h (device_id, gateway, conn, transport, remote)
      select d.id, $1, q.conn, q.transport, q.remote
      from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as q(imei, conn, transport, remote)
      join device d on d.imei = q.imei and not d.is_claim
      where q.transport <> 'udp' and not exists (
        select from session s join gateway_lease l on l.gateway = s.gateway and l.lease_until > now()
        where s.device_id = d.id and s.open and s.gateway <> $1)
      order by d.id
      on conflict (device_id) do update set gateway = excluded.gateway, conn = excluded.conn,
        transport = excluded.transport, remote = excluded.remote, at = now()
      where h.gateway = excluded.gateway or h.at < now() - make_interval(secs => $6)
        or exists (select from session s where s.device_id = h.device_id and (s.gateway, s.conn) = (h.gateway, h.conn))`,
    values: [
      gateway,
      textArray(queries.map(({ imei }) => imei)),
      textArray(queries.map(({ conn }) => conn)),
      textArray(queries.map(({ transport }) => transport)),
      textArray(queries.map(({ remote }) => remote)),
      seconds,
    ],
  });
}

/** Open and reserved sessions of connected gateways. */
export async function otherSessions(
  tx: Queryable,
  gateway: string,
  imeis: readonly string[],
  seconds: number,
): Promise<OtherSession[]> {
  const { rows } = await tx.query<OtherSession>({
    name: 'other-sessions',
    text: `
      select d.imei, coalesce(s.transport, 'tcp') as transport, coalesce(s.remote, '') as remote,
             greatest(0, extract(epoch from now() - s.seen_at) * 1000)::int8 as "silentMs"
      from device d join session s on s.device_id = d.id
      join gateway_lease l on l.gateway = s.gateway and l.lease_until > now()
      where d.imei = any($2) and not d.is_claim and s.open and s.gateway <> $1
      union all
      select d.imei, h.transport, h.remote, 0
      from device d join session_hold h on h.device_id = d.id left join session s on s.device_id = d.id
      where d.imei = any($2) and not d.is_claim and h.gateway <> $1 and h.at > now() - make_interval(secs => $3)
        and (s.gateway, s.conn) is distinct from (h.gateway, h.conn)
        and (s.device_id is null or not s.open or s.gateway = $1)`,
    values: [gateway, imeis, seconds],
  });
  return rows;
}

/**
 * Of the connections of a gateway those whose device has opened a later session on another gateway, which is
 * notified.
 */
export async function replacedSessions(
  tx: Queryable,
  gateway: string,
  sessions: readonly SessionState[],
): Promise<ReadonlySet<number>> {
  const { rows } = await tx.query<{ id: number }>({
    text: `
      select s.device_id as id, pg_notify('fleetgate_session_taken', json_build_object(
        'gateway', $1::text, 'imei', d.imei, 'conn', t.conn,
        'by', json_build_object('conn', s.conn, 'protocol', coalesce(s.protocol, ''),
                                'transport', coalesce(s.transport, 'tcp'), 'remote', coalesce(s.remote, '')))::text)
      from unnest($2::int8[], $3::text[], $4::text[], $5::timestamptz[]) as t(device_id, conn, transport, since)
      join session s on s.device_id = t.device_id join device d on d.id = s.device_id
      join gateway_lease l on l.gateway = s.gateway and l.lease_until > now()
      where s.open and s.gateway <> $1 and s.since > t.since
        and (t.transport = 'udp' or s.transport is distinct from 'udp')`,
    values: [
      gateway,
      int8Array(sessions.map((s) => s.deviceId)),
      textArray(sessions.map((s) => s.conn)),
      textArray(sessions.map((s) => s.transport)),
      timestampArray(sessions.map((s) => s.since)),
    ],
  });
  return new Set(rows.map(({ id }) => id));
}
