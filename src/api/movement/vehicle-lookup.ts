import type pg from 'pg';
import { AppError } from '../../platform/errors.ts';
import { findDevicesByName } from './store.ts';

/** How a raw reading becomes litres. */
export interface Tank {
  /** litres that it holds; null where nobody said */
  readonly litres: number | null;
  /** attribute that the table reads: `adc1`, `fuelLevel` */
  readonly source: string | null;
  /** [reading, litres], rising by reading; empty where there is none */
  readonly calibration: readonly (readonly [number, number])[];
}

/** A vehicle as what it did is asked for. */
export interface MovingVehicle {
  readonly targa: string;
  /** null where no device is in it */
  readonly device: { readonly id: number; readonly imei: string; readonly hasPosition: boolean } | null;
  readonly tank: Tank | null;
  readonly driverId: string | null;
}

/** Who knows the vehicles. `targa` comes normalised, see normaliseTarga, and as it was written. */
export interface VehicleLookup {
  find(tenantId: number, targa: string, written: string): Promise<MovingVehicle | undefined>;
  /** vehicles of a group; undefined where there is no such group */
  ofGroup(tenantId: number, group: string): Promise<readonly MovingVehicle[] | undefined>;
  /** vehicles that a user may see; undefined where there is no such user */
  ofUser(tenantId: number, userId: string): Promise<readonly MovingVehicle[] | undefined>;
}

/** Upper case, without spaces and hyphens. */
export const normaliseTarga = (targa: string): string => targa.toUpperCase().replace(/[\s-]/g, '');

/** A vehicle with a device in it. */
export type TrackedVehicle = MovingVehicle & { readonly device: NonNullable<MovingVehicle['device']> };

/** Throws AppError `unknown-vehicle`. */
export async function findVehicle(lookup: VehicleLookup, tenantId: number, written: string): Promise<MovingVehicle> {
  const found = await lookup.find(tenantId, normaliseTarga(written), written);
  if (found === undefined) throw new AppError('unknown-vehicle', `No vehicle is called ${written}`);
  return found;
}

/** Throws AppError `unknown-vehicle`, `unknown-device` where it has none, `no-position-yet`. */
export async function findTracked(lookup: VehicleLookup, tenantId: number, written: string): Promise<TrackedVehicle> {
  const vehicle = await findVehicle(lookup, tenantId, written);
  if (vehicle.device === null) throw new AppError('unknown-device', 'The vehicle has no device');
  if (!vehicle.device.hasPosition) throw new AppError('no-position-yet');
  return { ...vehicle, device: vehicle.device };
}

/**
 * Where a vehicle has no record of its own, its device is one: called by the device's id, or by its name. Its options
 * `fuelTankLitres`, `fuelSource` and `fuelCalibration` (`reading:litres,reading:litres`) tell of its tank. There are no
 * groups and no users: `me` sees all of the tenant's.
 */
export function devicesAsVehicles(app: pg.Pool): VehicleLookup {
  return {
    async find(tenantId, targa, written) {
      const [row] = await findDevicesByName(app, tenantId, { targa, written });
      return row === undefined ? undefined : toVehicle(row);
    },
    ofGroup: async () => undefined,
    async ofUser(tenantId, userId) {
      return userId === 'me' ? (await findDevicesByName(app, tenantId, undefined)).map(toVehicle) : undefined;
    },
  };
}

function toVehicle(row: Awaited<ReturnType<typeof findDevicesByName>>[number]): MovingVehicle {
  const { id, imei, name, hasPosition, options } = row;
  return {
    targa: name === null ? imei : normaliseTarga(name),
    device: { id, imei, hasPosition },
    tank: tankOf(options),
    driverId: null,
  };
}

/** From the options of a device. */
export function tankOf(options: Readonly<Record<string, string | number | boolean>>): Tank | null {
  const litres = options['fuelTankLitres'];
  const source = options['fuelSource'];
  const calibration = readCalibration(options['fuelCalibration']);
  if (typeof litres !== 'number' && calibration.length === 0) return null;
  return {
    litres: typeof litres === 'number' ? litres : null,
    source: typeof source === 'string' ? source : null,
    calibration,
  };
}

function readCalibration(text: unknown): readonly (readonly [number, number])[] {
  if (typeof text !== 'string') return [];
  const pairs = text.split(',').map((pair): [number, number] => {
    const [reading, litres] = pair.split(':');
    return [Number(reading), Number(litres)];
  });
  if (!pairs.every(([reading, litres]) => Number.isFinite(reading) && Number.isFinite(litres))) return [];
  return pairs.sort(([a], [b]) => a - b);
}
