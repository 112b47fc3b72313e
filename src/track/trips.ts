import type { Fixes } from './fixes.ts';
import { OpenTrip, type Trip } from './open-trip.ts';
import { Ruler } from './ruler.ts';

export type { Trip, Waypoint } from './open-trip.ts';

/** Options of trip detection. Distances in m, times in ms. */
export interface TripOptions {
  /** a shorter stop does not end a trip */
  readonly minStopMs: number;
  /** a trip that stays closer to its start is dropped: noise, or a vehicle that is moved in its yard */
  readonly minTripM: number;
  /** a longer time between two fixes ends a trip, unless the vehicle drove on through a tunnel */
  readonly gapMs: number;
  /** the longest gap that can be a tunnel, or a valley without satellites */
  readonly tunnelMs: number;
  /** maximum points of a trip's polyline; 0: no polyline */
  readonly maxPolylinePoints: number;
}

export const TRIP_DEFAULTS: TripOptions = {
  minStopMs: 300_000,
  minTripM: 150,
  gapMs: 900_000,
  tunnelMs: 1_800_000,
  maxPolylinePoints: 0,
};

/** a speed from here on is not receiver noise */
const MOVING_KMH = 3;
/** where no speed is reported, a step must be this long and this fast to count as movement */
const STEP_M = 20;
const STEP_KMH = 5;
/** a slower passage of a gap is not a tunnel */
const TUNNEL_KMH = 15;
/** without ignition: a vehicle this far from its stop has departed */
const REST_M = 100;
/** a faster step over more than JUMP_M is a wrong fix */
const IMPOSSIBLE_KMH = 300;
const JUMP_M = 500;
/** how long a reported ignition stays in effect for fixes without it */
const IGNITION_HOLDS_MS = 3_600_000;

/** On, off or unknown. */
type Ignition = 1 | 0 | -1;

interface Sample {
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  /** NaN where none was reported */
  readonly speed: number;
  readonly ignition: number;
}

const kmh = (metres: number, ms: number): number => (metres / Math.max(1_000, ms)) * 3_600;
const isImpossible = (metres: number, ms: number): boolean => metres > JUMP_M && kmh(metres, ms) > IMPOSSIBLE_KMH;

/**
 * Splits a track into trips, fix by fix; memory does not grow with it. Where the device reports ignition, a trip lasts
 * from on to off; otherwise from leaving a place to resting at one. A shorter stop than `minStopMs` belongs to the
 * trip. Distance covered with the ignition off (a tow, a ferry) belongs to no trip, nor does a gap, unless it
 * was driven through. Without ignition data a ferry cannot be distinguished from a road.
 *
 * Feed fixes in order of time; of several of one time the first counts. Of consecutive fixes that report that
 * the ignition is off, only the first and the last count: those between may be left out.
 */
export class TripDetector {
  readonly #options: TripOptions;
  readonly #onTrip: (trip: Trip) => void;
  readonly #ruler = new Ruler();
  #trip: OpenTrip | undefined;
  #previousEnd = Number.NaN;
  /** without ignition: it has not been stationary since it approached its resting position */
  #isSettling = false;
  // where it is stationary while there is no trip
  #restLatitude = 0;
  #restLongitude = 0;
  // the fix before
  #at = Number.NaN;
  #latitude = 0;
  #longitude = 0;
  #ignition: Ignition = -1;
  #ignitionAt = Number.NEGATIVE_INFINITY;
  /** an implausible fix, until the next one confirms or refutes it */
  #held: Sample | undefined;
  // the last of a run of fixes with the ignition off, while the run goes on; NaN: without such a run
  #isOff = false;
  #offAt = Number.NaN;
  #offLatitude = 0;
  #offLongitude = 0;
  #offSpeed = Number.NaN;

  constructor(options: TripOptions, onTrip: (trip: Trip) => void) {
    this.#options = options;
    this.#onTrip = onTrip;
  }

