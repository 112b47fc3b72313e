import type pg from 'pg';
import { queryAsTenant } from '../../database/index.ts';
import type { Role } from '../access/index.ts';

export interface MeRow {
  readonly id: string | null;
  readonly username: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly role: Role | null;
  readonly locale: string | null;
  readonly timezone: string;
  readonly preferences: Readonly<Record<string, unknown>> | null;
  readonly tenant: string;
  readonly tenantTitle: string | null;
  readonly tenantTimezone: string;
  readonly vehicles: number;
  readonly [column: string]: unknown;
}

/** The user and the tenant; for an API key only the tenant. */
export async function readMe(app: pg.Pool, tenantId: number, userId: string | null): Promise<MeRow> {
  const rows = await queryAsTenant<MeRow>(app, tenantId, {
    name: 'read-me',
    text: `
      select u.id, u.username, u.name, u.email, u.role, u.locale, coalesce(u.timezone, t.timezone) as timezone,
             u.preferences, t.name as tenant, t.title as "tenantTitle", t.timezone as "tenantTimezone",
             (select count(*)::int from vehicle v where coalesce(u.all_vehicles, true) or exists (
                select from user_vehicle uv where uv.user_id = u.id and uv.vehicle_id = v.id)) as vehicles
      from tenant t left join app_user u on u.tenant_id = t.tenant_id and u.id = $2
      where t.tenant_id = $1`,
    values: [tenantId, userId],
  });
  return rows[0]!;
}
