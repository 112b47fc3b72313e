import { addPlace, type Coordinate, EMPTY_PATH, placesOf, type ThinnedPath } from '../../../geometry/path.ts';
import type { Ruler } from '../../../geometry/ruler.ts';
import type { TripOptions } from './trip-options.ts';

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** A fix as a trip begins or ends with it; `at` in epoch ms. */
export interface Waypoint extends Place {
  readonly at: number;
}

export interface Trip {
  readonly start: Waypoint;
  readonly end: Waypoint;
  readonly distanceM: number;
  readonly durationMs: number;
  readonly movingMs: number;
  /** stationary with the engine on, or with the ignition not reported */
  readonly idleMs: number;
  /** since the trip before, or since the first fix */
  readonly stopBeforeMs: number;
  /** km/h */
  readonly maxSpeed: number;
  /** km/h while moving */
  readonly avgSpeed: number;
  /** its path, thinned out */
  readonly polyline: readonly Coordinate[];
}

/** How the time before a fix counts; `off`: ignition off or unknown. */
export type Activity = 'moving' | 'idle' | 'off';

/** Distance and times of a trip up to a fix. */
interface Totals {
  readonly distanceM: number;
  readonly movingMs: number;
  readonly idleMs: number;
  /** km/h */
  readonly maxSpeed: number;
}

/** Where the vehicle stopped, and the totals of the trip at that moment. */
interface Rest extends Waypoint, Totals {
  /** with the ignition off */
  readonly isOff: boolean;
}

/** A trip in progress. */
export interface OpenTrip extends Totals {
  readonly start: Waypoint;
  /** ends the trip if it lasts */
  readonly rest: Rest | undefined;
  /** greatest distance from the start, m; not followed beyond `minTripM` */
  readonly reachM: number;
  readonly last: Waypoint;
  /** the last position that the distance includes */
  readonly counted: Place;
  /** undefined without polylines */
  readonly path: ThinnedPath | undefined;
}

/** less is noise of a stationary receiver */
const NOISE_M = 30;
const IMPOSSIBLE_KMH = 300;

export function openTrip(start: Waypoint, { maxPolylinePoints }: TripOptions): OpenTrip {
  return {
    start,
    rest: undefined,
    distanceM: 0,
    movingMs: 0,
    idleMs: 0,
    maxSpeed: 0,
    reachM: 0,
    last: start,
    counted: start,
    path: maxPolylinePoints > 0 ? addPlace(EMPTY_PATH, coordinateOf(start), maxPolylinePoints) : undefined,
  };
}

/** The trip with one more fix. `speed` in km/h, NaN if it was not reported. */
export function addFix(
  trip: OpenTrip,
  fix: Waypoint & { readonly speed: number },
  activity: Activity,
  { minTripM, maxPolylinePoints }: TripOptions,
  ruler: Ruler,
): OpenTrip {
  const elapsedMs = fix.at - trip.last.at;
  const isMoving = activity === 'moving';
  const stepM = ruler.between(trip.counted, fix);
  let { distanceM, counted, path, reachM } = trip;
  if (isMoving || stepM > NOISE_M) {
    distanceM += stepM;
    counted = fix;
    if (path !== undefined) path = addPlace(path, coordinateOf(fix), maxPolylinePoints);
    if (reachM < minTripM) reachM = Math.max(reachM, ruler.between(trip.start, fix));
  }
  return {
    start: trip.start,
    rest: trip.rest,
    distanceM,
    movingMs: isMoving ? trip.movingMs + elapsedMs : trip.movingMs,
    idleMs: activity === 'idle' ? trip.idleMs + elapsedMs : trip.idleMs,
    maxSpeed: isMoving ? topSpeed(trip.maxSpeed, fix.speed, stepM, elapsedMs) : trip.maxSpeed,
    reachM,
    last: fix,
    counted,
    path,
  };
}

const coordinateOf = ({ latitude, longitude }: Place): Coordinate => [latitude, longitude];

function topSpeed(before: number, speed: number, stepM: number, elapsedMs: number): number {
  const speedKmh = Number.isNaN(speed) ? (elapsedMs > 0 ? (stepM / elapsedMs) * 3_600 : 0) : speed;
  return speedKmh > before && speedKmh <= IMPOSSIBLE_KMH ? speedKmh : before;
}

/** The trip continues from another position: the distance between does not count. */
export const jumpTo = (trip: OpenTrip, counted: Place): OpenTrip => ({ ...trip, counted });

/** The vehicle is stationary from the last fix on; if that lasts, the trip ends there. */
export function restHere(trip: OpenTrip, isOff: boolean): OpenTrip {
  const { start, distanceM, movingMs, idleMs, maxSpeed, reachM, last, counted, path } = trip;
  const { at, latitude, longitude } = last;
  const rest: Rest = { at, latitude, longitude, isOff, distanceM, movingMs, idleMs, maxSpeed };
  // each fix without ignition: a spread of so many numbers takes V8 ten times as long
  return { start, rest, distanceM, movingMs, idleMs, maxSpeed, reachM, last, counted, path };
}

export const moveOn = (trip: OpenTrip): OpenTrip => (trip.rest === undefined ? trip : { ...trip, rest: undefined });

/** Ends the trip at its rest if that `isOver`, otherwise at the last fix. */
export function closeTrip(trip: OpenTrip, previousEnd: number, isOver: boolean): Trip {
  const { start } = trip;
  const rest = isOver ? trip.rest : undefined;
  const { distanceM, movingMs, idleMs, maxSpeed } = rest ?? trip;
  const { at, latitude, longitude } = rest ?? trip.last;
  return {
    start: { at: start.at, latitude: start.latitude, longitude: start.longitude },
    end: { at, latitude, longitude },
    distanceM,
    durationMs: at - start.at,
    movingMs,
    idleMs,
    stopBeforeMs: Math.max(0, start.at - previousEnd),
    maxSpeed,
    avgSpeed: movingMs > 0 ? (distanceM / movingMs) * 3_600 : 0,
    polyline: trip.path === undefined ? [] : placesOf(trip.path),
  };
}
