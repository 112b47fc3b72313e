import { byteaArray, formatTimestamp, type Queryable, timestampArray } from '../../database/index.ts';
import { DEVICES_PER_BUCKET, type Part } from '../../history/index.ts';
import { batchOfRows, insertion, type KnownLimits, type PositionRow } from '../batches/index.ts';

export interface FramesQuery {
  readonly protocol: string;
  /** time of arrival, epoch ms; the end is not included */
  readonly from: number;
  readonly to: number;
}

export interface Subject {
  readonly id: number;
  readonly tenantId: number;
  readonly imei: string;
  readonly options: Readonly<Record<string, string | number | boolean>>;
  readonly [column: string]: unknown;
}

export interface StoredFrame {
  readonly id: number;
  /** epoch ms */
  readonly at: number;
  readonly gateway: string;
  readonly conn: string;
  readonly transport: string | null;
  readonly bytes: Buffer;
  readonly [column: string]: unknown;
}

/** as that of records that arrive */
const FUTURE_TOLERANCE_MS = 300_000;

const FRAMES = `t.kind in ('frame', 'frame-undecoded') and t.bytes is not null and t.protocol = $1
  and t.at >= $2::timestamptz and t.at < $3::timestamptz`;

/** Devices that have sent frames of a protocol: those that have rows, and those of which files have some. */
export async function listDevices(
  db: Queryable,
  { protocol, from, to }: FramesQuery,
  filed: readonly number[],
): Promise<Subject[]> {
  const { rows } = await db.query<Subject>(
    `select d.id, d.tenant_id as "tenantId", d.imei, d.options from device d
     where d.id = any($4::int8[]) or exists (select from timeline t where t.device_id = d.id and ${FRAMES}) order by d.id`,
    [protocol, formatTimestamp(from), formatTimestamp(to), [...filed]],
  );
  return rows;
}

/** Frames of a device in their order, behind a place, at most `limit`. */
export async function readFrames(
  db: Queryable,
  deviceId: number,
  { protocol, from, to }: FramesQuery,
  after: { readonly at: number; readonly id: number } | undefined,
  limit: number,
): Promise<StoredFrame[]> {
  const { rows } = await db.query<StoredFrame>(
    `select t.id, t.at, t.gateway, t.conn, t.transport, t.bytes from timeline t
     where t.device_id = $4 and ${FRAMES} and (t.at, t.id) > ($5::timestamptz, $6::bigint)
     order by t.at, t.id limit $7`,
    [
      protocol,
      formatTimestamp(from),
      formatTimestamp(to),
      deviceId,
      formatTimestamp(after?.at ?? from - 1),
      after?.id ?? 0,
      limit,
    ],
  );
  return rows;
}

/** A position as a row, and the one that it replaces. */
export interface ChangeRow {
  readonly row: PositionRow;
  readonly old: { readonly time: number; readonly id: string; readonly deviceTime: number | undefined } | undefined;
}

/** Enters changes in the table of a session that replaces positions (src/server/history/replace). */
export async function stageChanges(session: Queryable, changes: readonly ChangeRow[]): Promise<void> {
  const olds = changes.map(({ old }) => old);
  const array = (name: string, type: string, value: Buffer) => ({ name, type, is: 'array' as const, value });
  const columns = [
    ...batchOfRows(changes.map(({ row }) => row)).columns(),
    array('old_time', 'timestamptz', timestampArray(olds.map((old) => old?.time))),
    array('old_id', 'bytea', byteaArray(olds.map((old) => (old === undefined ? undefined : bytesOf(old.id))))),
    array('old_device_time', 'timestamptz', timestampArray(olds.map((old) => old?.deviceTime))),
  ];
  const { text, values } = insertion('position_change', columns);
  await session.query({ text, values });
}

/** One character more completes the last byte. */
const bytesOf = (id: string): Buffer => Buffer.from(`${id}A`, 'base64url');

const IN_PART = `c.tenant_id = $1 and c.device_id / ${DEVICES_PER_BUCKET} = $2
  and (coalesce(c.old_time, c.time) at time zone 'UTC')::date = $3::date`;
const MS = (time: string): string => `round(1000 * extract(epoch from ${time}))::float8`;
const VALUES_AT = 'coalesce(c.device_time, c.time)';
const OLD_VALUES_AT = 'coalesce(c.old_device_time, c.old_time)';

