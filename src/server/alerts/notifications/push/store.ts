import type pg from 'pg';
import { queryAsTenant } from '../../../database/index.ts';

export interface TargetRow {
  readonly id: string;
  readonly channel: 'web_push' | 'fcm';
  readonly platform: string | null;
  readonly createdAt: number;
  readonly [column: string]: unknown;
}

/** A browser or app belongs to the user who registered it last. */
export async function saveTarget(
  app: pg.Pool,
  tenantId: number,
  target: {
    readonly id: string;
    readonly userId: string;
    readonly channel: 'web_push' | 'fcm';
    readonly address: string;
    readonly keys: object | null;
    readonly platform: string | null;
  },
): Promise<TargetRow> {
  const rows = await queryAsTenant<TargetRow>(app, tenantId, {
    text: `insert into push_target as t (id, tenant_id, user_id, channel, address, keys, platform)
           values ($2, $1, $3, $4, $5, $6, $7)
           on conflict (tenant_id, channel, address) do update
             set user_id = excluded.user_id, keys = excluded.keys, platform = excluded.platform, updated_at = now()
           returning t.id, t.channel, t.platform, t.created_at as "createdAt"`,
    values: [
      tenantId,
      target.id,
      target.userId,
      target.channel,
      target.address,
      target.keys === null ? null : JSON.stringify(target.keys),
      target.platform,
    ],
  });
  return rows[0]!;
}

export const readTargets = (app: pg.Pool, tenantId: number, userId: string): Promise<TargetRow[]> =>
  queryAsTenant<TargetRow>(app, tenantId, {
    text: `select id, channel, platform, created_at as "createdAt" from push_target
           where tenant_id = $1 and user_id = $2 order by id`,
    values: [tenantId, userId],
  });

export async function deleteTarget(app: pg.Pool, tenantId: number, userId: string, id: string): Promise<boolean> {
  const rows = await queryAsTenant(app, tenantId, {
    text: 'delete from push_target where tenant_id = $1 and user_id = $2 and id = $3 returning id',
    values: [tenantId, userId, id],
  });
  return rows.length === 1;
}

export async function countTargets(app: pg.Pool, tenantId: number, userId: string): Promise<number> {
  const rows = await queryAsTenant<{ count: number }>(app, tenantId, {
    text: 'select count(*)::int as count from push_target where tenant_id = $1 and user_id = $2',
    values: [tenantId, userId],
  });
  return rows[0]!.count;
}
