import type pg from 'pg';
import { queryAsTenant } from '../../../database/index.ts';

export interface RecipientRow {
  readonly id: string;
  /** his own, or the tenant's */
  readonly timezone: string;
  readonly [column: string]: unknown;
}

/** By id or user name. */
export async function findRecipient(app: pg.Pool, tenantId: number, name: string): Promise<RecipientRow | undefined> {
  const rows = await queryAsTenant<RecipientRow>(app, tenantId, {
    name: 'find-recipient',
    text: `select u.id, coalesce(u.timezone, t.timezone) as timezone
           from app_user u join tenant t on t.tenant_id = u.tenant_id
           where u.tenant_id = $1 and (u.id = $2 or u.username = lower($2)) order by u.id = $2 desc limit 1`,
    values: [tenantId, name],
  });
  return rows[0];
}
