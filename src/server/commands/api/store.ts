import type pg from 'pg';
import type { CommandState, CommandStatus, Conditions } from '../../../contract/command.ts';
import { queryAsTenant, textArray } from '../../database/index.ts';
import type { OptionValues, Target } from './target.ts';

/** Times are epoch ms. */
export interface CommandRow {
  readonly id: string;
  readonly deviceId: number;
  readonly imei: string;
  readonly batchId: string | null;
  readonly state: CommandState;
  readonly priority: number;
  readonly seq: number;
  readonly type: string;
  readonly params: OptionValues;
  readonly text: string;
  readonly encoding: 'text' | 'hex';
  readonly once: boolean;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly gateway: string | null;
  readonly conditions: Conditions | null;
  readonly notBefore: number | null;
  readonly createdAt: number;
  /** µs since 1970, for places in a list */
  readonly createdMicros: number;
  readonly expiresAt: number;
  readonly sentAt: number | null;
  readonly acknowledgedAt: number | null;
  readonly answer: string | null;
  readonly answerIsHex: boolean;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly ackBy: 'device' | 'transport' | null;
  readonly mayHaveExecuted: boolean;
  readonly late: boolean;
  readonly createdBy: string;
  readonly [column: string]: unknown;
}

export interface HistoryRow {
  readonly commandId: string;
  readonly at: number;
  readonly from: CommandState | null;
  readonly to: CommandState | null;
  readonly reason: string;
  readonly actor: string;
  readonly [column: string]: unknown;
}

const COLUMNS = `
  c.id, c.device_id as "deviceId", d.imei, c.batch_id as "batchId", c.state, c.priority, c.seq, c.type, c.params,
         c.text, c.encoding, c.once, c.attempts, c.max_attempts as "maxAttempts", c.gateway, c.conditions,
         c.not_before as "notBefore", c.created_at as "createdAt",
         (extract(epoch from c.created_at) * 1000000)::int8 as "createdMicros", c.expires_at as "expiresAt", c.sent_at as "sentAt",
         c.acknowledged_at as "acknowledgedAt", c.answer, c.answer_is_hex as "answerIsHex", c.reason, c.detail, c.ack_by as "ackBy",
         c.may_have_executed as "mayHaveExecuted", c.late, c.created_by as "createdBy"`;
const SELECT = `select ${COLUMNS} from command c join device d on d.id = c.device_id where c.tenant_id = $1`;
/**
 * The tenant's commands with these ids, looked up one by one: with `id = any(…)` and the tenant in one condition, the
 * planner may choose the index of the tenant and read all its commands.
 */
const BY_ID = `unnest($2::text[]) as w(id)
  cross join lateral (select * from command k where k.id = w.id and k.tenant_id = $1 limit 1) c`;

export async function findCommands(app: pg.Pool, tenantId: number, ids: readonly string[]): Promise<CommandRow[]> {
  return queryAsTenant<CommandRow>(app, tenantId, {
    name: 'find-tenant-commands',
    text: `select ${COLUMNS} from ${BY_ID} join device d on d.id = c.device_id`,
    values: [tenantId, textArray(ids)],
  });
}

export async function findHistory(app: pg.Pool, tenantId: number, ids: readonly string[]): Promise<HistoryRow[]> {
  if (ids.length === 0) return [];
  return queryAsTenant<HistoryRow>(app, tenantId, {
    name: 'find-tenant-command-history',
    text: `select command_id as "commandId", at, from_state as "from", to_state as "to", reason, actor
           from command_history where tenant_id = $1 and command_id = any($2::text[]) order by id`,
    values: [tenantId, textArray(ids)],
  });
}

/** The columns that are read repeatedly while a client waits. */
export interface CommandStatusRow extends CommandStatus {
  readonly id: string;
  readonly [column: string]: unknown;
}

export async function findStatuses(
  app: pg.Pool,
  tenantId: number,
  ids: readonly string[],
): Promise<CommandStatusRow[]> {
  return queryAsTenant<CommandStatusRow>(app, tenantId, {
    name: 'find-command-statuses',
    text: `select c.id, c.state, c.expires_at as "expiresAt",
             json_build_object('answer', c.answer, 'answerIsHex', c.answer_is_hex, 'reason', c.reason,
               'detail', c.detail) as outcome
           from ${BY_ID}`,
    values: [tenantId, textArray(ids)],
  });
}

export interface ListFilter {
  readonly deviceId: number | undefined;
  readonly states: readonly string[] | undefined;
  readonly batchId: string | undefined;
  /** epoch ms */
  readonly since: number | undefined;
  readonly after: { readonly createdMicros: number; readonly id: string } | undefined;
  readonly limit: number;
}

const timestamp = (epochMs: number): string => new Date(epochMs).toISOString();

/**
 * Newest first. Only the filters that are given are part of the text, so that each combination has a plan of its own.
 */
export async function listCommands(app: pg.Pool, tenantId: number, filter: ListFilter): Promise<CommandRow[]> {
  const values: unknown[] = [tenantId];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const { deviceId, states, batchId, since, after } = filter;
  const where = [
    deviceId === undefined ? '' : `and c.device_id = ${parameter(deviceId)}`,
    states === undefined ? '' : `and c.state = any(${parameter(textArray(states))}::text[])`,
    batchId === undefined ? '' : `and c.batch_id = ${parameter(batchId)}`,
    since === undefined ? '' : `and c.created_at >= ${parameter(timestamp(since))}::timestamptz`,
    after === undefined
      ? ''
      : `and (c.created_at, c.id) <
         ('epoch'::timestamptz + ${parameter(after.createdMicros)}::int8 * interval '1 microsecond', ${parameter(after.id)})`,
  ].join(' ');
  return queryAsTenant<CommandRow>(app, tenantId, {
    text: `${SELECT} ${where} order by c.created_at desc, c.id desc limit ${parameter(filter.limit)}`,
    values,
  });
}

