import { type Coordinate, Thinner } from './path.ts';
import type { Ruler } from './ruler.ts';

/** A fix as a trip begins or ends with it; `at` in epoch ms. */
export interface Waypoint {
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
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

/** Where it stopped, and the values of the trip at that moment. */
interface Rest extends Waypoint {
  readonly isOff: boolean;
  readonly distanceM: number;
  readonly movingMs: number;
  readonly idleMs: number;
  readonly maxSpeed: number;
}

/** less is noise of a stationary receiver */
const NOISE_M = 30;
const IMPOSSIBLE_KMH = 300;

/** Everything that a trip in progress without a polyline has found out. */
export interface OpenTripState {
  readonly start: Waypoint;
  readonly rest: Rest | undefined;
  readonly distanceM: number;
  readonly movingMs: number;
  readonly idleMs: number;
  readonly maxSpeed: number;
  readonly reachM: number;
  readonly last: Waypoint;
  readonly counted: readonly [latitude: number, longitude: number];
}

/** A trip in progress. */
export class OpenTrip {
  readonly start: Waypoint;
  readonly #ruler: Ruler;
  readonly #places: Thinner | undefined;
  /** ends the trip if it lasts */
  rest: Rest | undefined;
  /** reused for each rest: without ignition, that is each fix */
  readonly #ownRest = {
    at: 0,
    latitude: 0,
    longitude: 0,
    isOff: false,
    distanceM: 0,
    movingMs: 0,
    idleMs: 0,
    maxSpeed: 0,
  };
  #distanceM = 0;
  #movingMs = 0;
  #idleMs = 0;
  #maxSpeed = 0;
  #reachM = 0;
  readonly #enoughM: number;
  // the previous fix, and the last one that the distance includes
  #at: number;
  #latitude: number;
  #longitude: number;
  #countedLatitude: number;
  #countedLongitude: number;

  /** `enoughM`: the minimum distance from its start */
  constructor(ruler: Ruler, start: Waypoint, enoughM: number, mostPlaces: number) {
    this.start = start;
    this.#ruler = ruler;
    this.#enoughM = enoughM;
    this.#places = mostPlaces > 0 ? new Thinner(mostPlaces) : undefined;
    this.#at = start.at;
    this.#latitude = this.#countedLatitude = start.latitude;
    this.#longitude = this.#countedLongitude = start.longitude;
    this.#places?.add([start.latitude, start.longitude]);
  }

  get state(): OpenTripState {
    return {
      start: this.start,
      rest: this.rest === undefined ? undefined : { ...this.rest },
      distanceM: this.#distanceM,
      movingMs: this.#movingMs,
      idleMs: this.#idleMs,
      maxSpeed: this.#maxSpeed,
      reachM: this.#reachM,
      last: this.last,
      counted: [this.#countedLatitude, this.#countedLongitude],
    };
  }

  /** A trip that goes on from a state. */
  static resume(ruler: Ruler, state: OpenTripState, enoughM: number): OpenTrip {
    const trip = new OpenTrip(ruler, state.start, enoughM, 0);
    if (state.rest !== undefined) trip.rest = Object.assign(trip.#ownRest, state.rest);
    trip.#distanceM = state.distanceM;
    trip.#movingMs = state.movingMs;
    trip.#idleMs = state.idleMs;
    trip.#maxSpeed = state.maxSpeed;
    trip.#reachM = state.reachM;
    trip.#at = state.last.at;
    trip.#latitude = state.last.latitude;
    trip.#longitude = state.last.longitude;
    [trip.#countedLatitude, trip.#countedLongitude] = state.counted;
    return trip;
  }

  /** `speed` in km/h, NaN where it was not reported. */
  add(at: number, latitude: number, longitude: number, speed: number, activity: Activity): void {
    const elapsedMs = at - this.#at;
    const isMoving = activity === 'moving';
    if (isMoving) this.#movingMs += elapsedMs;
    else if (activity === 'idle') this.#idleMs += elapsedMs;
    const stepM = this.#ruler.measure(this.#countedLatitude, this.#countedLongitude, latitude, longitude);
    if (isMoving || stepM > NOISE_M) {
      this.#distanceM += stepM;
      this.#countedLatitude = latitude;
      this.#countedLongitude = longitude;
      this.#places?.add([latitude, longitude]);
      this.#reach(latitude, longitude);
    }
    if (isMoving) this.#topSpeed(speed, stepM, elapsedMs);
    this.#at = at;
    this.#latitude = latitude;
    this.#longitude = longitude;
  }

  #reach(latitude: number, longitude: number): void {
    if (this.#reachM >= this.#enoughM) return;
    const furthestM = this.#ruler.measure(this.start.latitude, this.start.longitude, latitude, longitude);
    this.#reachM = Math.max(this.#reachM, furthestM);
  }

  #topSpeed(speed: number, stepM: number, elapsedMs: number): void {
    const speedKmh = Number.isNaN(speed) ? (elapsedMs > 0 ? (stepM / elapsedMs) * 3_600 : 0) : speed;
    if (speedKmh > this.#maxSpeed && speedKmh <= IMPOSSIBLE_KMH) this.#maxSpeed = speedKmh;
  }

  /** It continues from another position: the distance between does not count. */
  jumpTo(latitude: number, longitude: number): void {
    this.#countedLatitude = latitude;
    this.#countedLongitude = longitude;
  }

  /** It is stationary from the last fix on; if that lasts, the trip ends there. */
  restHere(isOff: boolean): void {
    const rest = this.#ownRest;
    rest.at = this.#at;
    rest.latitude = this.#latitude;
    rest.longitude = this.#longitude;
    rest.isOff = isOff;
    rest.distanceM = this.#distanceM;
    rest.movingMs = this.#movingMs;
    rest.idleMs = this.#idleMs;
    rest.maxSpeed = this.#maxSpeed;
    this.rest = rest;
  }

  get last(): Waypoint {
    return { at: this.#at, latitude: this.#latitude, longitude: this.#longitude };
  }

  get isFar(): boolean {
    return this.#reachM >= this.#enoughM;
  }

  /** The trip, which ended with its rest if that `isOver`, otherwise with the last fix. */
  close(previousEnd: number, isOver: boolean): Trip {
    const rest = isOver ? this.rest : undefined;
    const end: Waypoint = rest ?? this.last;
    const { distanceM, movingMs, idleMs, maxSpeed } = rest ?? {
      distanceM: this.#distanceM,
      movingMs: this.#movingMs,
      idleMs: this.#idleMs,
      maxSpeed: this.#maxSpeed,
    };
    return {
      start: this.start,
      end: { at: end.at, latitude: end.latitude, longitude: end.longitude },
      distanceM,
      durationMs: end.at - this.start.at,
      movingMs,
      idleMs,
      stopBeforeMs: Math.max(0, this.start.at - previousEnd),
      maxSpeed,
      avgSpeed: movingMs > 0 ? (distanceM / movingMs) * 3_600 : 0,
      polyline: this.#places?.items ?? [],
    };
  }
}
