import type pg from 'pg';
import {
  boolArray,
  int4Array,
  int8Array,
  jsonArray,
  type Queryable,
  textArray,
  timestampArray,
} from '../platform/postgres/index.ts';
import type { HistoryEntry } from './change.ts';
import type { Command, HistoryLine, NewCommand } from './command.ts';

const COLUMNS = `c.id, c.tenant_id as "tenantId", c.device_id as "deviceId", d.imei, c.batch_id as "batchId", c.state,
  c.priority, c.type, c.params, c.text, c.encoding, c.once, c.attempts, c.max_attempts as "maxAttempts",
  c.given_back as "givenBack", c.ticket, c.gateway, c.conn, c.conditions, c.not_before as "notBefore",
  c.created_at as "createdAt", c.ttl_ms as "ttlMs", c.expires_at as "expiresAt", c.answer_ms as "answerMs", c.deadline,
  c.sent_at as "sentAt", c.acknowledged_at as "acknowledgedAt", c.ended_at as "endedAt", c.answer,
  c.answer_is_hex as "answerIsHex", c.reason, c.detail, c.ack_by as "ackBy", c.may_have_executed as "mayHaveExecuted",
  c.late, c.dedupe_key as "dedupeKey", c.callback_url as "callbackUrl", c.created_by as "createdBy"`;
const FROM = 'from command c join device d on d.id = c.device_id';

/** A device's session as the claim needs it. */
export interface ClaimedCommand extends Command {
  readonly protocol: string | null;
}

const text = (values: readonly (string | null | undefined)[]) => textArray(values);

/** Stores new commands in order; those whose dedupe key is pending already are left out. Ids that were stored. */
export async function insertCommands(tx: Queryable, list: readonly NewCommand[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'insert-commands',
    text: `
      insert into command (id, tenant_id, device_id, batch_id, priority, type, params, text, encoding, once,
        max_attempts, ticket, conditions, not_before, ttl_ms, expires_at, answer_ms, dedupe_key, callback_url, created_by)
      select n.id, n.tenant_id, n.device_id, n.batch_id, n.priority, n.type, n.params, n.text, n.encoding, n.once,
        n.max_attempts, 0, n.conditions, n.not_before, n.ttl_ms,
        now() + n.ttl_ms * interval '1 millisecond', n.answer_ms, n.dedupe_key, n.callback_url, n.created_by
      from unnest($1::text[], $2::int4[], $3::int8[], $4::text[], $5::int4[], $6::text[], $7::json[], $8::text[],
                  $9::text[], $10::bool[], $11::int4[], $12::json[], $13::timestamptz[], $14::int8[], $15::int4[],
                  $16::text[], $17::text[], $18::text[]) with ordinality
        as n(id, tenant_id, device_id, batch_id, priority, type, params, text, encoding, once, max_attempts,
             conditions, not_before, ttl_ms, answer_ms, dedupe_key, callback_url, created_by, place)
      order by n.place
      on conflict (device_id, dedupe_key) where state = 'pending' and dedupe_key is not null do nothing
      returning id`,
    values: [
      text(list.map((c) => c.id)),
      int4Array(list.map((c) => c.tenantId)),
      int8Array(list.map((c) => c.deviceId)),
      text(list.map((c) => c.batchId)),
      int4Array(list.map((c) => c.priority)),
      text(list.map((c) => c.type)),
      jsonArray(list.map((c) => JSON.stringify(c.params))),
      text(list.map((c) => c.text)),
      text(list.map((c) => c.encoding)),
      boolArray(list.map((c) => c.once)),
      int4Array(list.map((c) => c.maxAttempts)),
      jsonArray(list.map((c) => (c.conditions === undefined ? null : JSON.stringify(c.conditions)))),
      timestampArray(list.map((c) => c.notBefore)),
      int8Array(list.map((c) => c.ttlMs)),
      int4Array(list.map((c) => c.answerMs)),
      text(list.map((c) => c.dedupeKey)),
      text(list.map((c) => c.callbackUrl)),
      text(list.map((c) => c.createdBy)),
    ],
  });
  return new Set(rows.map((r) => r.id));
}

/** Open commands of devices: how many more each may hold. Locks nothing: the bound is a guard, not a ledger. */
export async function countOpen(tx: Queryable, deviceIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await tx.query<{ id: number; open: number }>({
    name: 'count-open-commands',
    text: `select device_id as id, count(*)::int as open from command
           where device_id = any($1::int8[]) and state in ('pending', 'sending', 'sent') group by device_id`,
    values: [int8Array(deviceIds)],
  });
  return new Map(rows.map((r) => [r.id, r.open]));
}

/**
 * For each device that is free, has an open session on one of these gateways and something pending that may be sent:
 * its first command becomes `sending`. One transaction at a time per device, by the lock on its session.
 */
