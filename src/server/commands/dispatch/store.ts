import type { Params } from '../../../contract/command.ts';
import type { DownlinkLine } from '../../../contract/events.ts';
import { int8Array, notify, type Queryable, textArray } from '../../database/index.ts';
import type { HistoryEntry } from './change.ts';
import type { Command } from './command.ts';

/** Columns of a command, for FROM: command `c`, device `d` and session `s`. */
export const COLUMNS = `c.id, c.tenant_id as "tenantId", c.device_id as "deviceId", d.imei, c.batch_id as "batchId", c.state,
  c.priority, c.type, c.params, c.text, c.encoding, c.once, c.attempts, c.max_attempts as "maxAttempts",
  c.deliveries, c.ticket, c.gateway, c.conn, c.conditions, c.not_before as "notBefore",
  c.created_at as "createdAt", c.ttl_ms as "ttlMs", c.expires_at as "expiresAt", c.answer_ms as "answerMs", c.deadline,
  c.sent_at as "sentAt", c.acknowledged_at as "acknowledgedAt", c.ended_at as "endedAt", c.answer,
  c.answer_is_hex as "answerIsHex", c.reason, c.detail, c.ack_by as "ackBy", c.may_have_executed as "mayHaveExecuted",
  c.late, c.dedupe_key as "dedupeKey", c.callback_url as "callbackUrl", c.created_by as "createdBy", s.protocol`;
const JOINED = 'join device d on d.id = c.device_id left join session s on s.device_id = c.device_id';
export const FROM = `from command c ${JOINED}`;

/** Members of a claimed command that its delivery needs. */
export interface ClaimedCommand {
  readonly id: string;
  readonly deviceId: number;
  readonly gateway: string;
  readonly conn: string;
  readonly deliveries: number;
  readonly ticket: number;
  readonly imei: string;
  readonly type: string;
  readonly params: Params;
  readonly encoding: 'text' | 'hex';
  readonly text: string;
}

/** Columns of a claimed command, from a function of the database that claims. */
const CLAIMED = 'id, device_id as "deviceId", gateway, conn, deliveries, ticket, imei, type, params, encoding, text';

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
    text: `select ${CLAIMED} from claim_commands($1, $2)`,
    values: [int8Array(deviceIds), text(gateways)],
  });
  return rows;
}

