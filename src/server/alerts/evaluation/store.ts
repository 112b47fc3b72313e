import { int4Array, int8Array, jsonArray, type Queryable, textArray, timestampArray } from '../../database/index.ts';
import type { Area, Hours, Params, RuleState, RuleType } from '../rules/index.ts';
import { upgraded } from './earlier-states.ts';
import type { KnownState } from './report.ts';

/** A rule as stored; `data` was checked when it was made. */
export interface RuleRow {
  readonly id: string;
  /** id that the tenant gives */
  readonly name: string;
  readonly tenantId: number;
  readonly version: number;
  readonly type: RuleType;
  readonly priority: string;
  readonly timezone: string;
  readonly data: {
    readonly description?: string | undefined;
    readonly auth_hours?: Hours | undefined;
    readonly params?:
      | (Params & { readonly area?: Area | undefined; readonly webhookUrl?: string | undefined })
      | undefined;
    readonly channels?: readonly string[] | undefined;
    readonly cooldownSeconds?: number | undefined;
  };
  /** geofences that the rule refers to */
  readonly geofences: readonly { readonly id: string; readonly name: string; readonly area: Area }[];
}

export async function readRules(db: Queryable): Promise<RuleRow[]> {
  const { rows } = await db.query<RuleRow>({
    name: 'alerts-rules',
    text: `select r.id, r.name, r.tenant_id as "tenantId", r.version + r.area_version as version, r.type, r.priority, r.timezone, r.data,
                  coalesce((select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'area', g.area) order by g.id) from geofence g
                            where g.tenant_id = r.tenant_id and r.data->'params'->'geofences' ? g.id), '[]') as geofences
           from notification_rule r`,
  });
  return rows;
}

/** Rules of a type about a vehicle; of a tenant where no vehicle is known. */
export async function readRulesAbout(
  db: Queryable,
  about: { readonly tenantId: number; readonly type: RuleType; readonly vehicleId: string | null },
): Promise<RuleRow[]> {
  const { rows } = await db.query<RuleRow>({
    text: `select r.id, r.name, r.tenant_id as "tenantId", r.version + r.area_version as version, r.type, r.priority, r.timezone, r.data, '[]'::jsonb as geofences
           from notification_rule r
           where r.tenant_id = $1 and r.type = $2 and ($3::text is null or exists (
             select from notification_rule_subject rv where rv.rule_id = r.id and rv.vehicle_id = $3))`,
    values: [about.tenantId, about.type, about.vehicleId],
  });
  return rows;
}

export interface VehicleRow {
  readonly targa: string;
  readonly deviceId: number | null;
  readonly imei: string | null;
}

/** A vehicle with the device that is in it now. */
export async function findVehicle(db: Queryable, tenantId: number, id: string): Promise<VehicleRow | undefined> {
  const { rows } = await db.query<VehicleRow>({
    text: `select v.targa, d.id as "deviceId", d.imei from vehicle v
           left join pairing p on p.vehicle_id = v.id and p.device_id is not null and p.valid_to is null
           left join device d on d.id = p.device_id
           where v.tenant_id = $1 and v.id = $2`,
    values: [tenantId, id],
  });
  return rows[0];
}

export interface WatchRow {
  readonly ruleId: string;
  readonly deviceId: number;
  readonly imei: string;
  readonly vehicleId: string | null;
  readonly targa: string | null;
  readonly options: Readonly<Record<string, unknown>>;
  /** what the vehicle's tank holds */
  readonly litres: number | null;
  /** epoch ms; while the device is in the vehicle */
  readonly from: number | null;
  readonly to: number | null;
}

/** Devices that each rule watches, with the interval: those in its vehicles, recent ones included, and those that it names itself. */
export async function readWatches(db: Queryable): Promise<WatchRow[]> {
  const { rows } = await db.query<WatchRow>({
    name: 'alerts-watches',
    text: `select rv.rule_id as "ruleId", d.id as "deviceId", d.imei, v.id as "vehicleId", v.targa, d.options,
                  v.fuel_tank_litres as litres, p.valid_from as "from", p.valid_to as "to"
           from notification_rule_subject rv
           join vehicle v on v.id = rv.vehicle_id
           join pairing p on p.vehicle_id = v.id and p.device_id is not null
             and (p.valid_to is null or p.valid_to > now() - interval '30 days')
           join device d on d.id = p.device_id
           union all
           select rv.rule_id, d.id, d.imei, null, null, d.options, null, null, null
           from notification_rule_subject rv join device d on d.id = rv.device_id`,
  });
  return rows;
}

export interface StateKey {
  readonly ruleId: string;
  readonly deviceId: number;
}

export async function readStates(
  db: Queryable,
  keys: readonly StateKey[],
): Promise<(StateKey & { state: RuleState })[]> {
  if (keys.length === 0) return [];
  const { rows } = await db.query<StateKey & { state: RuleState }>({
    name: 'alerts-states',
    text: `select s.rule_id as "ruleId", s.device_id as "deviceId", s.state
           from unnest($1::text[], $2::int8[]) as k(rule_id, device_id)
           join notification_state s on s.rule_id = k.rule_id and s.device_id = k.device_id
           join notification_rule r on r.id = s.rule_id and r.version + r.area_version = s.rule_version`,
    values: [textArray(keys.map(({ ruleId }) => ruleId)), int8Array(keys.map(({ deviceId }) => deviceId))],
  });
  return rows.map(({ state, ...key }) => ({ ...key, state: upgraded(state) }));
}