export async function claim(
  tx: Queryable,
  deviceIds: readonly number[],
  gateways: readonly string[],
): Promise<ClaimedCommand[]> {
  const { rows } = await tx.query<ClaimedCommand>({
    name: 'claim-commands',
    text: `
      with online as materialized (
        select s.device_id, s.gateway, s.conn, s.epoch, s.protocol from session s
        where s.device_id = any($1::int8[]) and s.open and s.gateway = any($2::text[])
          and s.held_conn is distinct from s.conn and coalesce(s.next_command_at <= now(), true)
        order by s.device_id for update
      ), chosen as materialized (
        select o.*, c.id from online o cross join lateral (
          select p.id from command p
          where p.device_id = o.device_id and p.state = 'pending' and p.expires_at > now()
            and coalesce(p.not_before <= now(), true)
            and (p.conditions is null or unmet_condition(p.conditions, p.device_id) is null)
          order by p.priority, p.seq limit 1 for update
        ) c
        where not exists (select from command f where f.device_id = o.device_id and f.state in ('sending', 'sent'))
      ), claimed as (
        update command c set state = 'sending', attempts = c.attempts + 1, epoch = chosen.epoch,
          gateway = chosen.gateway, conn = chosen.conn, reason = null, ticket = (c.seq % 65535) + 1,
          deadline = now() + c.answer_ms * interval '1 millisecond'
        from chosen where c.id = chosen.id
        returning c.*, chosen.protocol
      ), told as (
        insert into command_history (command_id, tenant_id, at, from_state, to_state, reason, actor)
        select id, tenant_id, now(), 'pending', 'sending', 'claimed', gateway from claimed
      )
      select ${COLUMNS}, c.protocol from claimed c join device d on d.id = c.device_id`,
    values: [int8Array(deviceIds), text(gateways)],
  });
  return rows;
}

/** Locks the devices' sessions, in the order in which everybody locks them: before any command. */
export async function lockSessions(tx: Queryable, deviceIds: readonly number[]): Promise<void> {
  await tx.query({
    name: 'lock-sessions',
    text: 'select from session where device_id = any($1::int8[]) order by device_id for update',
    values: [int8Array(deviceIds)],
  });
}

/** Commands by id, locked, in the order of their devices. */
export async function lockCommands(tx: Queryable, ids: readonly string[]): Promise<Command[]> {
  const { rows } = await tx.query<Command>({
    name: 'lock-commands',
    text: `select ${COLUMNS} ${FROM} where c.id = any($1::text[]) order by c.device_id, c.seq for update of c`,
    values: [text(ids)],
  });
  return rows;
}

/** What is in flight to these devices, locked. */
export async function lockInFlight(tx: Queryable, deviceIds: readonly number[]): Promise<Command[]> {
  const { rows } = await tx.query<Command>({
    name: 'lock-in-flight',
    text: `select ${COLUMNS} ${FROM} where c.device_id = any($1::int8[]) and c.state in ('sending', 'sent')
           order by c.device_id for update of c`,
    values: [int8Array(deviceIds)],
  });
  return rows;
}

/** What is in flight through a gateway by connections of an earlier life of it, locked. */
export async function lockOrphans(tx: Queryable, gateway: string, life: string): Promise<Command[]> {
  const { rows } = await tx.query<Command>({
    name: 'lock-orphans',
    text: `select ${COLUMNS} ${FROM} where c.gateway = $1 and c.state in ('sending', 'sent')
             and not starts_with(c.conn, $2 || '.') order by c.device_id for update of c`,
    values: [gateway, life],
  });
  return rows;
}

/** Connections of a gateway's earlier lives are gone. */
export async function closeOldSessions(tx: Queryable, gateway: string, life: string): Promise<void> {
  await tx.query({
    name: 'close-old-sessions',
    text: `update session set open = false where gateway = $1 and open and not starts_with(conn, $2 || '.')`,
    values: [gateway, life],
  });
}

/** What was sent to these devices of late, newest first, locked: late answers belong to one of them. */
export async function lockRecentlySent(tx: Queryable, deviceIds: readonly number[]): Promise<Command[]> {
  const { rows } = await tx.query<Command>({
    name: 'lock-recently-sent',
    text: `select ${COLUMNS} from unnest($1::int8[]) as w(device_id) cross join lateral (
             select * from command r where r.device_id = w.device_id and r.sent_at is not null
             order by r.sent_at desc limit 20 for update) c
           join device d on d.id = c.device_id order by c.device_id, c.sent_at desc`,
    values: [int8Array(deviceIds)],
  });
  return rows;
}

