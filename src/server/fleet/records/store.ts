import type pg from 'pg';
import { queryAsTenant } from '../../database/index.ts';

/** Id of a group or of a user by id or name; undefined if there is none. */
export async function findNamed(
  app: pg.Pool,
  tenantId: number,
  kind: 'group' | 'user',
  name: string,
): Promise<string | undefined> {
  const rows = await queryAsTenant<{ id: string }>(app, tenantId, {
    text:
      kind === 'group'
        ? 'select id from vehicle_group where tenant_id = $1 and (id = $2 or name = $2)'
        : 'select id from app_user where tenant_id = $1 and (id = $2 or username = lower($2))',
    values: [tenantId, name],
  });
  return rows[0]?.id;
}