/** Locks the sessions of these devices, then their commands in flight and the commands with these ids. */
export async function lockConcerned(
  tx: Queryable,
  deviceIds: readonly number[],
  ids: readonly string[],
): Promise<Command[]> {
  const { rows } = await tx.query<Command>({
    name: 'lock-concerned',
    text: `select ${COLUMNS} from lock_commands($1, $2) c ${JOINED}`,
    values: [int8Array(deviceIds), text(ids)],
  });
  return rows;
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

/** A device's commands in these states, at most the newest 1,000, locked; only those with the ids if some are given. */
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

/** Commands in flight on connections of earlier runs of a gateway, locked. */
export async function lockOrphans(tx: Queryable, gateway: string, startId: string): Promise<Command[]> {
  const { rows } = await tx.query<Command>({
    name: 'lock-orphans',
    text: `select ${COLUMNS} ${FROM} where c.gateway = $1 and c.state in ('sending', 'sent')
             and not starts_with(c.conn, $2 || '.') order by c.device_id for update of c`,
    values: [gateway, startId],
  });
  return rows;
}

/** Closes sessions of a gateway's earlier runs. */
export async function closeOldSessions(tx: Queryable, gateway: string, startId: string): Promise<void> {
  await tx.query({
    name: 'close-old-sessions',
    text: `update session set open = false where gateway = $1 and open and not starts_with(conn, $2 || '.')`,
    values: [gateway, startId],
  });
}

/** Commands that were recently sent to these devices, newest first, locked: a late answer belongs to one of them. */
export async function lockRecentlySent(tx: Queryable, deviceIds: readonly number[]): Promise<Command[]> {
  const { rows } = await tx.query<Command>({
    name: 'lock-recently-sent',
    text: `select ${COLUMNS} from unnest($1::int8[]) as w(device_id) cross join lateral (
             select * from command r where r.device_id = w.device_id and r.sent_at is not null
             order by r.sent_at desc limit 20 for update) c
           ${JOINED} order by c.device_id, c.sent_at desc`,
    values: [int8Array(deviceIds)],
  });
  return rows;
}

/** Whether commands for a device wait for an answer on a connection. */
export interface ConnectionHold {
  readonly deviceId: number;
  readonly gateway: string;
  readonly conn: string;
  readonly isHeld: boolean;
  /** time to wait for the answer before the connection is closed, ms */
  readonly answerMs: number;
}

/** Changes of commands, written by one statement. */
export interface Changes {
  readonly commands: readonly Command[];
  readonly history: readonly HistoryEntry[];
  /** ids to publish to the job queue */
  readonly published: readonly string[];
  /** connections on which nothing more is sent until an answer comes, and those on which it came */
  readonly holds: readonly ConnectionHold[];
  /** devices to which bytes were written: the command gap of their model begins */
  readonly written: readonly number[];
  /** free devices: their next command is claimed if they are online through one of the gateways */
  readonly free: readonly number[];
  readonly gateways: readonly string[];
}

/** Writes changed commands, and claims the next ones. */
export async function saveCommands(tx: Queryable, changes: Changes): Promise<ClaimedCommand[]> {
  const { commands, history, published, holds, written, free, gateways } = changes;
  const claims = free.length > 0 && gateways.length > 0;
  if (commands.length === 0 && history.length === 0 && holds.length === 0 && !claims) return [];
  const { rows } = await tx.query<ClaimedCommand>({
    name: 'save-commands',
    text: `select ${CLAIMED} from save_commands(array(select c from json_populate_recordset(null::command_change, $1) c),
             array(select l from json_populate_recordset(null::command_history, $2) l), $3,
             array(select h from json_populate_recordset(null::connection_hold, $4) h), $5, $6, $7)`,
    values: [
      JSON.stringify(commands.map(toChangedRow)),
      JSON.stringify(history.map(toHistoryRow)),
      text(published),
      JSON.stringify(holds.map(toHoldRow)),
      int8Array(written),
      int8Array(free),
      text(gateways),
    ],
  });
  return rows;
}

/** Members of the type `command_change`. */
const toChangedRow = (c: Command) => ({
  id: c.id,
  state: c.state,
  attempts: c.attempts,
  ttl_ms: c.ttlMs,
  expires_at: timestamp(c.expiresAt),
  deadline: timestamp(c.deadline),
  sent_at: timestamp(c.sentAt),
  acknowledged_at: timestamp(c.acknowledgedAt),
  ended_at: timestamp(c.endedAt),
  answer: c.answer,
  answer_is_hex: c.answerIsHex,
  reason: c.reason,
  detail: c.detail,
  ack_by: c.ackBy,
  may_have_executed: c.mayHaveExecuted,
  late: c.late,
});

/** Members of the type `connection_hold`. */
const toHoldRow = ({ deviceId, gateway, conn, isHeld, answerMs }: ConnectionHold) => ({
  device_id: deviceId,
  gateway,
  conn,
  is_held: isHeld,
  answer_ms: answerMs,
});

/** Members of a row of `command_history`. */
const toHistoryRow = (line: HistoryEntry) => ({
  command_id: line.commandId,
  tenant_id: line.tenantId,
  at: timestamp(line.at),
  from_state: line.from,
  to_state: line.to,
  reason: line.reason,
  actor: line.actor,
});

/** Text of a time for a JSON parameter. */
export const timestamp = (epochMs: number | null | undefined): string | null =>
  epochMs === null || epochMs === undefined ? null : new Date(epochMs).toISOString();

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

/** Sends lines to gateways through the processes in which their downlinks end, after the commit. */
export async function sendElsewhere(
  tx: Queryable,
  lines: readonly { readonly gateway: string; readonly line: DownlinkLine }[],
): Promise<void> {
  if (lines.length > 0)
    await notify(
      tx,
      'fleetgate_gateway_request',
      lines.map((line) => JSON.stringify(line)),
    );
}

export async function readCommands(pool: Queryable, ids: readonly string[]): Promise<Command[]> {
  const { rows } = await pool.query<Command>({
    name: 'read-commands',
    text: `select ${COLUMNS} ${FROM} where c.id = any($1::text[])`,
    values: [text(ids)],
  });
  return rows;
}
