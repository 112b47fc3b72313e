import type pg from 'pg';
import { queryAsTenant } from '../../database/index.ts';

/** The time zone of a user, otherwise of the tenant. */
export async function readZone(app: pg.Pool, tenantId: number, userId: string | undefined): Promise<string> {
  const rows = await queryAsTenant<{ timezone: string }>(app, tenantId, {
    name: 'read-zone-of-caller',
    text: `
      select coalesce((select timezone from app_user where tenant_id = $1 and id = $2), timezone) as timezone
      from tenant where tenant_id = $1`,
    values: [tenantId, userId ?? null],
  });
  return rows[0]?.timezone ?? 'UTC';
}