/** Writes commands as they have become. */
export async function saveCommands(tx: Queryable, list: readonly Command[]): Promise<void> {
  if (list.length === 0) return;
  await tx.query({
    name: 'save-commands',
    text: `
      update command c set state = v.state, attempts = v.attempts, given_back = v.given_back, ttl_ms = v.ttl_ms,
        expires_at = v.expires_at, deadline = v.deadline, sent_at = v.sent_at, acknowledged_at = v.acknowledged_at,
        ended_at = v.ended_at, answer = v.answer, answer_is_hex = v.answer_is_hex, reason = v.reason, detail = v.detail,
        ack_by = v.ack_by, may_have_executed = v.may_have_executed, late = v.late
      from unnest($1::text[], $2::text[], $3::int4[], $4::bool[], $5::int8[], $6::timestamptz[], $7::timestamptz[],
                  $8::timestamptz[], $9::timestamptz[], $10::timestamptz[], $11::text[], $12::bool[], $13::text[],
                  $14::text[], $15::text[], $16::bool[], $17::bool[])
        as v(id, state, attempts, given_back, ttl_ms, expires_at, deadline, sent_at, acknowledged_at, ended_at, answer,
             answer_is_hex, reason, detail, ack_by, may_have_executed, late)
      where c.id = v.id`,
    values: [
      text(list.map((c) => c.id)),
      text(list.map((c) => c.state)),
      int4Array(list.map((c) => c.attempts)),
      boolArray(list.map((c) => c.givenBack)),
      int8Array(list.map((c) => c.ttlMs)),
      timestampArray(list.map((c) => c.expiresAt)),
      timestampArray(list.map((c) => c.deadline)),
      timestampArray(list.map((c) => c.sentAt)),
      timestampArray(list.map((c) => c.acknowledgedAt)),
      timestampArray(list.map((c) => c.endedAt)),
      text(list.map((c) => c.answer)),
      boolArray(list.map((c) => c.answerIsHex)),
      text(list.map((c) => c.reason)),
      text(list.map((c) => c.detail)),
      text(list.map((c) => c.ackBy)),
      boolArray(list.map((c) => c.mayHaveExecuted)),
      boolArray(list.map((c) => c.late)),
    ],
  });
}

export async function addHistory(tx: Queryable, lines: readonly HistoryEntry[]): Promise<void> {
  if (lines.length === 0) return;
  await tx.query({
    name: 'add-command-history',
    text: `insert into command_history (command_id, tenant_id, at, from_state, to_state, reason, actor)
           select * from unnest($1::text[], $2::int4[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[])`,
    values: [
      text(lines.map((l) => l.commandId)),
      int4Array(lines.map((l) => l.tenantId)),
      timestampArray(lines.map((l) => l.at)),
      text(lines.map((l) => l.from)),
      text(lines.map((l) => l.to)),
      text(lines.map((l) => l.reason)),
      text(lines.map((l) => l.actor)),
    ],
  });
}

/** The job queue is to hear of these. */
export async function addToOutbox(tx: Queryable, commandIds: readonly string[]): Promise<void> {
  if (commandIds.length === 0) return;
  await tx.query({
    name: 'add-to-outbox',
    text: 'insert into command_outbox (command_id) select unnest($1::text[])',
    values: [text(commandIds)],
  });
}

/** Nothing more is sent on the connection until its answer comes. */
export async function holdConnections(tx: Queryable, deviceIds: readonly number[]): Promise<void> {
  await tx.query({
    name: 'hold-connections',
    text: 'update session set held_conn = conn, held_since = now() where device_id = any($1::int8[])',
    values: [int8Array(deviceIds)],
  });
}

export async function releaseConnections(tx: Queryable, deviceIds: readonly number[]): Promise<void> {
  await tx.query({
    name: 'release-connections',
    text: 'update session set held_conn = null, held_since = null where device_id = any($1::int8[]) and held_conn is not null',
    values: [int8Array(deviceIds)],
  });
}

/** Waits the model's gap before the next command. */
export async function delayNext(tx: Queryable, deviceIds: readonly number[]): Promise<void> {
  await tx.query({
    name: 'delay-next-command',
    text: `update session s set next_command_at = now() + (d.options->>'commandGapMs')::int * interval '1 millisecond'
           from device d where d.id = s.device_id and s.device_id = any($1::int8[])
             and jsonb_typeof(d.options->'commandGapMs') = 'number'`,
    values: [int8Array(deviceIds)],
  });
}

/** Pending commands whose time is over, locked. */
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
  /** the connection is still the device's */
  readonly isOnline: boolean;
  /** epoch ms of the last frame on it */
  readonly seenAt: number | null;
  readonly heldSince: number | null;
  /** the gateway's stream has been applied up to the deadline */
  readonly isStreamApplied: boolean;
  readonly isLeaseOver: boolean;
  readonly protocol: string | null;
}

