import type { Queryable } from '../../../database/index.ts';

export interface FirstAdministrator {
  /** null if the account has no password or was removed */
  readonly passwordHash: string | null;
  readonly isReplaced: boolean;
}

/** Undefined before the first start. */
export async function readFirstAdministrator(db: Queryable): Promise<FirstAdministrator | undefined> {
  const { rows } = await db.query<FirstAdministrator>(
    `select u.password_hash as "passwordHash", f.password_replaced_at is not null as "isReplaced"
     from first_administrator f left join app_user u on u.id = f.user_id`,
  );
  return rows[0];
}

/** Inserts once in the lifetime of an installation, and only if the tenant has no administrator. */
export async function insertFirstAdministrator(
  db: Queryable,
  user: { readonly id: string; readonly tenantId: number; readonly passwordHash: string },
): Promise<void> {
  await db.query(
    `with first as (insert into first_administrator (user_id) values ($1) on conflict do nothing returning user_id)
     insert into app_user (id, tenant_id, username, name, role, all_vehicles, password_hash)
     select user_id, $2, 'admin', 'Administrator', 'admin', true, $3 from first
     where not exists (select from app_user where tenant_id = $2 and role = 'admin')
     on conflict (tenant_id, username) do nothing`,
    [user.id, user.tenantId, user.passwordHash],
  );
}