export interface StartRow extends StateKey {
  /** epoch ms */
  readonly validFrom: number;
  readonly newest: number;
  /** null: of a rule that an earlier version has made */
  readonly known: KnownState | null;
}

/** From where rules apply, where this is not from the first report on, and what was known of the device then. */
export async function readStarts(db: Queryable): Promise<StartRow[]> {
  const { rows } = await db.query<StartRow & { [column: string]: unknown }>({
    name: 'alerts-starts',
    text: `select rule_id as "ruleId", device_id as "deviceId", valid_from as "validFrom", newest, known
           from notification_rule_start`,
  });
  return rows;
}

/** States of rules that were deleted or changed meanwhile are not stored. */
export async function writeStates(
  db: Queryable,
  states: readonly (StateKey & {
    readonly version: number;
    readonly state: RuleState;
    /** when the clock will change it, epoch ms */
    readonly dueAt: number | undefined;
  })[],
): Promise<void> {
  if (states.length === 0) return;
  await db.query({
    name: 'alerts-write-states',
    text: `insert into notification_state (rule_id, device_id, tenant_id, rule_version, state, due_at)
           select r.id, s.device_id, r.tenant_id, s.version, s.state, s.due_at
           from unnest($1::text[], $2::int8[], $3::json[], $4::int4[], $5::timestamptz[])
             as s(rule_id, device_id, state, version, due_at)
           join notification_rule r on r.id = s.rule_id
           on conflict (rule_id, device_id) do update set
             state = excluded.state, rule_version = excluded.rule_version, due_at = excluded.due_at`,
    values: [
      textArray(states.map(({ ruleId }) => ruleId)),
      int8Array(states.map(({ deviceId }) => deviceId)),
      jsonArray(states.map(({ state }) => JSON.stringify(state))),
      int4Array(states.map(({ version }) => version)),
      timestampArray(states.map(({ dueAt }) => dueAt)),
    ],
  });
}

/** Reports of a device that come one after the other are judged in order: the clock waits for them this long. */
export interface DueQuery {
  /** epoch ms */
  readonly now: number;
  readonly quietMs: number;
  readonly limit: number;
  readonly shard: { readonly number: number; readonly of: number };
}

/** States that the clock has changed, those that are due longest first. */
export async function readDueStates(db: Queryable, { now, quietMs, limit, shard }: DueQuery): Promise<StateKey[]> {
  const { rows } = await db.query<StateKey & { [column: string]: unknown }>({
    name: 'alerts-due-states',
    text: `select s.rule_id as "ruleId", s.device_id as "deviceId" from notification_state s
           join notification_rule r on r.id = s.rule_id and r.version + r.area_version = s.rule_version
           where s.due_at <= ($1::timestamptz[])[1] and s.device_id % $3 = $4 and not exists (
             select from position_newest n where n.device_id = s.device_id
               and n.received_at > clock_timestamp() - $2 * interval '1 millisecond')
             and not exists (select from notification_late l where l.device_id = s.device_id)
           order by s.due_at limit $5`,
    values: [timestampArray([now]), quietMs, shard.of, shard.number, limit],
  });
  return rows;
}

/** Of these rules, the devices that have a state. */
export async function readStateKeys(db: Queryable, ruleIds: readonly string[]): Promise<StateKey[]> {
  if (ruleIds.length === 0) return [];
  const { rows } = await db.query<StateKey & { [column: string]: unknown }>({
    name: 'alerts-state-keys',
    text: `select s.rule_id as "ruleId", s.device_id as "deviceId" from notification_state s
           join notification_rule r on r.id = s.rule_id and r.version + r.area_version = s.rule_version
           where s.rule_id = any($1::text[])`,
    values: [textArray(ruleIds)],
  });
  return rows;
}

export interface CommandRow {
  readonly id: string;
  readonly deviceId: number;
  readonly text: string;
  readonly answer: string | null;
}

export async function readCommands(db: Queryable, ids: readonly string[]): Promise<CommandRow[]> {
  const { rows } = await db.query<CommandRow>({
    name: 'alerts-commands',
    text: `select id, device_id as "deviceId", text, answer from command where id = any($1::text[])`,
    values: [textArray(ids)],
  });
  return rows;
}

/** Time of each device's last message, epoch ms; devices that never sent one are left out. */
export async function readSeen(db: Queryable, deviceIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await db.query<{ id: number; at: number }>({
    name: 'alerts-seen',
    text: `select k.id, greatest(n.received_at, s.seen_at) as at from unnest($1::int8[]) as k(id)
           left join position_newest n on n.device_id = k.id left join session s on s.device_id = k.id
           where n.device_id is not null or s.device_id is not null`,
    values: [int8Array(deviceIds)],
  });
  return new Map(rows.map(({ id, at }) => [id, at]));
}