/**
 * The state of devices whose last fix, or values of which, are of positions that are replaced. A later position that the
 * state does not have, because the replaced one was ahead of it, comes into it with the next record of the device.
 */
export async function updateNewest(tx: Queryable, part: Part, now: number, limits: KnownLimits): Promise<void> {
  const values = [part.tenantId, part.bucket, part.day];
  const latest = formatTimestamp(now + FUTURE_TOLERANCE_MS);
  // values of the state that are of replaced positions, and those of the newest position of each device
  const { rows } = await tx.query<{ deviceId: number; oldAt: number | null; attributes: string; at: string }>(
    `with known as (
       select distinct n.device_id, (k.value->>1)::float8 as at
       from position_newest n, jsonb_each(n.known) k where n.tenant_id = $1 and n.device_id / ${DEVICES_PER_BUCKET} = $2),
     newest as (
       select distinct on (c.device_id) c.device_id, c.id from position_change c where ${IN_PART}
       order by c.device_id, c.time desc)
     select c.device_id as "deviceId", case when k.at is not null then k.at end as "oldAt",
       c.attributes::text as attributes, ${VALUES_AT}::text as at
     from position_change c
     left join known k on k.device_id = c.device_id and k.at = ${MS(OLD_VALUES_AT)}
     left join newest w on w.device_id = c.device_id and w.id = c.id
     where ${IN_PART} and not c.clock_suspect and (k.at is not null or w.id is not null) and ${VALUES_AT} <= $4::timestamptz
     order by c.device_id, c.time`,
    [...values, latest],
  );
  await tx.query(
    `update position_newest n set time = c.time from position_change c
     where ${IN_PART} and n.device_id = c.device_id and n.time = c.old_time and c.time <> c.old_time`,
    values,
  );
  await tx.query(
    `update position_newest n set ${KEPT.map((name) => `${name} = c.${name}`).join(', ')},
       located_at = case when not c.outdated and not c.clock_suspect and c.latitude is not null and c.longitude is not null
         and (c.valid or (c.latitude <> 0 or c.longitude <> 0) and coalesce(c.fix_time, c.device_time) is not null) then c.time end,
       values_at = case when ${VALUES_AT} <= $4::timestamptz and not c.clock_suspect then ${VALUES_AT} end, names_hash = null
     from position_change c where ${IN_PART} and n.device_id = c.device_id and n.id = c.old_id`,
    [...values, latest],
  );
  const byDevice = new Map<number, typeof rows>();
  for (const row of rows) byDevice.set(row.deviceId, [...(byDevice.get(row.deviceId) ?? []), row]);
  for (const [deviceId, own] of byDevice) {
    const stale = own.flatMap(({ oldAt }) => (oldAt === null ? [] : [oldAt]));
    await tx.query(
      `update position_newest set known = (
         select jsonb_object_agg(key, value) from jsonb_each(known) where (value->>1)::float8 <> all($2::float8[]))
       where device_id = $1`,
      [deviceId, stale],
    );
    for (const { attributes, at } of own) {
      await tx.query(
        `update position_newest set known = merge_known(known, $2::json, $3::timestamptz, null, $4, $5) where device_id = $1`,
        [deviceId, attributes, at, limits.attributes, limits.valueBytes],
      );
    }
  }
}

const KEPT = [
  'id',
  'outdated',
  'device_time',
  'server_time',
  'protocol',
  'network',
  'attributes',
  'fix_time',
  'valid',
  'latitude',
  'longitude',
  'altitude',
  'speed',
  'course',
  'accuracy',
];

/** Distances of the days, and of those beside them, are calculated again when they are asked for. */
export async function forgetDays(tx: Queryable, part: Part): Promise<void> {
  await tx.query(
    `delete from movement_day m using (
       select distinct c.device_id, d.day from position_change c, lateral (
         values ((c.time at time zone 'UTC')::date), ((c.old_time at time zone 'UTC')::date)) d(day)
       where ${IN_PART} and d.day is not null) c
     where m.tenant_id = $1 and m.device_id = c.device_id and m.day between c.day - 1 and c.day + 1`,
    [part.tenantId, part.bucket, part.day],
  );
}
