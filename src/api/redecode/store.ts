import { formatTimestamp, type Queryable } from '../../platform/postgres/index.ts';

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

const FRAMES = `t.kind in ('frame', 'frame-undecoded') and t.bytes is not null and t.protocol = $1
  and t.at >= $2::timestamptz and t.at < $3::timestamptz`;

/** Devices that have sent frames of a protocol. */
export async function listDevices(db: Queryable, { protocol, from, to }: FramesQuery): Promise<Subject[]> {
  const { rows } = await db.query<Subject>(
    `select d.id, d.tenant_id as "tenantId", d.imei, d.options from device d
     where exists (select from timeline t where t.device_id = d.id and ${FRAMES}) order by d.id`,
    [protocol, formatTimestamp(from), formatTimestamp(to)],
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
