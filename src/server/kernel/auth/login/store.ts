import type { Queryable } from '../../../database/index.ts';
import type { Role } from '../../access/index.ts';

export interface LoginRow {
  readonly id: string;
  readonly tenantId: number;
  readonly tenant: string;
  readonly username: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly role: Role;
  readonly allVehicles: boolean;
  readonly passwordHash: string | null;
  readonly active: boolean;
  readonly locale: string;
  readonly timezone: string;
  /** has logged in from this address or client before */
  readonly known: boolean;
}

const COLUMNS = `u.id, u.tenant_id as "tenantId", t.name as tenant, u.username, u.name, u.email, u.role,
  u.all_vehicles as "allVehicles", u.password_hash as "passwordHash", u.active, u.locale, coalesce(u.timezone, t.timezone) as timezone`;

/** The name that a login gives. */
export interface LoginName {
  /** name or id; undefined if none was given */
  readonly tenant: string | undefined;
  /** tried first if no tenant was given */
  readonly defaultTenant: string;
  /** user name or e-mail address, lower case */
  readonly name: string;
}

/**
 * By user name, or by an e-mail address that only one user of the tenant has. Without a tenant: a user of the default
 * tenant, otherwise the only user of all tenants with this user name or e-mail address.
 */
export async function findLogin(
  db: Queryable,
  { tenant, defaultTenant, name }: LoginName,
  place: Buffer,
): Promise<LoginRow | undefined> {
  const { rows } = await db.query<LoginRow>({
    name: 'find-login',
    text: `
      select ${COLUMNS}, exists (select from login_place p where p.user_id = u.id and p.place = $3) as known
      from tenant t join app_user u on u.tenant_id = t.tenant_id
      where is_tenant_active(t.tenant_id) and (u.username = $2 or u.email = $2)
        and ($1::text is null or t.name = $1 or t.tenant_id::text = $1)
      order by t.name = coalesce($1, $4) desc, u.username = $2 desc limit 2`,
    values: [tenant ?? null, name, place, defaultTenant],
  });
  const [first, second] = rows;
  if (first === undefined || second === undefined) return first;
  if (tenant === undefined && first.tenant !== defaultTenant) return undefined;
  return first.username === name || second.tenant !== first.tenant ? first : undefined;
}

/** Indexes of the attempts whose account has logged in from the same address or client before. */
export async function findKnown(
  db: Queryable,
  attempts: readonly { readonly tenant: string | null; readonly name: string; readonly place: Buffer }[],
): Promise<readonly number[]> {
  const { rows } = await db.query<{ n: number }>({
    name: 'find-known',
    text: `
      select a.n::int - 1 as n
      from unnest($1::text[], $2::text[], $3::bytea[]) with ordinality as a(tenant, name, place, n)
      where exists (
        select from tenant t
        join app_user u on u.tenant_id = t.tenant_id and (u.username = a.name or u.email = a.name)
        join login_place p on p.user_id = u.id and p.place = a.place
        where a.tenant is null or t.name = a.tenant or t.tenant_id::text = a.tenant)`,
    values: [
      attempts.map(({ tenant }) => tenant),
      attempts.map(({ name }) => name),
      attempts.map(({ place }) => place),
    ],
  });
  return rows.map(({ n }) => n);
}

export async function findLoginById(db: Queryable, tenantId: number, userId: string): Promise<LoginRow | undefined> {
  const { rows } = await db.query<LoginRow>(
    `select ${COLUMNS}, false as known from app_user u join tenant t on t.tenant_id = u.tenant_id
     where u.tenant_id = $1 and is_tenant_active(u.tenant_id) and (u.id = $2 or u.username = $2)`,
    [tenantId, userId],
  );
  return rows[0];
}

export async function recordLogin(db: Queryable, user: LoginRow, place: Buffer): Promise<void> {
  await db.query('update app_user set last_login_at = now() where id = $1', [user.id]);
  await db.query(
    `insert into login_place (tenant_id, user_id, place) values ($1, $2, $3)
     on conflict (user_id, place) do update set at = now()`,
    [user.tenantId, user.id, place],
  );
  await db.query(
    `delete from login_place where user_id = $1 and place not in (
       select place from login_place where user_id = $1 order by at desc limit 50)`,
    [user.id],
  );
}

export async function changePassword(db: Queryable, userId: string, passwordHash: string): Promise<void> {
  await db.query('update app_user set password_hash = $2, updated_at = now() where id = $1', [userId, passwordHash]);
}
