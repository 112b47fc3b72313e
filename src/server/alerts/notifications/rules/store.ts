import { createHash } from 'node:crypto';
import type pg from 'pg';
import { becomeTenant, type Queryable, queryAsTenant, transaction } from '../../../database/index.ts';
import type { RuleData } from '../schema.ts';

export interface RuleRow {
  /** as the tenant names it */
  readonly id: string;
  /** unique in the installation */
  readonly key: string;
  readonly version: number;
  readonly timezone: string;
  readonly data: RuleData;
  readonly isSystem: boolean;
  readonly createdBy: string;
  readonly [column: string]: unknown;
}

const RULE = `select name as id, id as key, version, timezone, data, is_system as "isSystem", created_by as "createdBy" from notification_rule`;

export async function findRules(app: pg.Pool, tenantId: number, ids: readonly string[]): Promise<RuleRow[]> {
  return queryAsTenant<RuleRow>(app, tenantId, {
    name: 'find-rules',
    text: `${RULE} where tenant_id = $1 and name = any($2) order by name`,
    values: [tenantId, ids],
  });
}

/** Rules that notify this user. */
export function readRulesOf(app: pg.Pool, tenantId: number, userId: string): Promise<RuleRow[]> {
  return queryAsTenant<RuleRow>(app, tenantId, {
    name: 'rules-of-user',
    text: `${RULE} where tenant_id = $1 and id in (select rule_id from notification_rule_user where user_id = $2)
           order by name`,
    values: [tenantId, userId],
  });
}

export async function deleteRules(app: pg.Pool, tenantId: number, ids: readonly string[]): Promise<string[]> {
  const rows = await queryAsTenant<{ id: string }>(app, tenantId, {
    text: 'delete from notification_rule where tenant_id = $1 and name = any($2) and not is_system returning name as id',
    values: [tenantId, ids],
  });
  return rows.map(({ id }) => id);
}

/** Resolved references of a rule, in the order of the request. */
export interface Named {
  readonly timezone: string;
  /** ids of users; null: no such user */
  readonly users: readonly (string | null)[];
  readonly vehicles: readonly { readonly vehicleId: string | null; readonly deviceId: number | null }[];
  readonly groups: readonly (string | null)[];
  readonly geofences: readonly (string | null)[];
}

/** Vehicles that a rule is about without naming them. */
export interface RuleScope {
  /** ids */
  readonly groups: readonly string[];
  readonly isAll: boolean;
  /** of those, only the vehicles that this user may see; null: all */
  readonly seenBy: string | null;
}

/** `seenBy`: only vehicles that this user is given, and devices only where he is given all. */
export async function resolveNames(
  app: pg.Pool,
  tenantId: number,
  names: {
    readonly users: readonly string[];
    readonly vehicles: readonly { readonly name: string; readonly targa: string }[];
    readonly groups: readonly string[];
    readonly geofences: readonly string[];
    readonly seenBy: string | null;
  },
): Promise<Named> {
  const rows = await queryAsTenant<{ named: Named }>(app, tenantId, {
    name: 'resolve-rule-names',
    text: `
      with seer as (select coalesce((select all_vehicles from app_user where id = $5), $5::text is null) as sees_all)
      select jsonb_build_object(
        'timezone', (select timezone from tenant where tenant_id = $1),
        'users', coalesce((select jsonb_agg((select u.id from app_user u
            where u.tenant_id = $1 and (u.id = k.name or u.username = lower(k.name)) order by u.id = k.name desc limit 1)
          order by k.n) from unnest($2::text[]) with ordinality as k(name, n)), '[]'),
        'vehicles', coalesce((select jsonb_agg(jsonb_build_object('vehicleId', v.id, 'deviceId', d.id) order by k.n)
          from unnest($3::text[], $4::text[]) with ordinality as k(name, targa, n)
          left join lateral (
            select v.id from vehicle v where v.tenant_id = $1 and (v.id = k.name or v.targa = k.targa)
              and ((select sees_all from seer) or exists (
                select from user_vehicle uv where uv.user_id = $5 and uv.vehicle_id = v.id)) limit 1) v on true
          left join device d on v.id is null and d.tenant_id = $1 and d.imei = k.name and (select sees_all from seer)
          ), '[]'),
        'groups', coalesce((select jsonb_agg((select g.id from vehicle_group g
            where g.tenant_id = $1 and (g.id = k.name or g.name = k.name)
              and ((select sees_all from seer) or exists (
                select from vehicle v join user_vehicle uv on uv.vehicle_id = v.id and uv.user_id = $5
                where v.group_id = g.id)) order by g.id = k.name desc limit 1) order by k.n)
          from unnest($7::text[]) with ordinality as k(name, n)), '[]'),
        'geofences', coalesce((select jsonb_agg((select g.id from geofence g
            where g.tenant_id = $1 and (g.id = k.name or g.name = k.name) limit 1) order by k.n)
          from unnest($6::text[]) with ordinality as k(name, n)), '[]')) as named`,
    values: [
      tenantId,
      names.users,
      names.vehicles.map(({ name }) => name),
      names.vehicles.map(({ targa }) => targa),
      names.seenBy,
      names.geofences,
      names.groups,
    ],
  });
  return rows[0]!.named;
}

