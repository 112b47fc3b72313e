import { randomBytes } from 'node:crypto';
import { float8Array, int8Array, type Queryable, textArray } from '../../database/index.ts';
import type { Reading, Stay } from './readings.ts';

const at = (n: number): string => `to_timestamp($${n}::float8 / 1000)`;

/** Those of these devices that have reported a key before. */
export async function listReaders(tx: Queryable, deviceIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'list-driver-readers',
    text: 'select device_id as id from driver_reader where device_id = any($1::bigint[])',
    values: [int8Array(deviceIds)],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Remembers that a device reports keys, and since when its ignition is off; undefined: unchanged. */
export async function keepReader(
  tx: Queryable,
  device: { readonly deviceId: number; readonly tenantId: number; readonly ignitionOffAt: number | null | undefined },
): Promise<void> {
  const { deviceId, tenantId, ignitionOffAt } = device;
  await tx.query({
    name: 'keep-driver-reader',
    text: `
      insert into driver_reader (device_id, tenant_id, ignition_off_at) values ($1, $2, ${at(3)})
      on conflict (device_id) do update set ignition_off_at = case when $4 then excluded.ignition_off_at
        else driver_reader.ignition_off_at end
      where $4 and driver_reader.ignition_off_at is distinct from excluded.ignition_off_at`,
    values: [deviceId, tenantId, ignitionOffAt ?? null, ignitionOffAt !== undefined],
  });
}

/** Readers whose ignition is off since before a time (epoch ms), locked: since when. */
export async function takeLoggedOut(
  tx: Queryable,
  before: number,
): Promise<{ readonly deviceId: number; readonly tenantId: number; readonly offAt: number }[]> {
  const { rows } = await tx.query(
    `with due as (
       select device_id, ignition_off_at from driver_reader where ignition_off_at <= ${at(1)}
       order by device_id limit 500 for update skip locked)
     update driver_reader r set ignition_off_at = null from due where r.device_id = due.device_id
     returning r.device_id as "deviceId", r.tenant_id as "tenantId", due.ignition_off_at as "offAt"`,
    [before],
  );
  return rows;
}

export interface StoredReading extends Reading {
  readonly driverId: string | null;
}

/** Readings of a device from the last but one that began before a time (epoch ms) on. */
export async function readReadings(tx: Queryable, deviceId: number, from: number): Promise<StoredReading[]> {
  const { rows } = await tx.query<StoredReading>({
    name: 'read-driver-readings',
    text: `select began, ended, key, driver_id as "driverId" from driver_reading
      where device_id = $1 and began >= coalesce(
        (select began from driver_reading where device_id = $1 and began < ${at(2)} order by began desc offset 1 limit 1),
        '-infinity')
      order by began`,
    values: [deviceId, from],
  });
  return rows;
}

/** Replaces readings of a device by others. */
export async function writeReadings(
  tx: Queryable,
  device: { readonly deviceId: number; readonly tenantId: number },
  before: readonly StoredReading[],
  after: readonly StoredReading[],
): Promise<void> {
  const kept = new Map(after.map((reading) => [reading.began, reading]));
  const gone = before.filter(({ began }) => !kept.has(began)).map(({ began }) => began);
  if (gone.length > 0) {
    await tx.query(
      `delete from driver_reading where device_id = $1
         and began in (select to_timestamp(t / 1000) from unnest($2::float8[]) t)`,
      [device.deviceId, float8Array(gone)],
    );
  }
  const old = new Map(before.map((reading) => [reading.began, reading]));
  for (const { began, ended, key, driverId } of after) {
    const same = old.get(began);
    if (same?.ended === ended && same.key === key && same.driverId === driverId) continue;
    await tx.query({
      name: 'write-driver-reading',
      text: `insert into driver_reading (device_id, tenant_id, began, ended, key, driver_id)
        values ($1, $2, ${at(3)}, ${at(4)}, $5, $6)
        on conflict (device_id, began) do update
          set ended = excluded.ended, key = excluded.key, driver_id = excluded.driver_id`,
      values: [device.deviceId, device.tenantId, began, ended, key, driverId],
    });
  }
}

/** Drivers by key. */
export async function findDrivers(
  tx: Queryable,
  tenantId: number,
  keys: readonly string[],
): Promise<Map<string, { readonly id: string; readonly name: string }>> {
  const { rows } = await tx.query<{ key: string; id: string; name: string }>({
    name: 'find-drivers-by-key',
    text: `select k.key, r.id, r.name from driver_key k join driver r on r.id = k.driver_id
      where k.tenant_id = $1 and k.key = any($2::text[])`,
    values: [tenantId, textArray(keys)],
  });
  return new Map(rows.map(({ key, id, name }) => [key, { id, name }]));
}

export interface VehicleStay extends Stay {
  readonly vehicleId: string;
}

/** Vehicles that a device was in from a time (epoch ms) on, locked in the order of their ids. */
export async function lockVehicles(tx: Queryable, deviceId: number, from: number): Promise<VehicleStay[]> {
  const { rows } = await tx.query<{ vehicleId: string; from: number; to: number | null }>(
    `select v.id as "vehicleId", p.valid_from as "from", p.valid_to as "to"
     from pairing p join vehicle v on v.id = p.vehicle_id
     where p.device_id = $1 and coalesce(p.valid_to, 'infinity') > ${at(2)} order by v.id for update of v`,
    [deviceId, from],
  );
  return rows.map(({ to, ...row }) => ({ ...row, to: to ?? undefined }));
}

export interface DriverStay extends Stay {
  readonly id: string;
  readonly driverId: string;
  readonly vehicleId: string;
  readonly source: string;
}

/** Pairings of drivers with a vehicle, or of these drivers with any, that end after a time (epoch ms). */
export async function readStays(
  tx: Queryable,
  vehicleId: string,
  driverIds: readonly string[],
  from: number,
): Promise<DriverStay[]> {
  await tx.query('select from driver where id = any($1::text[]) order by id for update', [textArray(driverIds)]);
  const { rows } = await tx.query<Omit<DriverStay, 'to'> & { to: number | null }>(
    `select id, driver_id as "driverId", vehicle_id as "vehicleId", source, valid_from as "from", valid_to as "to"
     from pairing where driver_id is not null and (vehicle_id = $1 or driver_id = any($2::text[]))
       and coalesce(valid_to, 'infinity') > ${at(3)}`,
    [vehicleId, textArray(driverIds), from],
  );
  return rows.map(({ to, ...row }) => ({ ...row, to: to ?? undefined }));
}

export const removeStays = async (tx: Queryable, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await tx.query('delete from pairing where id = any($1::text[])', [textArray(ids)]);
};

export const endStay = async (tx: Queryable, id: string, to: number | undefined): Promise<void> => {
  await tx.query(`update pairing set valid_to = ${at(2)}, version = version + 1, updated_at = now() where id = $1`, [
    id,
    to ?? null,
  ]);
};

export async function insertStay(
  tx: Queryable,
  tenantId: number,
  { vehicleId, driverId, from, to }: Omit<DriverStay, 'id' | 'source'>,
): Promise<void> {
  await tx.query(
    `insert into pairing (id, tenant_id, vehicle_id, driver_id, source, valid_from, valid_to)
     values ($1, $2, $3, $4, 'device', ${at(5)}, ${at(6)})`,
    [`par_${randomBytes(9).toString('hex')}`, tenantId, vehicleId, driverId, from, to ?? null],
  );
}