/**
 * In flight past the deadline, locked, where that can be judged: the gateway's stream has been applied up to then by
 * its own clock, or its lease is over.
 */
export async function lockOverdue(tx: Queryable, limit: number): Promise<OverdueCommand[]> {
  const { rows } = await tx.query<OverdueCommand>({
    name: 'lock-overdue',
    text: `
      select * from (
        select ${COLUMNS}, s.protocol, s.seen_at as "seenAt", s.held_since as "heldSince",
          coalesce(s.open and s.gateway = c.gateway and s.conn = c.conn, false) as "isOnline",
          coalesce((select max(g.clock) from gateway_cursor g where g.gateway = c.gateway) >= c.deadline, false)
            as "isStreamApplied",
          coalesce((select l.lease_until < now() from gateway_lease l where l.gateway = c.gateway), true) as "isLeaseOver"
        ${FROM} left join session s on s.device_id = c.device_id
        where c.state in ('sending', 'sent') and c.deadline <= now() + interval '5 minutes'
        order by c.deadline limit $1 for update of c skip locked
      ) o where "isStreamApplied" or ("isLeaseOver" and o.deadline <= now())`,
    values: [limit],
  });
  return rows;
}

/** Claimed a while ago and not reported as sent, through gateways whose streams are held here. */
export async function findUnreported(
  pool: Queryable,
  gateways: readonly string[],
  olderThanMs: number,
): Promise<ClaimedCommand[]> {
  const { rows } = await pool.query<ClaimedCommand>({
    name: 'find-unreported',
    text: `select ${COLUMNS}, null as protocol ${FROM} where c.state = 'sending' and c.gateway = any($1::text[])
             and c.deadline - c.answer_ms * interval '1 millisecond' <= now() - $2 * interval '1 millisecond' limit 10000`,
    values: [text(gateways), olderThanMs],
  });
  return rows;
}

/** Devices on line through these gateways that are free and have something pending. */
export async function findIdle(pool: Queryable, gateways: readonly string[], limit: number): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>({
    name: 'find-idle-devices',
    text: `
      select s.device_id as id from session s
      where s.open and s.gateway = any($1::text[]) and s.held_conn is distinct from s.conn
        and coalesce(s.next_command_at <= now(), true)
        and exists (select from command p where p.device_id = s.device_id and p.state = 'pending'
          and p.expires_at > now() and coalesce(p.not_before <= now(), true)
          and (p.conditions is null or unmet_condition(p.conditions, p.device_id) is null))
        and not exists (select from command f where f.device_id = s.device_id and f.state in ('sending', 'sent'))
      limit $2`,
    values: [text(gateways), limit],
  });
  return rows.map((r) => r.id);
}

/** Held connections whose second answer time is over: the late answer never came. */
export async function findStuckHolds(
  pool: Queryable,
  gateways: readonly string[],
  answerMs: number,
): Promise<{ gateway: string; conn: string }[]> {
  const { rows } = await pool.query<{ gateway: string; conn: string }>({
    name: 'find-stuck-holds',
    text: `select gateway, conn from session where open and gateway = any($1::text[]) and held_conn = conn
             and held_since <= now() - $2 * interval '1 millisecond'`,
    values: [text(gateways), answerMs],
  });
  return rows;
}

/** Gateways that devices with these ids are connected to. */
export async function gatewaysOf(pool: Queryable, deviceIds: readonly number[]): Promise<string[]> {
  const { rows } = await pool.query<{ gateway: string }>({
    name: 'gateways-of-devices',
    text: 'select distinct gateway from session where open and device_id = any($1::int8[])',
    values: [int8Array(deviceIds)],
  });
  return rows.map((r) => r.gateway);
}

export async function wake(pool: Queryable, gateways: readonly string[]): Promise<void> {
  await pool.query({
    name: 'wake-gateway-holders',
    text: `select pg_notify('fleetgate_claim', g) from unnest($1::text[]) as g`,
    values: [text(gateways)],
  });
}

export async function readCommands(pool: Queryable, ids: readonly string[]): Promise<Command[]> {
  const { rows } = await pool.query<Command>({
    name: 'read-commands',
    text: `select ${COLUMNS} ${FROM} where c.id = any($1::text[])`,
    values: [text(ids)],
  });
  return rows;
}

export const historyQuery = (ids: readonly string[]): pg.QueryConfig => ({
  name: 'read-command-history',
  text: `select command_id as "commandId", at, from_state as "from", to_state as "to", reason, actor
         from command_history where command_id = any($1::text[]) order by id`,
  values: [text(ids)],
});
export type HistoryRow = HistoryLine & { readonly commandId: string };