/** The vehicles of a scope now, and devices that are in none where it is all. */
export async function readScope(
  app: pg.Pool,
  tenantId: number,
  { groups, isAll, seenBy }: RuleScope,
): Promise<Named['vehicles']> {
  if (groups.length === 0 && !isAll) return [];
  return queryAsTenant<Named['vehicles'][number] & { [column: string]: unknown }>(app, tenantId, {
    name: 'vehicles-of-rule-scope',
    text: `select v.id as "vehicleId", null::int8 as "deviceId" from vehicle v
           where v.tenant_id = $1 and ($3 or v.group_id = any($2::text[])) and ($4::text is null or exists (
             select from user_vehicle uv where uv.user_id = $4 and uv.vehicle_id = v.id))
           union all
           select null, d.id from device d
           where d.tenant_id = $1 and $3 and $4::text is null
             and not exists (select from pairing p where p.device_id = d.id and p.valid_to is null)`,
    values: [tenantId, groups, isAll, seenBy],
  });
}

export interface RuleWrite {
  readonly id: string;
  /** of the one that is there */
  readonly key: string | undefined;
  readonly timezone: string;
  readonly data: object;
  readonly type: string;
  readonly priority: string;
  readonly createdBy: string;
  readonly users: readonly string[];
  readonly vehicles: Named['vehicles'];
  readonly scope: RuleScope;
  /** of the one that is there; undefined: a new one */
  readonly version: number | undefined;
}

/** False if it has another version by now. A new one whose id is taken fails (23505). */
export function writeRule(app: pg.Pool, tenantId: number, rule: RuleWrite): Promise<boolean> {
  return transaction(app, async (tx) => {
    await tx.query(becomeTenant(tenantId));
    const key = rule.key ?? keyOf(tenantId, rule.id);
    const values = [key, tenantId, rule.type, rule.priority, rule.timezone, JSON.stringify(rule.data)];
    if (rule.version === undefined) {
      await tx.query(
        `insert into notification_rule (id, tenant_id, type, priority, timezone, data, created_by, name)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [...values, rule.createdBy, rule.id],
      );
    } else {
      const { rowCount } = await tx.query(
        `update notification_rule set type = $3, priority = $4, timezone = $5, data = $6, version = version + 1,
                updated_at = now()
         where id = $1 and tenant_id = $2 and version = $7`,
        [...values, rule.version],
      );
      if (rowCount === 0) return false;
    }
    await linkRule(tx, tenantId, key, rule);
    return true;
  });
}

/** Tenants may give their rules the same ids. */
const keyOf = (tenantId: number, id: string): string =>
  `nrl_${createHash('sha256')
    .update(JSON.stringify([tenantId, id]))
    .digest('base64url')
    .slice(0, 22)}`;

async function linkRule(
  tx: Queryable,
  tenantId: number,
  id: string,
  { users, vehicles, scope }: RuleWrite,
): Promise<void> {
  for (const table of ['notification_rule_user', 'notification_rule_vehicle', 'notification_rule_scope']) {
    await tx.query(`delete from ${table} where rule_id = $1`, [id]);
  }
  await tx.query(
    `insert into notification_rule_user (rule_id, tenant_id, user_id) select distinct $1, $2::int, u from unnest($3::text[]) u`,
    [id, tenantId, users],
  );
  await tx.query(
    `insert into notification_rule_vehicle (rule_id, tenant_id, vehicle_id, device_id)
     select distinct $1, $2::int, v, d from unnest($3::text[], $4::int8[]) as k(v, d)`,
    [id, tenantId, vehicles.map(({ vehicleId }) => vehicleId), vehicles.map(({ deviceId }) => deviceId)],
  );
  await tx.query(
    `insert into notification_rule_scope (rule_id, tenant_id, group_id, seen_by)
     select distinct $1, $2::int, g, $4::text from (select unnest($3::text[]) union all select null where $5) as k(g)`,
    [id, tenantId, scope.groups, scope.seenBy, scope.isAll],
  );
  await tx.query('select note_rule_start($1)', [id]);
}
