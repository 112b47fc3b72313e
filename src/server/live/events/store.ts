import { int8Array, type Queryable, textArray } from '../../database/index.ts';

/** Device id, plate and vehicle of a device. */
export interface DeviceIdentity {
  readonly deviceId: number;
  readonly tenantId: number;
  readonly imei: string;
  /** of the vehicle that it is in now */
  readonly vehicleId: string | null;
  readonly targa: string | null;
}

export async function readDeviceIdentities(db: Queryable, deviceIds: readonly number[]): Promise<DeviceIdentity[]> {
  const { rows } = await db.query<DeviceIdentity>({
    name: 'live-identities',
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

/** Vehicles of each user; removed or disabled users see none. */
export async function readVehiclesOf(db: Queryable, userIds: readonly string[]): Promise<Map<string, SeenVehicles>> {
  const { rows } = await db.query<{ userId: string; seesAll: boolean; vehicles: readonly string[] }>({
    name: 'live-vehicles',
    text: `select k.id as "userId", coalesce(u.all_vehicles, false) as "seesAll",
                  coalesce((select array_agg(uv.vehicle_id) from user_vehicle uv where uv.user_id = u.id), '{}')
                  as vehicles
           from unnest($1::text[]) as k(id) left join app_user u on u.id = k.id and is_user_active(u.tenant_id, u.id)`,
    values: [textArray(userIds)],
  });
  return new Map(rows.map(({ userId, seesAll, vehicles }) => [userId, seesAll ? 'all' : new Set(vehicles)]));
}

export interface CommandDevice {
  readonly id: string;
  readonly deviceId: number;
}

export async function readCommandDevices(db: Queryable, ids: readonly string[]): Promise<CommandDevice[]> {
  const { rows } = await db.query<CommandDevice>({
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

export interface MessageDevice {
  readonly id: string;
  readonly tenantId: number;
  readonly userId: string;
  readonly vehicleId: string | null;
  readonly deviceId: number | null;
}

export async function readMessageDevices(db: Queryable, ids: readonly string[]): Promise<MessageDevice[]> {
  const { rows } = await db.query<MessageDevice>({
    name: 'live-messages',
    text: `select id, tenant_id as "tenantId", user_id as "userId", vehicle_id as "vehicleId", device_id as "deviceId"
           from notification where id = any($1::text[])`,
    values: [textArray(ids)],
  });
  return rows;
}
