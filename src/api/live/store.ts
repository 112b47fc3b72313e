import { int8Array, type Queryable, textArray } from '../../platform/postgres/index.ts';

/** What people know a device by. */
export interface Face {
  readonly deviceId: number;
  readonly tenantId: number;
  readonly imei: string;
  /** of the vehicle that it is in now */
  readonly vehicleId: string | null;
  readonly targa: string | null;
}

export async function readFaces(db: Queryable, deviceIds: readonly number[]): Promise<Face[]> {
  const { rows } = await db.query<Face>({
    name: 'live-faces',
    text: `select d.id as "deviceId", d.tenant_id as "tenantId", d.imei, v.id as "vehicleId", v.targa
           from unnest($1::int8[]) as k(id) join device d on d.id = k.id
           left join pairing p on p.device_id = d.id and p.valid_to is null and p.valid_from <= now()
           left join vehicle v on v.id = p.vehicle_id`,
    values: [int8Array(deviceIds)],
  });
  return rows;
}

/** Vehicles that a credential may see. */
export type SeenVehicles = ReadonlySet<string> | 'all';

/** Of each of these users; users who are gone or not active see none. */
export async function readVehiclesOf(db: Queryable, userIds: readonly string[]): Promise<Map<string, SeenVehicles>> {
  const { rows } = await db.query<{ userId: string; seesAll: boolean; vehicles: readonly string[] }>({
    name: 'live-vehicles',
    text: `select k.id as "userId", coalesce(u.all_vehicles and u.active, false) as "seesAll",
                  coalesce((select array_agg(uv.vehicle_id) from user_vehicle uv where uv.user_id = u.id and u.active), '{}')
                  as vehicles
           from unnest($1::text[]) as k(id) left join app_user u on u.id = k.id`,
    values: [textArray(userIds)],
  });
  return new Map(rows.map(({ userId, seesAll, vehicles }) => [userId, seesAll ? 'all' : new Set(vehicles)]));
}

export interface CommandFace {
  readonly id: string;
  readonly deviceId: number;
}

export async function readCommandFaces(db: Queryable, ids: readonly string[]): Promise<CommandFace[]> {
  const { rows } = await db.query<CommandFace>({
    name: 'live-commands',
    text: 'select id, device_id as "deviceId" from command where id = any($1::text[])',
    values: [textArray(ids)],
  });
  return rows;
}

export interface UploadRow {
  readonly id: string;
  readonly tenantId: number;
  readonly createdBy: string;
  readonly files: number;
  readonly results: readonly unknown[];
}

export async function readUploads(db: Queryable, ids: readonly string[]): Promise<UploadRow[]> {
  const { rows } = await db.query<UploadRow>({
    name: 'live-uploads',
    text: `select id, tenant_id as "tenantId", created_by as "createdBy", files, results
           from ddd_upload where id = any($1::text[])`,
    values: [textArray(ids)],
  });
  return rows;
}

export interface MessageFace {
  readonly id: string;
  readonly tenantId: number;
  readonly userId: string;
  readonly vehicleId: string | null;
  readonly deviceId: number | null;
}

export async function readMessageFaces(db: Queryable, ids: readonly string[]): Promise<MessageFace[]> {
  const { rows } = await db.query<MessageFace>({
    name: 'live-messages',
    text: `select id, tenant_id as "tenantId", user_id as "userId", vehicle_id as "vehicleId", device_id as "deviceId"
           from notification where id = any($1::text[])`,
    values: [textArray(ids)],
  });
  return rows;
}
