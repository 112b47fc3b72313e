import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../contract/position.ts';
import { type Place, PolylineEncoder } from '../../track/path.ts';
import { TRIP_DEFAULTS, type Trip, TripDetector, type Waypoint } from '../../track/trips.ts';
import { toInstant } from '../http/instants.ts';
import { readDriven } from './fixes/store.ts';
import { type FuelAt, fuelBetween } from './fuel-used.ts';
import type { Interval } from './interval.ts';

import type { MovingVehicle } from './vehicle-lookup.ts';

const waypoint = z.object({
  at: instant,
  latitude: z.number(),
  longitude: z.number(),
  address: z.null().describe('no geocoder is part of the product'),
});

export const route = z
  .object({
    id: z.string().describe('of the vehicle’s device and the start: the same whenever it is asked for'),
    targa: z.string(),
    start: waypoint,
    end: waypoint,
    distanceM: z.number().int(),
    durationS: z.number(),
    movingS: z.number(),
    idleS: z.number().describe('standing, engine on or not known'),
    stopBeforeS: z.number(),
    maxSpeed: z.number().describe('km/h'),
    avgSpeed: z.number().describe('km/h while moving'),
    fuelUsedL: z.number().nullable().describe('by the vehicle’s own total'),
    driverId: z.string().nullable(),
    polyline: z.string().nullable().describe('precision 5, thinned out to 500 places'),
  })
  .meta({ id: 'Route' });
export type Route = z.output<typeof route>;

const MOST_PLACES = 500;
/** trips of one vehicle and question that are kept: 92 days of trips of ten minutes are 13,248 */
const MOST_TRIPS = 20_000;

export interface TripQuestion extends Interval {
  readonly minStopS: number;
  readonly withPolyline: boolean;
  readonly withFuel: boolean;
}

export interface Pools {
  readonly app: pg.Pool;
  readonly streams: pg.Pool;
}

/** Trips of a vehicle, oldest first; none where it has no device. */
export async function findRoutes(
  pools: Pools,
  tenantId: number,
  vehicle: MovingVehicle,
  question: TripQuestion,
  signal: AbortSignal,
): Promise<Route[]> {
  const { device } = vehicle;
  if (device === null || !device.hasPosition) return [];
  const trips: Trip[] = [];
  const options = {
    ...TRIP_DEFAULTS,
    minStopMs: question.minStopS * 1000,
    mostPlaces: question.withPolyline ? MOST_PLACES : 0,
  };
  const detector = new TripDetector(options, (trip) => {
    if (trips.length < MOST_TRIPS) trips.push(trip);
  });
  const stretch = { deviceId: device.id, from: question.from, to: question.to };
  await readDriven(pools, tenantId, stretch, (fixes) => detector.feed(fixes), signal);
  detector.finish();
  const fuel: FuelAt = question.withFuel ? await fuelBetween(pools.app, tenantId, device.id, trips) : () => null;
  return trips.map((trip) => present(vehicle, device.id, trip, fuel(trip)));
}

function present(vehicle: MovingVehicle, deviceId: number, trip: Trip, fuelUsedL: number | null): Route {
  const { start, end, distanceM, durationMs, movingMs, idleMs, stopBeforeMs, maxSpeed, avgSpeed, places } = trip;
  return {
    id: routeId(deviceId, trip),
    targa: vehicle.targa,
    start: at(start),
    end: at(end),
    distanceM: Math.round(distanceM),
    durationS: durationMs / 1000,
    movingS: movingMs / 1000,
    idleS: idleMs / 1000,
    stopBeforeS: stopBeforeMs / 1000,
    maxSpeed: tenth(maxSpeed),
    avgSpeed: tenth(avgSpeed),
    fuelUsedL,
    driverId: vehicle.driverId,
    polyline: places.length === 0 ? null : encode(places),
  };
}

const encode = (places: readonly Place[]): string => new PolylineEncoder(5).encode(places);
const tenth = (value: number): number => Math.round(value * 10) / 10;
const at = (point: Waypoint) => ({
  at: toInstant(point.at),
  latitude: point.latitude,
  longitude: point.longitude,
  address: null,
});

/** `rt_<device>_<start>`, both in base 36. */
const routeId = (deviceId: number, trip: Trip): string => `rt_${deviceId.toString(36)}_${trip.start.at.toString(36)}`;

/** Start (epoch ms) of a route of this device by its id; undefined for one that is not of it. */
export function startOfRoute(deviceId: number, id: string): number | undefined {
  const [prefix, device = '', start = ''] = id.split('_');
  if (prefix !== 'rt' || Number.parseInt(device, 36) !== deviceId || !/^-?[0-9a-z]{1,11}$/.test(start))
    return undefined;
  return Number.parseInt(start, 36);
}

/** Work on all of a list, two at a time (the database is asked for so many at once), results in order. */
export async function twoAtATime<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const i = next++;
      results[i] = await work(items[i]!);
    }
  };
  await Promise.all([lane(), lane()]);
  return results;
}
