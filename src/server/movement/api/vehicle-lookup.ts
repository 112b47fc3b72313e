import type pg from 'pg';
import { type TripSettings, tripSettingsOf } from '../../../contract/trip-settings.ts';
import { AppError } from '../../../platform/errors.ts';
import { type Tank, tankOf } from '../track/fuel-gauge.ts';
import type { Interval } from './interval.ts';
import { findDevicesByName } from './store.ts';

export interface VehicleDevice {
  readonly id: number;
  readonly imei: string;
  readonly hasPosition: boolean;
  /** as this device reads it */
  readonly tank: Tank | null;
  /** options of the device, its group or its tenant */
  readonly trips: TripSettings;
}

/** A device was in a vehicle, epoch ms, both ends included. */
export interface Carried extends Interval {
  readonly device: VehicleDevice;
  /** epoch ms: its positions are the vehicle's from then on, which may lie before the interval */
  readonly since: number;
}

/** A vehicle as what it did in an interval is asked for. */
export interface MovingVehicle {
  readonly targa: string;
  /** the one that is in it now; null if none is */
  readonly device: VehicleDevice | null;
  /** whose positions of the interval are the vehicle's, oldest first; they do not overlap */
  readonly carried: readonly Carried[];
  /** who drove it when */
  readonly drivers: readonly (Interval & { readonly id: string })[];
}

/** Who knows the vehicles, as they were in an interval. `targa` comes normalised, see normaliseTarga, and as written. */
export interface VehicleLookup {
  find(tenantId: number, targa: string, written: string, interval: Interval): Promise<MovingVehicle | undefined>;
  /** a device as a vehicle of its own, wherever it was */
  findDevice(tenantId: number, imei: string, interval: Interval): Promise<MovingVehicle | undefined>;
  /** vehicles of a group; undefined if there is no such group */
  ofGroup(tenantId: number, group: string, interval: Interval): Promise<readonly MovingVehicle[] | undefined>;
  /** id of a user by id or name; undefined if there is no such user */
  userId(tenantId: number, name: string): Promise<string | undefined>;
  /** vehicles that a user may see; undefined if there is no such user */
  ofUser(tenantId: number, userId: string, interval: Interval): Promise<readonly MovingVehicle[] | undefined>;
}

/** Upper case, without spaces and hyphens. */
export const normaliseTarga = (targa: string): string => targa.toUpperCase().replace(/[\s-]/g, '');

/** A vehicle that can have positions. */
export type TrackedVehicle = MovingVehicle & { readonly imei: string };

/** Throws AppError `unknown-vehicle`. */
export async function findVehicle(
  lookup: VehicleLookup,
  tenantId: number,
  written: string,
  interval: Interval,
): Promise<MovingVehicle> {
  const found = await lookup.find(tenantId, normaliseTarga(written), written, interval);
  if (found === undefined) throw new AppError('unknown-vehicle', `No vehicle is called ${written}`);
  return found;
}

/** Throws AppError `unknown-vehicle`, and as `asTracked` does. */
export const findTracked = async (
  lookup: VehicleLookup,
  tenantId: number,
  written: string,
  interval: Interval,
): Promise<TrackedVehicle> => asTracked(await findVehicle(lookup, tenantId, written, interval));

/** Throws AppError `unknown-device`, and as `asTracked` does. */
export async function findTrackedDevice(
  lookup: VehicleLookup,
  tenantId: number,
  imei: string,
  interval: Interval,
): Promise<TrackedVehicle> {
  const found = await lookup.findDevice(tenantId, imei, interval);
  if (found === undefined) throw new AppError('unknown-device', `No device is called ${imei}`);
  return asTracked(found);
}

/**
 * Its `imei` is that of the last device of the interval, otherwise of the one that is in it now. Throws AppError
 * `unknown-device` if there was and is no such device, `no-position-yet` where they have never reported a position.
 */
function asTracked(vehicle: MovingVehicle): TrackedVehicle {
  const last = vehicle.carried.at(-1)?.device ?? vehicle.device;
  if (last === null) throw new AppError('unknown-device', 'The vehicle has no device, and had none in the interval');
  const devices = [last, ...vehicle.carried.map(({ device }) => device)];
  if (!devices.some(({ hasPosition }) => hasPosition)) throw new AppError('no-position-yet');
  return { ...vehicle, imei: last.imei };
}

/** The driver at a moment, epoch ms; null if no driver is known. */
export const driverAt = ({ drivers }: MovingVehicle, at: number): string | null =>
  drivers.findLast(({ from, to }) => from <= at && at <= to)?.id ?? null;

/**
 * Where a vehicle has no record of its own, its device is one: called by the device's id, or by its name. Its options
 * `fuelTankLitres`, `fuelSource` and `fuelCalibration` (`reading:litres,reading:litres`) describe its tank. There are no
 * groups and no users: `me` sees all of the tenant's.
 */
export function devicesAsVehicles(app: pg.Pool): VehicleLookup {
  const find = async (tenantId: number, called: { targa: string; written: string }, interval: Interval) => {
    const [row] = await findDevicesByName(app, tenantId, called);
    return row === undefined ? undefined : toVehicle(row, interval);
  };
  return {
    find: (tenantId, targa, written, interval) => find(tenantId, { targa, written }, interval),
    async findDevice(tenantId, imei, interval) {
      const found = await find(tenantId, { targa: imei, written: imei }, interval);
      return found?.device?.imei === imei ? found : undefined;
    },
    ofGroup: async () => undefined,
    userId: async () => undefined,
    async ofUser(tenantId, userId, interval) {
      if (userId !== 'me') return undefined;
      return (await findDevicesByName(app, tenantId, undefined)).map((row) => toVehicle(row, interval));
    },
  };
}

function toVehicle(row: Awaited<ReturnType<typeof findDevicesByName>>[number], interval: Interval): MovingVehicle {
  const { id, imei, name, hasPosition, options } = row;
  const device = { id, imei, hasPosition, tank: tankOf(options), trips: tripSettingsOf(options) };
  return {
    targa: name === null ? imei : normaliseTarga(name),
    device,
    carried: [{ device, since: Number.NEGATIVE_INFINITY, from: interval.from, to: interval.to }],
    drivers: [],
  };
}
