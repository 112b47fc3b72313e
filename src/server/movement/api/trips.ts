import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import type { TripSettings } from '../../../contract/trip-settings.ts';
import { type Coordinate, PolylineEncoder } from '../../../geometry/path.ts';
import { member, textLike, toInstant } from '../../kernel/http/index.ts';
import type { AddressesOf, Language } from '../places/index.ts';
import type { Fixes } from '../track/fixes.ts';
import { type FoundTrip, TripFinder, tripOptionsOf, type UsedDetection } from '../track/trip-finder.ts';
import type { Trip, Waypoint } from '../track/trips.ts';
import { readDriven, readFixes } from './fixes/store.ts';
import { type FuelAt, fuelBetween } from './fuel-used.ts';
import type { Interval } from './interval.ts';

import { driverAt, type MovingVehicle } from './vehicle-lookup.ts';

const waypoint = z.object({
  at: instant,
  latitude: member.latitude,
  longitude: member.longitude,
  address: member.address.nullable().describe('with `include=address`'),
});

export const route = z
  .object({
    id: textLike('k3Jx9QmZp1sT').describe('of the vehicle’s device and the start: the same whenever it is asked for'),
    targa: member.targa,
    start: waypoint,
    end: waypoint,
    distanceM: z.number().int().meta({ example: 12_840 }),
    durationS: z.number(),
    movingS: z.number(),
    idleS: z.number().describe('stationary, engine on or not known'),
    stopBeforeS: z.number(),
    maxSpeed: z.number().describe('km/h'),
    avgSpeed: z.number().describe('km/h while moving'),
    fuelUsedL: z
      .number()
      .nullable()
      .describe(
        'by the vehicle’s own total, otherwise by the level of the tank with refuels and without drains; null if neither is known',
      ),
    litresPer100Km: z.number().nullable(),
    litresPerHour: z.number().nullable().describe('of the duration'),
    driverId: member.driverId.nullable(),
    tripDetection: z.enum(['ignition', 'motion', 'ignition-and-motion']).describe('how it was found'),
    stops: z
      .array(z.object({ at: instant, durationS: z.number(), latitude: member.latitude, longitude: member.longitude }))
      .describe('within the route, with the engine on, at least as long as `stopSeconds`'),
    polyline: member.polyline.nullable().describe('precision 5, thinned out to 500 places'),
  })
  .meta({ id: 'Route' });
export type Route = z.output<typeof route>;

const MAX_PLACES = 500;
/** trips that are looked up together for their fuel, and go on together */
const TOGETHER = 50;

export interface TripRequest extends Interval {
  /** they take precedence over the options of the device, its group and its tenant */
  readonly trips: TripSettings;
  readonly withPolyline: boolean;
  readonly withFuel: boolean;
}

export interface Pools {
  readonly app: pg.Pool;
  readonly streams: pg.Pool;
}

/** Routes with the addresses of their ends. */
export async function withAddresses(
  addressesOf: AddressesOf | undefined,
  routes: readonly Route[],
  language: Language,
): Promise<Route[]> {
  const found = await addressesOf?.(
    routes.flatMap(({ start, end }) => [start, end]),
    language,
  );
  const addressAt = (n: number): string | null => found?.[n]?.address ?? null;
  return routes.map((one, n) => ({
    ...one,
    start: { ...one.start, address: addressAt(2 * n) },
    end: { ...one.end, address: addressAt(2 * n + 1) },
  }));
}

/** What takes routes. */
export interface RouteTaker {
  /** Is the polyline of the next route needed? Without this function it always is. */
  wantsPolyline?(): boolean;
  /** A returned promise is awaited before the search continues. */
  take(route: Route): Promise<void> | undefined | void;
}

/**
 * Finds the routes of a vehicle, oldest first, and passes each on when it is found. Periods without a
 * device have none. Returns how the last one was found.
 */
export async function findRoutes(
  pools: Pools,
  tenantId: number,
  vehicle: MovingVehicle,
  request: TripRequest,
  taker: RouteTaker,
  signal: AbortSignal,
): Promise<UsedDetection> {
  const places = request.withPolyline ? MAX_PLACES : 0;
  let used: UsedDetection = 'ignition';
  let trips: FoundTrip[] = [];
  // what is known of the vehicle goes on with its next device, unless its trips are found in another way
  let known: { readonly key: string; readonly finder: TripFinder } | undefined;
  for (const { device, from, to } of vehicle.carried) {
    if (!device.hasPosition) continue;
    const flush = async (): Promise<void> => {
      const found = trips;
      trips = [];
      const fuel: FuelAt = request.withFuel
        ? await fuelBetween(
            pools,
            tenantId,
            device,
            found.map(({ trip }) => trip),
            signal,
          )
        : () => null;
      for (const one of found) {
        const withPolyline = taker.wantsPolyline?.() ?? true;
        used = one.detection;
        await taker.take(present(vehicle, device.id, one, { fuelUsedL: fuel(one.trip), withPolyline }));
      }
    };
    const { detection, options } = tripOptionsOf([request.trips, device.trips], places);
    if (detection !== 'auto') used = detection;
    const key = JSON.stringify([detection, options]);
    if (known?.key !== key) {
      known = { key, finder: new TripFinder(detection, options, (found) => trips.push(found)) };
    }
    const { finder } = known;
    const feed = (fixes: Fixes): Promise<void> | undefined => {
      finder.feed(fixes);
      return trips.length < TOGETHER ? undefined : flush();
    };
    const stretch = { deviceId: device.id, from, to };
    if (finder.needsAllFixes) await readFixes(pools.streams, tenantId, stretch, feed, { signal });
    else await readDriven(pools, tenantId, stretch, feed, signal);
    finder.end();
    while (trips.length > 0) await flush();
  }
  return used;
}

function present(
  vehicle: MovingVehicle,
  deviceId: number,
  { trip, detection, stops }: FoundTrip,
  { fuelUsedL, withPolyline }: { readonly fuelUsedL: number | null; readonly withPolyline: boolean },
): Route {
  const {
    start,
    end,
    distanceM,
    durationMs,
    movingMs,
    idleMs,
    stopBeforeMs,
    maxSpeed,
    avgSpeed,
    polyline: points,
  } = trip;
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
    ...consumption(fuelUsedL, distanceM, durationMs / 1000),
    driverId: driverAt(vehicle, start.at),
    tripDetection: detection,
    stops: stops.map(({ durationMs, latitude, longitude, ...stop }) => ({
      at: toInstant(stop.at),
      durationS: durationMs / 1000,
      latitude,
      longitude,
    })),
    polyline: !withPolyline || points.length === 0 ? null : encode(points),
  };
}

/** Fuel by distance and by time; null where there is none, or no fuel is known. */
export function consumption(
  litres: number | null,
  metres: number,
  seconds: number,
): { readonly litresPer100Km: number | null; readonly litresPerHour: number | null } {
  const per = (amount: number): number | null =>
    litres === null || amount <= 0 ? null : Math.round((litres / amount) * 100) / 100;
  return { litresPer100Km: per(metres / 100_000), litresPerHour: per(seconds / 3_600) };
}

const encode = (places: readonly Coordinate[]): string => new PolylineEncoder(5).encode(places);
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
