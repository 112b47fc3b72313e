import type pg from 'pg';
import { formatTimestamp, queryAsTenant } from '../../platform/postgres/index.ts';

export interface TimelineRow {
  readonly options: Readonly<Record<string, string | number | boolean>>;
  /** epoch ms; null where the device has no entry in the interval */
  readonly at: number | null;
  readonly id: number;
  readonly kind: string;
  readonly gateway: string;
  readonly conn: string;
  readonly protocol: string | null;
  readonly transport: string | null;
  readonly remote: string | null;
  readonly bytes: Buffer | null;
  readonly detail: Record<string, unknown> | null;
  readonly [column: string]: unknown;
}

export interface TimelineQuery {
  readonly imei: string;
  /** epoch ms, both ends included */
  readonly from: number;
  readonly to: number;
  readonly after: { readonly at: number; readonly id: number } | undefined;
  readonly limit: number;
}

/** Oldest first; undefined where the tenant has no such device. */
export async function readTimeline(
  app: pg.Pool,
  tenantId: number,
  query: TimelineQuery,
): Promise<TimelineRow[] | undefined> {
  const rows = await queryAsTenant<TimelineRow>(app, tenantId, {
    name: 'read-timeline',
    text: `
      select d.options, t.at, t.id, t.kind, t.gateway, t.conn, t.protocol, t.transport, t.remote, t.bytes, t.detail
      from device d
      left join lateral (
        select * from timeline
        where device_id = d.id and tenant_id = $1 and at >= $3::timestamptz and at <= $4::timestamptz
          and ($5::timestamptz is null or (at, id) > ($5::timestamptz, $6::bigint))
        order by at, id limit $7) t on true
      where d.tenant_id = $1 and d.imei = $2
      order by t.at, t.id`,
    values: [
      tenantId,
      query.imei,
      formatTimestamp(query.from),
      formatTimestamp(query.to),
      query.after === undefined ? null : formatTimestamp(query.after.at),
      query.after?.id ?? null,
      query.limit,
    ],
  });
  return rows.length === 0 ? undefined : rows.filter(({ at }) => at !== null);
}
