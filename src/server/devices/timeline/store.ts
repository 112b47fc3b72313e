import type pg from 'pg';
import { formatTimestamp, queryAsTenant } from '../../database/index.ts';

export interface TimelineRow {
  readonly options: Readonly<Record<string, string | number | boolean>>;
  readonly deviceId: number | null;
  /** epoch ms; null if the device has no entry in the interval */
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

/** Oldest first; undefined if the tenant has no such device. */
export async function readTimeline(
  app: pg.Pool,
  tenantId: number,
  query: TimelineQuery,
): Promise<TimelineRow[] | undefined> {
  const rows = await queryAsTenant<TimelineRow>(app, tenantId, {
    name: 'read-timeline',
    text: `
      select d.options, t.device_id as "deviceId", t.at, t.id, t.kind, t.gateway, t.conn, t.protocol, t.transport, t.remote, t.bytes, t.detail
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

/** Frames read from the beginning of a connection, which identify the device and its options. */
const FIRST_FRAMES = 32;
/** Frames read before an entry. */
const LAST_FRAMES = 128;
/** Hours that are searched for them if the beginning of the connection is no longer stored. */
const LAST_HOURS = 24;

export interface ConnectionFrame {
  /** epoch ms */
  readonly at: number;
  readonly bytes: Buffer | null;
  readonly [column: string]: unknown;
}

/** The frames of the connection of an entry before it, oldest first: the first ones and the last ones. */
export async function readConnection(app: pg.Pool, tenantId: number, row: TimelineRow): Promise<ConnectionFrame[]> {
  return queryAsTenant<ConnectionFrame>(app, tenantId, {
    name: 'read-timeline-connection',
    text: `
      with opened as (
        select max(at) as at from timeline
        where device_id = $2 and tenant_id = $1 and gateway = $3 and conn = $4 and kind = 'session-opened'
          and at <= $5::timestamptz),
      first as (
        select at, id, bytes from timeline
        where device_id = $2 and tenant_id = $1 and gateway = $3 and conn = $4 and kind in ('frame', 'frame-undecoded')
          and at >= (select at from opened) and at <= $5::timestamptz and (at, id) < ($5::timestamptz, $6::bigint)
        order by at, id limit ${FIRST_FRAMES}),
      last as (
        select at, id, bytes from timeline
        where device_id = $2 and tenant_id = $1 and gateway = $3 and conn = $4 and kind in ('frame', 'frame-undecoded')
          and at >= coalesce((select at from opened), $5::timestamptz - interval '${LAST_HOURS} hours')
          and at <= $5::timestamptz and (at, id) < ($5::timestamptz, $6::bigint)
        order by at desc, id desc limit ${LAST_FRAMES})
      select at, bytes from (select * from first union select * from last) frames order by at, id`,
    values: [tenantId, row.deviceId, row.gateway, row.conn, formatTimestamp(row.at!), row.id],
  });
}

/** Which of the devices the caller may read. */
export async function readVisible(app: pg.Pool, tenantId: number, imeis: readonly string[]): Promise<Set<string>> {
  const rows = await queryAsTenant<{ imei: string }>(app, tenantId, {
    name: 'read-timeline-visible',
    text: 'select imei from device where tenant_id = $1 and imei = any($2)',
    values: [tenantId, imeis],
  });
  return new Set(rows.map(({ imei }) => imei));
}
