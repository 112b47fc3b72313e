import { type Queryable, textArray } from '../../../database/index.ts';
import type { Command } from '../command.ts';
import { type ClaimedCommand, COLUMNS, FROM } from '../store.ts';

/** Pending commands whose time to live has ended, locked. */
export async function lockExpired(tx: Queryable, limit: number): Promise<Command[]> {
  const { rows } = await tx.query<Command>({
    name: 'lock-expired',
    text: `select ${COLUMNS} ${FROM} where c.state = 'pending' and c.expires_at <= now()
           order by c.expires_at limit $1 for update of c skip locked`,
    values: [limit],
  });
  return rows;
}

export interface OverdueCommand extends Command {
  /** whether the device still uses the connection */
  readonly isOnline: boolean;
  /** epoch ms of the last frame on it */
  readonly seenAt: number | null;
  /** whether the gateway's events have been applied up to the deadline */
  readonly isStreamApplied: boolean;
  readonly isLeaseOver: boolean;
  /** whether its gateway has reported the end of the connection */
  readonly isConnectionClosed: boolean;
}

/**
 * Commands in flight after their deadline, locked, that can be judged: the gateway's events have been applied up to the
 * deadline, by its clock, or its lease has ended.
 */
export async function lockOverdue(tx: Queryable, limit: number): Promise<OverdueCommand[]> {
  const { rows } = await tx.query<OverdueCommand>({
    name: 'lock-overdue',
    text: `
      select * from (
        select ${COLUMNS}, s.seen_at as "seenAt",
          coalesce(s.open and s.gateway = c.gateway and s.conn = c.conn, false) as "isOnline",
          coalesce((select max(g.clock) from gateway_cursor g where g.gateway = c.gateway) >= c.deadline, false)
            as "isStreamApplied",
          coalesce(s.gateway = c.gateway and not (s.open and s.conn = c.conn), false) as "isConnectionClosed",
          coalesce((select l.lease_until < now() from gateway_lease l where l.gateway = c.gateway), true) as "isLeaseOver"
        ${FROM}
        where c.state in ('sending', 'sent') and c.deadline <= now() + interval '5 minutes'
        order by c.deadline limit $1 for update of c skip locked
      ) o where "isStreamApplied" or ("isLeaseOver" and o.deadline <= now())`,
    values: [limit],
  });
  return rows;
}

/**
 * Commands that were claimed a while ago and not reported as sent, of gateways whose downlinks end here. Their
 * conditions are checked again: a delivery that never reached the gateway must not be repeated on an old claim.
 */
export async function findUnreported(
  pool: Queryable,
  gateways: readonly string[],
  olderThanMs: number,
): Promise<ClaimedCommand[]> {
  const { rows } = await pool.query<ClaimedCommand>({
    name: 'find-unreported',
    text: `select c.id, c.device_id as "deviceId", c.gateway, c.conn, c.deliveries, c.ticket, d.imei, c.type, c.params,
             c.encoding, c.text
           ${FROM} where c.state = 'sending' and c.gateway = any($1::text[])
             and c.deadline - c.answer_ms * interval '1 millisecond' <= now() - $2 * interval '1 millisecond'
             and (c.conditions is null or unmet_condition(c.conditions, c.device_id) is null) limit 10000`,
    values: [textArray(gateways), olderThanMs],
  });
  return rows;
}

/** Free devices that are online through these gateways and have a pending command. */
export async function findIdle(pool: Queryable, gateways: readonly string[], limit: number): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>({
    name: 'find-idle-devices',
    text: `
      select s.device_id as id from session s
      where s.open and s.gateway = any($1::text[])
        and (s.held_gateway, s.held_conn) is distinct from (s.gateway, s.conn)
        and coalesce(s.next_command_at <= now(), true)
        and exists (select from command p where p.device_id = s.device_id and p.state = 'pending'
          and p.expires_at > now() and coalesce(p.not_before <= now(), true)
          and (p.conditions is null or unmet_condition(p.conditions, p.device_id) is null))
        and (select count(*) from command f where f.device_id = s.device_id and f.state in ('sending', 'sent')) = 0
      limit $2`,
    values: [textArray(gateways), limit],
  });
  return rows.map((r) => r.id);
}

/** Held connections whose late answer has not come within the answer time. */
export async function findStuckHolds(
  pool: Queryable,
  gateways: readonly string[],
): Promise<{ gateway: string; conn: string }[]> {
  const { rows } = await pool.query<{ gateway: string; conn: string }>({
    name: 'find-stuck-holds',
    text: `select gateway, conn from session where open and gateway = any($1::text[])
             and (held_gateway, held_conn) = (gateway, conn) and held_until <= now()`,
    values: [textArray(gateways)],
  });
  return rows;
}
