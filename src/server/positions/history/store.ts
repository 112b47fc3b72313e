import type pg from 'pg';
import { formatTimestamp, queryAsTenant } from '../../database/index.ts';
import { type FileRow, merge, readerOf } from '../../history/index.ts';
import type { ReadRow } from '../view/index.ts';

/** A place in a device's records: their order is that of the primary key. */
export interface Place {
  /** epoch ms */
  readonly time: number;
  /** hex */
  readonly id: string;
}

export interface TrackQuery {
  readonly imei: string;
  /** epoch ms, both ends included */
  readonly from: number;
  readonly to: number;
  readonly after: Place | undefined;
  readonly limit: number;
  /** the device's options with each record */
  readonly withOptions: boolean;
  /** only records whose time is wrong */
  readonly clockSuspect: boolean;
}

export interface TrackRow extends ReadRow {
  readonly options: Readonly<Record<string, string | number | boolean>> | null;
}

/** Stored records of a device, oldest first; undefined if the tenant has no such device. */
export async function readTrack(app: pg.Pool, tenantId: number, query: TrackQuery): Promise<TrackRow[] | undefined> {
  const rows = await queryAsTenant<DeviceTrackRow>(app, tenantId, {
    name: 'read-track',
    text: `
      select d.id as "deviceId", d.options as "ofDevice", d.imei, p.time, p.id, p.latitude, p.longitude, p.speed, p.course, p.valid, p.outdated, p.altitude,
             p.accuracy, p.device_time as "deviceTime", p.fix_time as "fixTime", p.server_time as "serverTime",
             p.protocol, p.network, p.attributes, p.clock_suspect as "clockSuspect", case when $8 then d.options end as options
      from device d
      left join lateral (
        select * from position_all
        where device_id = d.id and tenant_id = $1
          and time >= $3::timestamptz and time <= $4::timestamptz
          and (not $9 or clock_suspect)
          and ($5::timestamptz is null or (time, id) > ($5::timestamptz, decode($6, 'hex')))
        order by time, id limit $7) p on true
      where d.tenant_id = $1 and d.imei = $2
      order by p.time, p.id`,
    values: [
      tenantId,
      query.imei,
      formatTimestamp(query.from),
      formatTimestamp(query.to),
      query.after === undefined ? null : formatTimestamp(query.after.time),
      query.after?.id ?? null,
      query.limit,
      query.withOptions,
      query.clockSuspect,
    ],
  });
  const device = rows[0];
  if (device === undefined) return undefined;
  const filed = await readFiled(app, tenantId, query, device);
  return merge<TrackRow>(
    rows.filter(({ time }) => time !== null),
    filed,
  ).slice(0, query.limit);
}

interface DeviceTrackRow extends TrackRow {
  readonly deviceId: number;
  readonly ofDevice: TrackRow['options'];
  readonly [column: string]: unknown;
}

/** Records of past days that are in files, as rows. */
async function readFiled(
  app: pg.Pool,
  tenantId: number,
  { from, to, after, limit, withOptions, clockSuspect }: TrackQuery,
  { deviceId, imei, ofDevice }: DeviceTrackRow,
): Promise<TrackRow[]> {
  const history = readerOf(app);
  if (history === undefined) return [];
  const found = await history.find(tenantId, { deviceId, from: Math.max(from, after?.time ?? from), to });
  const rows = await history.readRows(found, {
    limit,
    after: after === undefined ? undefined : { time: after.time, id: Buffer.from(after.id, 'hex') },
    ...(clockSuspect ? { isSuspect: true } : {}),
  });
  const parse = ({ attributes, network, ...row }: FileRow): TrackRow => ({
    ...row,
    imei,
    attributes: JSON.parse(attributes),
    network: network === null ? null : JSON.parse(network),
    options: withOptions ? ofDevice : null,
  });
  return rows.map(parse);
}
