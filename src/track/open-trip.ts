import { type Place, Thinner } from './path.ts';
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
  /** standing with the engine on, or with nothing said of the engine */
  readonly idleMs: number;
  /** since the trip before, or since the first fix */
  readonly stopBeforeMs: number;
  /** km/h */
  readonly maxSpeed: number;
  /** km/h while moving */
  readonly avgSpeed: number;
  /** its way, thinned out */
  readonly places: readonly Place[];
}

/** What the time up to a fix was spent with; `off`: ignition off, or nobody knows. */
export type Spent = 'moving' | 'idle' | 'off';

/** Where it came to stand, and what the trip was by then. */
interface Rest extends Waypoint {
  readonly isOff: boolean;
  readonly distanceM: number;
  readonly movingMs: number;
  readonly idleMs: number;
  readonly maxSpeed: number;
}

/** less is noise of a receiver that stands */
const NOISE_M = 30;
const IMPOSSIBLE_KMH = 300;

/** A trip that goes on. */
export class OpenTrip {
  readonly start: Waypoint;
  readonly #ruler: Ruler;
  readonly #places: Thinner | undefined;
  /** ends the trip if it lasts */
  rest: Rest | undefined;
  /** filled anew at each rest: without ignition, that is each fix */
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
  // the fix before, and the last one that the distance counts
  #at: number;
  #latitude: number;
  #longitude: number;
  #countedLatitude: number;
  #countedLongitude: number;

  /** `enoughM`: how far it must get from its start */
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

  /** `speed` in km/h, NaN where none was reported. */
  add(at: number, latitude: number, longitude: number, speed: number, spent: Spent): void {
    const took = at - this.#at;
    const isMoving = spent === 'moving';
    if (isMoving) this.#movingMs += took;
    else if (spent === 'idle') this.#idleMs += took;
    const way = this.#ruler.measure(this.#countedLatitude, this.#countedLongitude, latitude, longitude);
    if (isMoving || way > NOISE_M) {
      this.#distanceM += way;
      this.#countedLatitude = latitude;
      this.#countedLongitude = longitude;
      this.#places?.add([latitude, longitude]);
      this.#reach(latitude, longitude);
    }
    if (isMoving) this.#topSpeed(speed, way, took);
    this.#at = at;
    this.#latitude = latitude;
    this.#longitude = longitude;
  }

  #reach(latitude: number, longitude: number): void {
    if (this.#reachM >= this.#enoughM) return;
    const reach = this.#ruler.measure(this.start.latitude, this.start.longitude, latitude, longitude);
    this.#reachM = Math.max(this.#reachM, reach);
  }

  #topSpeed(speed: number, way: number, took: number): void {
    const shown = Number.isNaN(speed) ? (took > 0 ? (way / took) * 3_600 : 0) : speed;
    if (shown > this.#maxSpeed && shown <= IMPOSSIBLE_KMH) this.#maxSpeed = shown;
  }

  /** It goes on from elsewhere: what lies between is no way. */
  leapTo(latitude: number, longitude: number): void {
    this.#countedLatitude = latitude;
    this.#countedLongitude = longitude;
  }

  /** It stands from the last fix on; should that last, the trip is over there. */
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

  get goesFar(): boolean {
    return this.#reachM >= this.#enoughM;
  }

  /** The trip, which ended with its rest, where it has one that `isOver`, and otherwise with the last fix. */
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
      places: this.#places?.items ?? [],
    };
  }
}
