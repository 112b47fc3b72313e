import type pg from 'pg';
import { queryAsTenant } from '../../database/index.ts';
import type { Notice } from '../engine/rules/index.ts';

export interface NoticeRow extends Notice {
  readonly driverId: string;
  readonly [column: string]: unknown;
}

export interface NoticeQuery {
  readonly drivers: readonly string[] | null;
  readonly kind: string | null;
  /** minutes since 1970: that reach into the interval */
  readonly from: number;
  readonly to: number;
  readonly after: readonly [from: number, id: string];
  readonly limit: number;
}

/** Of the newest analysis of each driver, in the order in which they began. */
export function listNotices(app: pg.Pool, tenantId: number, query: NoticeQuery): Promise<NoticeRow[]> {
  const { drivers, kind, from, to, after, limit } = query;
  return queryAsTenant<NoticeRow>(app, tenantId, {
    name: 'list-tachograph-notices',
    text: `select a.driver_id as "driverId", n.id, n.kind, n.rule, n."from", n."to", n.minutes, n.detail,
             n."fileIds" as "fileIds"
           from driver_analysis a
           cross join lateral jsonb_to_recordset(a.notices) as n (id text, kind text, rule text, "from" int, "to" int,
             minutes int, detail text, "fileIds" jsonb)
           where a.tenant_id = $1 and ($2::text[] is null or a.driver_id = any($2)) and ($3::text is null or n.kind = $3)
             and n."to" >= $4::int and n."from" <= $5::int and (n."from", n.id) > ($6::int, $7::text)
           order by n."from", n.id limit $8`,
    values: [tenantId, drivers, kind, from, to, ...after, limit],
  });
}

/** Notices of each driver. */
export async function countNotices(
  app: pg.Pool,
  tenantId: number,
  drivers: readonly string[],
): Promise<Map<string, number>> {
  const rows = await queryAsTenant<{ driverId: string; count: number }>(app, tenantId, {
    text: `select driver_id as "driverId", jsonb_array_length(notices) as count from driver_analysis
           where tenant_id = $1 and driver_id = any($2::text[])`,
    values: [tenantId, drivers],
  });
  return new Map(rows.map(({ driverId, count }) => [driverId, count]));
}
