import type { Queryable } from '../../database/index.ts';

/** Security options of a tenant's devices. */
export interface DeviceOptions {
  readonly networks?: string | undefined;
  readonly takeover?: 'newest' | 'oldest' | 'same-network' | undefined;
  readonly pinProtocol?: boolean | undefined;
  readonly requireCertificate?: boolean | undefined;
}

const jsonOf = (options: DeviceOptions | undefined): string | null =>
  options === undefined ? null : JSON.stringify(options);

/** Times are epoch ms. */
export interface TenantRow {
  readonly tenantId: number;
  readonly name: string;
  readonly title: string | null;
  readonly timezone: string;
  readonly partners: readonly string[];
  readonly deviceOptions: DeviceOptions;
  readonly version: number;
  readonly active: boolean;
  readonly users: number;
  readonly vehicles: number;
  readonly devices: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const SELECT = `
  select t.tenant_id as "tenantId", t.name, t.title, t.timezone, t.partners, t.device_options as "deviceOptions", t.version, t.disabled_at is null as active,
         (select count(*)::int from app_user u where u.tenant_id = t.tenant_id) as users,
         (select count(*)::int from vehicle v where v.tenant_id = t.tenant_id) as vehicles,
         (select count(*)::int from device d where d.tenant_id = t.tenant_id) as devices,
         t.created_at as "createdAt", t.updated_at as "updatedAt"
  from tenant t`;

/** In the order of their names. */
export async function listTenants(db: Queryable, after: string, limit: number): Promise<TenantRow[]> {
  const { rows } = await db.query<TenantRow>(`${SELECT} where t.name > $1 order by t.name limit $2`, [after, limit]);
  return rows;
}

export async function findTenant(db: Queryable, name: string): Promise<TenantRow | undefined> {
  const { rows } = await db.query<TenantRow>(`${SELECT} where t.name = $1`, [name]);
  return rows[0];
}

export interface TenantFields {
  readonly title?: string | null | undefined;
  readonly timezone?: string | undefined;
  readonly partners?: readonly string[] | undefined;
  readonly deviceOptions?: DeviceOptions | undefined;
  readonly active?: boolean | undefined;
}

/** Undefined if the name is taken. */
export async function insertTenant(db: Queryable, name: string, fields: TenantFields): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(
    `insert into tenant (name, title, timezone, partners, device_options)
     values ($1, $2, coalesce($3, 'UTC'), coalesce($4::text[], '{qora}'), coalesce($5::jsonb, '{}'))
     on conflict (name) do nothing returning tenant_id as id`,
    [name, fields.title ?? null, fields.timezone ?? null, fields.partners ?? null, jsonOf(fields.deviceOptions)],
  );
  return rows[0]?.id;
}

/** Undefined fields are not changed. False if the tenant does not exist or has another version. */
export async function updateTenant(
  db: Queryable,
  at: { readonly tenantId: number; readonly version: number },
  fields: TenantFields,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update tenant set version = version + 1, updated_at = now(), title = case when $3 then $4 else title end,
       timezone = coalesce($5, timezone), partners = coalesce($6::text[], partners),
       device_options = coalesce($8::jsonb, device_options),
       disabled_at = case when $7::bool then null when not $7 then coalesce(disabled_at, now()) else disabled_at end
     where tenant_id = $1 and version = $2`,
    [
      at.tenantId,
      at.version,
      fields.title !== undefined,
      fields.title ?? null,
      fields.timezone ?? null,
      fields.partners ?? null,
      fields.active ?? null,
      jsonOf(fields.deviceOptions),
    ],
  );
  return rowCount === 1;
}

export async function removeTenant(db: Queryable, tenantId: number): Promise<void> {
  await db.query('select remove_tenant($1)', [tenantId]);
}
