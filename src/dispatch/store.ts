import {
  boolArray,
  int4Array,
  int8Array,
  type Queryable,
  textArray,
  timestampArray,
} from '../platform/postgres/index.ts';
import type { HistoryEntry } from './change.ts';
import type { Command } from './command.ts';

/** Columns of a command, and what they are selected from: `c` with its device `d`. */
export const COLUMNS = `c.id, c.tenant_id as "tenantId", c.device_id as "deviceId", d.imei, c.batch_id as "batchId", c.state,
  c.priority, c.type, c.params, c.text, c.encoding, c.once, c.attempts, c.max_attempts as "maxAttempts",
  c.given_back as "givenBack", c.ticket, c.gateway, c.conn, c.conditions, c.not_before as "notBefore",
  c.created_at as "createdAt", c.ttl_ms as "ttlMs", c.expires_at as "expiresAt", c.answer_ms as "answerMs", c.deadline,
  c.sent_at as "sentAt", c.acknowledged_at as "acknowledgedAt", c.ended_at as "endedAt", c.answer,
  c.answer_is_hex as "answerIsHex", c.reason, c.detail, c.ack_by as "ackBy", c.may_have_executed as "mayHaveExecuted",
  c.late, c.dedupe_key as "dedupeKey", c.callback_url as "callbackUrl", c.created_by as "createdBy"`;
export const FROM = 'from command c join device d on d.id = c.device_id';

/** A device's session as the claim needs it. */
export interface ClaimedCommand extends Command {
  readonly protocol: string | null;
}

const text = (values: readonly (string | null | undefined)[]) => textArray(values);

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
        select id, tenant_id, clock_timestamp(), 'pending', 'sending', 'claimed', gateway from claimed
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

/** A device's commands that have not ended, locked, in the order in which they would be sent. */
export async function lockOpen(tx: Queryable, deviceId: number): Promise<Command[]> {
  const { rows } = await tx.query<Command>({
    name: 'lock-open-commands',
    text: `select ${COLUMNS} ${FROM} where c.device_id = $1 and c.state in ('pending', 'sending', 'sent')
           order by c.priority, c.seq for update of c`,
    values: [deviceId],
  });
  return rows;
}

/** A device's commands in certain states, the newest 1,000, locked; of these ids, where some are given. */
export async function lockInStates(
  tx: Queryable,
  deviceId: number,
  states: readonly string[],
  ids: readonly string[] | undefined,
): Promise<Command[]> {
  const { rows } = await tx.query<Command>({
    name: 'lock-commands-in-states',
    text: `select ${COLUMNS} ${FROM} where c.device_id = $1 and c.state = any($2::text[])
             and ($3::text[] is null or c.id = any($3::text[]))
           order by c.seq desc limit 1000 for update of c`,
    values: [deviceId, text(states), ids === undefined ? null : text(ids)],
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
