import type pg from 'pg';
import { devicesAsVehicles, type MovingVehicle, tankOf, type VehicleLookup } from '../../movement/vehicle-lookup.ts';
import { findNamed, type MovingRow, readMoving } from './store.ts';

/**
 * Vehicles by their records. A device that is in none of them still answers by its id or name, as one that has just
 * registered itself has no record yet.
 */
export function vehiclesOfFleet(app: pg.Pool): VehicleLookup {
  const devices = devicesAsVehicles(app);
  return {
    async find(tenantId, targa, written) {
      const [row] = await readMoving(app, tenantId, { targa });
      return row === undefined ? devices.find(tenantId, targa, written) : toVehicle(row);
    },
    async ofGroup(tenantId, name) {
      const group = await findNamed(app, tenantId, 'group', name);
      return group === undefined ? undefined : (await readMoving(app, tenantId, { group })).map(toVehicle);
    },
    async ofUser(tenantId, name) {
      if (name === 'me') {
        const all = await readMoving(app, tenantId, {});
        return all.length === 0 ? devices.ofUser(tenantId, name) : all.map(toVehicle);
      }
      const userId = await findNamed(app, tenantId, 'user', name);
      return userId === undefined ? undefined : (await readMoving(app, tenantId, { userId })).map(toVehicle);
    },
  };
}

function toVehicle({ targa, litres, driverId, deviceId, imei, hasPosition, options }: MovingRow): MovingVehicle {
  const tank = tankOf(options ?? {});
  return {
    targa,
    device: deviceId === null || imei === null ? null : { id: deviceId, imei, hasPosition },
    tank: litres === null ? tank : { source: null, calibration: [], ...tank, litres },
    driverId,
  };
}