/** Id of the open command of a device that has the dedupe key. */
export async function findOpenDuplicate(
  app: pg.Pool,
  { tenantId, deviceId, dedupeKey }: { tenantId: number; deviceId: number; dedupeKey?: string | undefined },
): Promise<string | undefined> {
  const rows = await queryAsTenant<{ id: string }>(app, tenantId, {
    name: 'find-open-duplicate',
    text: `select id from command where tenant_id = $1 and device_id = $2 and dedupe_key = $3
             and state in ('pending', 'sending', 'sent')`,
    values: [tenantId, deviceId, dedupeKey ?? null],
  });
  return rows[0]?.id;
}

/** Devices of the tenant that commands may be for. */
export async function findTargets(app: pg.Pool, tenantId: number, imeis: readonly string[]): Promise<Target[]> {
  return queryAsTenant<Target>(app, tenantId, {
    name: 'find-command-targets',
    text: `
      select d.id, d.imei, d.options, s.protocol as "sessionProtocol", d.xmin::text::int8 as "deviceVersion",
             coalesce(t.xmin::text::int8, 0) as "settingVersion",
             coalesce(t.dangerous_commands, '{}') as "privilegedPatterns"
      from device d
      left join session s on s.device_id = d.id
      left join tenant_setting t on t.tenant_id = d.tenant_id
      where d.tenant_id = $1 and d.imei = any($2::text[])`,
    values: [tenantId, textArray(imeis)],
  });
}

/** Ids of the devices in a group's vehicles; undefined if the tenant has no such group. */
export async function findGroupDevices(
  app: pg.Pool,
  tenantId: number,
  group: string,
  limit: number,
): Promise<string[] | undefined> {
  const rows = await queryAsTenant<{ imei: string | null }>(app, tenantId, {
    name: 'find-group-devices',
    text: `
      select d.imei from vehicle_group g
      left join (vehicle v
        join pairing p on p.vehicle_id = v.id and p.tenant_id = $1 and p.device_id is not null
          and p.valid_from <= now() and coalesce(p.valid_to > now(), true)
        join device d on d.id = p.device_id and d.tenant_id = $1
      ) on v.group_id = g.id and v.tenant_id = $1
      where g.tenant_id = $1 and (g.id = $2 or g.name = $2)
      order by v.targa limit $3`,
    values: [tenantId, group.replaceAll('\0', ''), limit],
  });
  return rows.length === 0 ? undefined : rows.flatMap(({ imei }) => imei ?? []);
}

/** Those of these ids that are there already. */
export async function findStored(app: pg.Pool, tenantId: number, ids: readonly string[]): Promise<Set<string>> {
  const rows = await queryAsTenant<{ id: string }>(app, tenantId, {
    name: 'find-stored-commands',
    text: `select c.id from ${BY_ID}`,
    values: [tenantId, textArray(ids)],
  });
  return new Set(rows.map(({ id }) => id));
}

export interface OpenCount {
  readonly open: number;
  readonly [column: string]: unknown;
}

export async function countOpen(app: pg.Pool, tenantId: number, deviceId: number): Promise<number> {
  const rows = await queryAsTenant<OpenCount>(app, tenantId, {
    name: 'count-tenant-open-commands',
    text: `
      select (select count(*) from command where device_id = $2 and tenant_id = $1 and state = 'pending')
           + (select count(*) from command where device_id = $2 and tenant_id = $1 and state in ('sending', 'sent')) as open`,
    values: [tenantId, deviceId],
  });
  return rows[0]!.open;
}

/** A device's commands in certain states, the newest 1,000. */
export async function findInStates(
  app: pg.Pool,
  tenantId: number,
  deviceId: number,
  states: readonly string[],
): Promise<CommandRow[]> {
  return queryAsTenant<CommandRow>(app, tenantId, {
    name: 'find-tenant-commands-in-states',
    text: `${SELECT} and c.device_id = $2 and c.state = any($3::text[]) order by c.created_at desc, c.id desc limit 1000`,
    values: [tenantId, deviceId, textArray(states)],
  });
}

export interface TenantSettings {
  readonly dangerousCommands: readonly string[];
  readonly wakeUpUrl: string | null;
  readonly [column: string]: unknown;
}

export async function readSettings(app: pg.Pool, tenantId: number): Promise<TenantSettings> {
  const rows = await queryAsTenant<TenantSettings>(app, tenantId, {
    name: 'read-command-settings',
    text: `select dangerous_commands as "dangerousCommands", wake_up_url as "wakeUpUrl"
           from tenant_setting where tenant_id = $1`,
    values: [tenantId],
  });
  return rows[0] ?? { dangerousCommands: [], wakeUpUrl: null };
}

export async function writeSettings(app: pg.Pool, tenantId: number, settings: TenantSettings): Promise<void> {
  await queryAsTenant(app, tenantId, {
    text: `insert into tenant_setting (tenant_id, dangerous_commands, wake_up_url) values ($1, $2::text[], $3)
           on conflict (tenant_id) do update
           set dangerous_commands = excluded.dangerous_commands, wake_up_url = excluded.wake_up_url`,
    values: [tenantId, textArray(settings.dangerousCommands), settings.wakeUpUrl],
  });
}
