import type pg from 'pg';
import { tankOf } from '../../../track/fuel-gauge.ts';
import { findNamed } from '../../fleet-records/index.ts';
import type { Interval } from '../interval.ts';
import { devicesAsVehicles, type MovingVehicle, type VehicleLookup } from '../vehicle-lookup.ts';
import { type MovingRow, type Paired, type PairedDevice, readMoving } from './store.ts';

/**
 * Vehicles by their records. A device that is in none of them still answers by its id or name, as one that has just
 * registered itself has no record yet.
 */
export function fleetVehicles(app: pg.Pool): VehicleLookup {
  const devices = devicesAsVehicles(app);
  const read = async (tenantId: number, of: { targa?: string; group?: string; userId?: string }, interval: Interval) =>
    (await readMoving(app, tenantId, { ...of, from: interval.from, to: interval.to })).map((row) =>
      toVehicle(row, interval),
    );
  return {
    async find(tenantId, targa, written, interval) {
      const [vehicle] = await read(tenantId, { targa }, interval);
      return vehicle ?? devices.find(tenantId, targa, written, interval);
    },
    findDevice: devices.findDevice,
    async ofGroup(tenantId, name, interval) {
      const group = await findNamed(app, tenantId, 'group', name);
      return group === undefined ? undefined : read(tenantId, { group }, interval);
    },
    userId: (tenantId, name) => findNamed(app, tenantId, 'user', name),
    async ofUser(tenantId, name, interval) {
      if (name === 'me') {
        const all = await read(tenantId, {}, interval);
        return all.length === 0 ? devices.ofUser(tenantId, name, interval) : all;
      }
      const userId = await findNamed(app, tenantId, 'user', name);
      return userId === undefined ? undefined : read(tenantId, { userId }, interval);
    },
  };
}

function toVehicle({ targa, litres, devices, drivers }: MovingRow, interval: Interval): MovingVehicle {
  const toDevice = ({ id, imei, hasPosition, options }: PairedDevice) => {
    const tank = tankOf(options);
    return {
      id,
      imei,
      hasPosition,
      tank: litres === null ? tank : { source: null, calibration: [], ...tank, litres },
    };
  };
  const now = devices.find(({ to }) => to === null);
  return {
    targa,
    device: now === undefined ? null : toDevice(now),
    carried: devices
      .map((paired) => ({
        device: toDevice(paired),
        since: paired.from ?? Number.NEGATIVE_INFINITY,
        ...within(paired, interval),
      }))
      .filter(({ from, to }) => from <= to),
    drivers: drivers.map((paired) => ({ id: paired.id, ...within(paired, interval) })),
  };
}

const within = ({ from, to }: Omit<Paired, 'id'>, interval: Interval): Interval => ({
  from: Math.max(interval.from, from ?? interval.from),
  to: Math.min(interval.to, to === null ? interval.to : to - 1),
});