  feed({ count, at, latitude, longitude, speed, ignition }: Fixes): void {
    for (let i = 0; i < count; i++) this.#take(at[i]!, latitude[i]!, longitude[i]!, speed[i]!, ignition[i]!);
  }

  /** The following fixes are of another device: a trip in progress ends, and the ignition becomes unknown. */
  changeDevice(): void {
    this.finish();
    this.#isOff = false;
    this.#offAt = Number.NaN;
    this.#held = undefined;
    this.#ignition = -1;
    this.#ignitionAt = Number.NEGATIVE_INFINITY;
    this.#at = Number.NaN;
  }

  /** The track is over: a trip that goes on ends with its last fix, or where it was switched off. */
  finish(): void {
    if (this.#trip !== undefined) this.#close(this.#trip, this.#trip.rest?.isOff === true);
  }

  #take(at: number, latitude: number, longitude: number, speed: number, ignition: number): void {
    if (ignition === 0 && this.#isOff) {
      this.#offAt = at;
      this.#offLatitude = latitude;
      this.#offLongitude = longitude;
      this.#offSpeed = speed;
      return;
    }
    if (this.#isOff && !Number.isNaN(this.#offAt)) {
      this.#sift(this.#offAt, this.#offLatitude, this.#offLongitude, this.#offSpeed, 0);
    }
    this.#isOff = ignition === 0;
    this.#offAt = Number.NaN;
    this.#sift(at, latitude, longitude, speed, ignition);
  }

