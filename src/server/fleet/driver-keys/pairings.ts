import type { Queryable } from '../../database/index.ts';
import { common, fitBetween, type Stay } from './readings.ts';
import * as store from './store.ts';

interface Device {
  readonly deviceId: number;
  readonly tenantId: number;
}

/**
 * Replaces the pairings that a device has made since the first of its readings by those that follow from them. Pairings
 * of other sources stay; one that is open ends where another driver is recognised. Returns the vehicles of the device.
 */
export async function keepStays(
  tx: Queryable,
  { deviceId, tenantId }: Device,
  readings: readonly store.StoredReading[],
): Promise<readonly store.VehicleStay[]> {
  const from = readings[0]!.began;
  const vehicles = await store.lockVehicles(tx, deviceId, from);
  for (const vehicle of vehicles) {
    const wanted = readings.flatMap(({ began, driverId }, i) => {
      const stay = common({ from: began, to: readings[i + 1]?.began }, vehicle);
      return driverId === null || stay === undefined ? [] : [{ ...stay, driverId }];
    });
    await keepStaysOf(tx, tenantId, vehicle, wanted, from);
  }
  return vehicles;
}

async function keepStaysOf(
  tx: Queryable,
  tenantId: number,
  vehicle: store.VehicleStay,
  wanted: readonly (Stay & { readonly driverId: string })[],
  from: number,
): Promise<void> {
  const { vehicleId } = vehicle;
  const found = await store.readStays(tx, vehicleId, [...new Set(wanted.map(({ driverId }) => driverId))], from);
  const isOwn = (stay: store.DriverStay): boolean =>
    stay.source === 'device' && stay.vehicleId === vehicleId && stay.from >= Math.max(from, vehicle.from);
  const own = found.filter(isOwn);
  const others = new Map(found.filter((stay) => !isOwn(stay)).map((stay) => [stay.id, stay]));
  const fitted: (Stay & { readonly driverId: string })[] = [];
  for (const { driverId, ...stay } of wanted) {
    const concerned = [...others.values()].filter((each) => each.vehicleId === vehicleId || each.driverId === driverId);
    for (const other of concerned) {
      if (other.to !== undefined || other.from >= stay.from) continue;
      await store.endStay(tx, other.id, stay.from);
      others.set(other.id, { ...other, to: stay.from });
    }
    const fit = fitBetween(
      stay,
      [...others.values()].filter((each) => each.vehicleId === vehicleId || each.driverId === driverId),
    );
    if (fit !== undefined) fitted.push({ ...fit, driverId });
  }
  const kept = new Map<string, store.DriverStay>();
  for (const stay of own) {
    const same = fitted.find((each) => each.from === stay.from && each.driverId === stay.driverId);
    if (same !== undefined) kept.set(`${same.from} ${same.driverId}`, stay);
  }
  const keptIds = new Set([...kept.values()].map(({ id }) => id));
  await store.removeStays(
    tx,
    own.filter(({ id }) => !keptIds.has(id)).map(({ id }) => id),
  );
  // those that end first: a vehicle and a driver have one open pairing at most
  const ending = [...fitted].sort((a, b) => Number(a.to === undefined) - Number(b.to === undefined));
  for (const { driverId, ...stay } of ending) {
    const same = kept.get(`${stay.from} ${driverId}`);
    if (same === undefined) await store.insertStay(tx, tenantId, { vehicleId, driverId, ...stay });
    else if (same.to !== stay.to) await store.endStay(tx, same.id, stay.to);
  }
}
