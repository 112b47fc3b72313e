import type { FleetDevice } from './device.ts';
import { all, pathOf, unless } from './operations.ts';
import type { Context } from './request.ts';
import { toKnots } from './units.ts';

export interface Interval {
  readonly from: string;
  readonly to: string;
}
interface End {
  readonly at: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly address: string | null;
}
export interface OwnRoute {
  readonly start: End;
  readonly end: End;
  readonly distanceM: number;
  readonly durationS: number;
  readonly movingS: number;
  readonly maxSpeed: number | null;
  readonly avgSpeed: number | null;
  readonly fuelUsedL: number | null;
  readonly driverId: string | null;
}
interface OwnStop {
  readonly from: string;
  readonly to: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly durationS: number;
}

export const knots = (kmh: number | null): number => toKnots(kmh ?? 0);
export const nameOf = ({ device }: FleetDevice) => ({ deviceId: device.id, deviceName: device.name });
/** Absent if unknown. */
export const fuel = (liters: number | null) => (liters === null ? {} : { spentFuel: liters });

/** Of a vehicle, or of a device by its own identifier, wherever it was. */
export const routesOf = (
  { operations }: Context,
  targa: string,
  interval: Interval,
  include: string,
): Promise<OwnRoute[]> => all(operations.list<OwnRoute>('/v1/vehicles/routesV2', { targa, include, ...interval }));

interface OwnDriver {
  readonly name: string;
  readonly uniqueId: string | null;
}

export async function tripsOf(context: Context, of: FleetDevice, interval: Interval) {
  const routes = await routesOf(context, of.vehicle?.targa ?? of.imei, interval, 'address,fuel');
  const drivers = new Map<string, OwnDriver>();
  for (const { driverId } of routes) {
    if (driverId === null || drivers.has(driverId)) continue;
    drivers.set(driverId, await context.operations.call<OwnDriver>('GET', pathOf`/v1/drivers/${driverId}`));
  }
  return routes.map(({ start, end, distanceM, durationS, maxSpeed, avgSpeed, fuelUsedL, driverId }) => ({
    ...nameOf(of),
    distance: distanceM,
    averageSpeed: knots(avgSpeed),
    maxSpeed: knots(maxSpeed),
    ...fuel(fuelUsedL),
    startTime: start.at,
    endTime: end.at,
    startLat: start.latitude,
    startLon: start.longitude,
    endLat: end.latitude,
    endLon: end.longitude,
    startAddress: start.address,
    endAddress: end.address,
    // the server of Traccar uses ms, although its document says otherwise
    duration: durationS * 1000,
    driverUniqueId: drivers.get(driverId ?? '')?.uniqueId ?? null,
    driverName: drivers.get(driverId ?? '')?.name ?? null,
  }));
}

export async function stopsOf({ operations }: Context, of: FleetDevice, interval: Interval) {
  const body = { imei: of.imei, ...interval, maxPoints: 2, include: ['stops'] };
  const path = operations.call<{ stops: OwnStop[] }>('PUT', '/v1/vehicles/percorso', body);
  const { stops = [] } = (await unless(['no-position-yet'], path)) ?? {};
  return stops.map(({ from, to, latitude, longitude, durationS }) => ({
    ...nameOf(of),
    startTime: from,
    endTime: to,
    // the document has the short names, the server the long ones
    lat: latitude,
    lon: longitude,
    latitude,
    longitude,
    address: null,
    duration: durationS * 1000,
  }));
}