  /** Drops fixes that no vehicle could have reached, unless the next one agrees with them. */
  #sift(at: number, latitude: number, longitude: number, speed: number, ignition: number): void {
    if (at === this.#at || at === this.#held?.at) return;
    const step = this.#ruler.measure(this.#latitude, this.#longitude, latitude, longitude);
    const pending = this.#held;
    this.#held = undefined;
    if (Number.isNaN(this.#at) || !isImpossible(step, at - this.#at)) {
      this.#next(at, latitude, longitude, speed, ignition, step);
      return;
    }
    if (pending !== undefined) {
      const implausible = this.#ruler.measure(pending.latitude, pending.longitude, latitude, longitude);
      if (!isImpossible(implausible, at - pending.at)) {
        // it is there indeed: the leap itself is no way
        this.#trip?.jumpTo(pending.latitude, pending.longitude);
        this.#next(pending.at, pending.latitude, pending.longitude, pending.speed, pending.ignition, 0);
        this.#next(at, latitude, longitude, speed, ignition, implausible);
        return;
      }
    }
    this.#held = { at, latitude, longitude, speed, ignition };
  }

  #next(at: number, latitude: number, longitude: number, speed: number, reported: number, step: number): void {
    const ignition = this.#ignitionAfter(at, reported);
    const elapsedMs = at - this.#at;
    if (Number.isNaN(elapsedMs)) {
      this.#restAt(latitude, longitude);
      if (Number.isNaN(this.#previousEnd)) this.#previousEnd = at;
    } else if (this.#trip !== undefined && this.#isBroken(this.#trip, elapsedMs, step, ignition)) {
      this.#close(this.#trip, false);
      this.#restAt(latitude, longitude);
    }
    if (this.#trip !== undefined) this.#drive(this.#trip, at, latitude, longitude, speed, ignition, step);
    if (this.#trip === undefined) this.#stand(at, latitude, longitude, speed, ignition);
    this.#at = at;
    this.#latitude = latitude;
    this.#longitude = longitude;
  }

  #ignitionAfter(at: number, reported: number): Ignition {
    if (reported >= 0) {
      this.#ignition = reported === 1 ? 1 : 0;
      this.#ignitionAt = at;
    } else if (this.#ignition === 1 && at - this.#ignitionAt > IGNITION_HOLDS_MS) {
      this.#ignition = -1;
    }
    return this.#ignition;
  }

  /** A gap, and no tunnel. What is off may be silent: its device sleeps. */
  #isBroken({ rest }: OpenTrip, elapsedMs: number, step: number, ignition: Ignition): boolean {
    if (elapsedMs <= this.#options.gapMs || rest?.isOff === true) return false;
    return ignition === 0 || elapsedMs > this.#options.tunnelMs || kmh(step, elapsedMs) < TUNNEL_KMH;
  }

  #restAt(latitude: number, longitude: number): void {
    this.#restLatitude = latitude;
    this.#restLongitude = longitude;
  }

  /** No trip goes on: does one begin? */
  #stand(at: number, latitude: number, longitude: number, speed: number, ignition: Ignition): void {
    if (ignition === 1) {
      this.#trip = this.#open({ at, latitude, longitude });
      return;
    }
    // with the ignition off the vehicle may be carried and its position is followed; without ignition data it has departed
    const away = this.#ruler.measure(this.#restLatitude, this.#restLongitude, latitude, longitude);
    if (away <= REST_M) return;
    if (ignition === -1 && at - this.#at <= this.#options.gapMs) {
      this.#trip = this.#open({ at: this.#at, latitude: this.#latitude, longitude: this.#longitude });
      this.#trip.add(at, latitude, longitude, speed, 'moving');
      this.#settle(this.#trip);
    } else {
      this.#restAt(latitude, longitude);
    }
  }

  #open(start: { at: number; latitude: number; longitude: number }): OpenTrip {
    return new OpenTrip(this.#ruler, start, this.#options.minTripM, this.#options.maxPolylinePoints);
  }

  /** A trip goes on: is it over? */
  #drive(
    trip: OpenTrip,
    at: number,
    latitude: number,
    longitude: number,
    speed: number,
    ignition: Ignition,
    step: number,
  ): void {
    const { rest } = trip;
    const isMoving = movesBy(speed, step, at - this.#at);
    if (rest?.isOff === true && ignition !== -1) {
      if (at - rest.at >= this.#options.minStopMs) {
        this.#close(trip, true);
        return;
      }
      // a short stop: its time is neither driven nor idle, and where it is carried to is no way
      if (ignition === 0) {
        trip.jumpTo(latitude, longitude);
        return;
      }
      trip.rest = undefined;
      trip.add(at, latitude, longitude, speed, 'off');
      return;
    }
    trip.add(at, latitude, longitude, speed, isMoving ? 'moving' : 'idle');
    if (ignition === 0) trip.restHere(true);
    else if (ignition === 1) trip.rest = undefined;
    else this.#restByMotion(trip, at, latitude, longitude, isMoving);
  }

  /** Without ignition, a trip is over where the vehicle then stays near for long. */
  #restByMotion(trip: OpenTrip, at: number, latitude: number, longitude: number, isMoving: boolean): void {
    const { rest } = trip;
    const away = this.#ruler.measure(this.#restLatitude, this.#restLongitude, latitude, longitude);
    if (rest === undefined || away > REST_M) {
      this.#settle(trip);
      return;
    }
    if (this.#isSettling && isMoving) trip.restHere(false);
    else this.#isSettling = false;
    if (at - trip.rest!.at >= this.#options.minStopMs) this.#close(trip, true);
  }

  #settle(trip: OpenTrip): void {
    trip.restHere(false);
    const { latitude, longitude } = trip.rest!;
    this.#restAt(latitude, longitude);
    this.#isSettling = true;
  }

  #close(trip: OpenTrip, atRest: boolean): void {
    this.#trip = undefined;
    const closed = trip.close(this.#previousEnd, atRest);
    this.#restAt(closed.end.latitude, closed.end.longitude);
    if (!trip.isFar) return;
    this.#previousEnd = closed.end.at;
    this.#onTrip(closed);
  }
}

function movesBy(speed: number, step: number, elapsedMs: number): boolean {
  if (Number.isNaN(speed)) return step >= STEP_M && kmh(step, elapsedMs) >= STEP_KMH;
  return speed >= MOVING_KMH || (step > REST_M && kmh(step, elapsedMs) >= MOVING_KMH);
}
