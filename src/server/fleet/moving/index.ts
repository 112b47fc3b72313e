import type pg from 'pg';
import { tripSettingsOf } from '../../../contract/trip-settings.ts';
import { devicesAsVehicles, type Interval, type MovingVehicle, type VehicleLookup } from '../../movement/api/index.ts';
import { tankOf } from '../../movement/track/fuel-gauge.ts';
import { findNamed } from '../records/index.ts';
import { type MovingRow, type Paired, type PairedDevice, readMoving, readTarga } from './store.ts';

/**
 * Vehicles for movement reports. A device without a vehicle is found by its id or name: devices that register
 * automatically have no vehicle yet.
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
    async findDevice(tenantId, imei, interval) {
      const found = await devices.findDevice(tenantId, imei, interval);
      const targa = found?.device && (await readTarga(app, tenantId, found.device.id));
      return found && { ...found, targa: targa ?? found.targa };
    },
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
      trips: tripSettingsOf(options),
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
