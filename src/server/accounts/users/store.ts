import type pg from 'pg';
import { becomeTenant, queryAsTenant, transaction } from '../../database/index.ts';
import type { Role } from '../../kernel/access/index.ts';

export interface UserRow {
  readonly id: string;
  readonly version: number;
  readonly username: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly role: Role;
  readonly active: boolean;
  readonly allVehicles: boolean;
  readonly targhe: readonly string[];
  readonly vehicles: number;
  readonly locale: string;
  readonly timezone: string | null;
  readonly preferences: Readonly<Record<string, unknown>>;
  /** epoch ms */
  readonly lastLoginAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly [column: string]: unknown;
}

export interface UserQuery {
  readonly name?: string;
  readonly q?: string | undefined;
  readonly role?: string | undefined;
  readonly after?: string;
  readonly limit: number;
}

/** In the order of their ids. */
export function readUsers(app: pg.Pool, tenantId: number, query: UserQuery): Promise<UserRow[]> {
  return queryAsTenant<UserRow>(app, tenantId, {
    name: 'read-users',
    text: `
      select u.id, u.version, u.username, u.name, u.email, u.role, u.active, u.all_vehicles as "allVehicles",
             u.locale, u.timezone, u.preferences, u.last_login_at as "lastLoginAt", u.created_at as "createdAt",
             u.updated_at as "updatedAt", coalesce(g.targhe, '{}') as targhe,
             case when u.all_vehicles then (select count(*)::int from vehicle) else coalesce(g.count, 0) end as vehicles
      from app_user u
      left join lateral (
        select array_agg(v.targa order by v.targa) as targhe, count(*)::int as count
        from user_vehicle uv join vehicle v on v.id = uv.vehicle_id where uv.user_id = u.id) g on true
      where u.tenant_id = $1 and ($2::text is null or u.id = $2 or u.username = lower($2))
        and ($3::text is null or concat_ws(' ', u.username, u.name, u.email) ilike $3)
        and ($4::text is null or u.role = $4) and ($5::text is null or u.id > $5)
      order by u.id limit $6`,
    values: [
      tenantId,
      query.name ?? null,
      query.q === undefined ? null : `%${query.q.replace(/[\\%_]/g, '\\$&')}%`,
      query.role ?? null,
      query.after ?? null,
      query.limit,
    ],
  });
}

export interface UserFields {
  readonly username?: string | undefined;
  readonly name?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly role?: Role | undefined;
  readonly active?: boolean | undefined;
  readonly allVehicles?: boolean | undefined;
  readonly locale?: string | undefined;
  readonly timezone?: string | null | undefined;
  readonly preferences?: unknown;
  readonly passwordHash?: string | undefined;
  /** normalised */
  readonly targhe?: readonly string[] | undefined;
}

const COLUMNS: readonly [keyof UserFields, string][] = [
  ['username', 'username'],
  ['name', 'name'],
  ['email', 'email'],
  ['role', 'role'],
  ['active', 'active'],
  ['allVehicles', 'all_vehicles'],
  ['locale', 'locale'],
  ['timezone', 'timezone'],
  ['preferences', 'preferences'],
  ['passwordHash', 'password_hash'],
];

const given = (fields: UserFields) => COLUMNS.filter(([field]) => fields[field] !== undefined);
const parameterOf = (fields: UserFields, field: keyof UserFields): unknown =>
  field === 'preferences' ? JSON.stringify(fields[field]) : fields[field];

export type UserOutcome = 'written' | 'changed-since' | 'unknown-vehicle';

/** `version` undefined: a new one. */
export function writeUser(
  app: pg.Pool,
  tenantId: number,
  at: { readonly id: string; readonly version: number | undefined },
  fields: UserFields,
): Promise<UserOutcome> {
  const columns = given(fields);
  return transaction(app, async (tx) => {
    await tx.query(becomeTenant(tenantId));
    if (at.version === undefined) {
      await tx.query(
        `insert into app_user (id, tenant_id${columns.map(([, name]) => `, ${name}`).join('')})
         values ($1, $2${columns.map((_, i) => `, $${i + 3}`).join('')})`,
        [at.id, tenantId, ...columns.map(([field]) => parameterOf(fields, field))],
      );
    } else {
      const { rowCount } = await tx.query(
        `update app_user set version = version + 1, updated_at = now()
           ${columns.map(([, name], i) => `, ${name} = $${i + 4}`).join('')}
         where tenant_id = $1 and id = $2 and version = $3`,
        [tenantId, at.id, at.version, ...columns.map(([field]) => parameterOf(fields, field))],
      );
      if (rowCount === 0) return 'changed-since';
    }
    if (fields.targhe === undefined) return 'written';
    await tx.query('delete from user_vehicle where tenant_id = $1 and user_id = $2', [tenantId, at.id]);
    const { rowCount } = await tx.query(
      `insert into user_vehicle (tenant_id, user_id, vehicle_id)
       select tenant_id, $2, id from vehicle where tenant_id = $1 and targa = any($3)`,
      [tenantId, at.id, fields.targhe],
    );
    if (rowCount !== new Set(fields.targhe).size) throw new UnknownVehicle();
    return 'written';
  }).catch((error) => {
    if (error instanceof UnknownVehicle) return 'unknown-vehicle';
    throw error;
  });
}

/** rolls back */
class UnknownVehicle extends Error {}

export async function deleteUser(app: pg.Pool, tenantId: number, id: string, version: number): Promise<boolean> {
  const rows = await queryAsTenant(app, tenantId, {
    text: 'delete from app_user where tenant_id = $1 and id = $2 and version = $3 returning id',
    values: [tenantId, id, version],
  });
  return rows.length === 1;
}

/** Number of other users who can create users. */
export async function countOtherAdmins(app: pg.Pool, tenantId: number, id: string): Promise<number> {
  const rows = await queryAsTenant<{ count: number }>(app, tenantId, {
    text: `select count(*)::int as count from app_user where tenant_id = $1 and id <> $2 and role = 'admin' and active`,
    values: [tenantId, id],
  });
  return rows[0]!.count;
}

export async function readPasswordHash(app: pg.Pool, tenantId: number, id: string): Promise<string | null> {
  const rows = await queryAsTenant<{ hash: string | null }>(app, tenantId, {
    text: 'select password_hash as hash from app_user where tenant_id = $1 and id = $2',
    values: [tenantId, id],
  });
  return rows[0]?.hash ?? null;
}
