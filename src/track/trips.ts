import type { Fixes } from './fixes.ts';
import { isExcursionWrong, isImpossible, kmh, movesBy, REST_M, type Sample } from './motion.ts';
import { OpenTrip, type OpenTripState, type Trip } from './open-trip.ts';
import { Ruler } from './ruler.ts';
import type { TripOptions } from './trip-options.ts';

export type { Trip, Waypoint } from './open-trip.ts';
export { TRIP_DEFAULTS, type TripOptions } from './trip-options.ts';

/**
 * Version of what trips are found in the same fixes, and of the form of `TripDetector.state`. Raise it with every change of
 * either: what was kept of earlier versions is calculated again. test/unit/track/trips-version.test.ts fails until then.
 */
export const TRIP_VERSION = 1;

/** a slower passage of a gap is not a tunnel */
const TUNNEL_KMH = 15;
/** how long a reported ignition stays in effect for fixes without it */
const IGNITION_HOLDS_MS = 3_600_000;

/** On, off or unknown. */
type Ignition = 1 | 0 | -1;

/** What a detector knows between two fixes. */
interface TripState {
  readonly trip: OpenTripState | undefined;
  readonly previousEnd: number;
  readonly isSettling: boolean;
  readonly rest: readonly [latitude: number, longitude: number];
  readonly last: readonly [at: number, latitude: number, longitude: number];
  readonly ignition: Ignition;
  readonly ignitionAt: number;
  readonly wasMoving: boolean;
  readonly wasCarried: boolean;
  readonly held: Sample | undefined;
  readonly away: Sample | undefined;
  readonly off: readonly [isOff: boolean, at: number, latitude: number, longitude: number, speed: number];
}

/** JSON has no number for what is not known. */
const UNKNOWN: Readonly<Record<string, number>> = { NaN: Number.NaN, '-Infinity': Number.NEGATIVE_INFINITY };
const toText = (state: TripState): string =>
  JSON.stringify(state, (_, value) => (typeof value === 'number' && !Number.isFinite(value) ? String(value) : value));
const fromText = (text: string): TripState =>
  JSON.parse(text, (_, value) => (typeof value === 'string' ? UNKNOWN[value] : value)) as TripState;

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
  #wasMoving = false;
  /** it was at another place with the ignition off than where it stopped */
  #wasCarried = false;
  /** a fix too far for any vehicle, until the next one confirms or refutes it */
  #held: Sample | undefined;
  /** the first fix away from a stop, likewise */
  #away: Sample | undefined;
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

  /** What it knows, as text: detectors of equal states find the same in the same fixes. Without polylines only. */
  get state(): string {
    return toText({
      trip: this.#trip?.state,
      previousEnd: this.#previousEnd,
      isSettling: this.#isSettling,
      rest: [this.#restLatitude, this.#restLongitude],
      last: [this.#at, this.#latitude, this.#longitude],
      ignition: this.#ignition,
      ignitionAt: this.#ignitionAt,
      wasMoving: this.#wasMoving,
      wasCarried: this.#wasCarried,
      held: this.#held,
      away: this.#away,
      off: [this.#isOff, this.#offAt, this.#offLatitude, this.#offLongitude, this.#offSpeed],
    });
  }

  /** A detector that goes on from a state. */
  static resume(text: string, options: TripOptions, onTrip: (trip: Trip) => void): TripDetector {
    const state = fromText(text);
    const detector = new TripDetector(options, onTrip);
    if (state.trip !== undefined) detector.#trip = OpenTrip.resume(detector.#ruler, state.trip, options.minTripM);
    detector.#previousEnd = state.previousEnd;
    detector.#isSettling = state.isSettling;
    [detector.#restLatitude, detector.#restLongitude] = state.rest;
    [detector.#at, detector.#latitude, detector.#longitude] = state.last;
    detector.#ignition = state.ignition;
    detector.#ignitionAt = state.ignitionAt;
    detector.#wasMoving = state.wasMoving;
    detector.#wasCarried = state.wasCarried;
    detector.#held = state.held;
    detector.#away = state.away;
    [detector.#isOff, detector.#offAt, detector.#offLatitude, detector.#offLongitude, detector.#offSpeed] = state.off;
    return detector;
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
    this.#wasMoving = this.#wasCarried = false;
  }

  /** The track is over: a trip that goes on ends with its last fix, or where it was switched off. */
  finish(): void {
    this.#acceptAway();
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

  /**
   * Drops fixes that no vehicle could have reached, unless the next one agrees with them, and a single fix away from a
   * stop to which the next one is near again: an inaccurate fix, not a trip.
   */
  #sift(at: number, latitude: number, longitude: number, speed: number, ignition: number): void {
    const away = this.#away;
    if (at === this.#at || at === this.#held?.at || at === away?.at) return;
    if (away !== undefined) {
      const isBack = this.#ruler.measure(this.#latitude, this.#longitude, latitude, longitude) <= REST_M;
      if (isBack && isExcursionWrong(away, this.#at, { at, latitude, longitude, speed, ignition })) {
        this.#away = undefined;
      } else {
        this.#acceptAway();
      }
    }
    const step = this.#ruler.measure(this.#latitude, this.#longitude, latitude, longitude);
    const pending = this.#held;
    this.#held = undefined;
    if (Number.isNaN(this.#at) || !isImpossible(step, at - this.#at)) {
      if (step > REST_M && away === undefined && pending === undefined && !this.#wasMoving && ignition !== 0) {
        if (!Number.isNaN(this.#at)) {
          this.#away = { at, latitude, longitude, speed, ignition };
          return;
        }
      }
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

  #acceptAway(): void {
    const away = this.#away;
    if (away === undefined) return;
    this.#away = undefined;
    const { at, latitude, longitude, speed, ignition } = away;
    const step = this.#ruler.measure(this.#latitude, this.#longitude, latitude, longitude);
    this.#next(at, latitude, longitude, speed, ignition, step);
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
    this.#wasMoving = movesBy(speed, Number.isNaN(elapsedMs) ? 0 : step, elapsedMs);
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
      this.#start(at, latitude, longitude, speed);
      return;
    }
    // with the ignition off the vehicle may be carried and its position is followed; without ignition data it has departed
    const away = this.#ruler.measure(this.#restLatitude, this.#restLongitude, latitude, longitude);
    this.#wasCarried = ignition === 0 && away > REST_M;
    if (away <= REST_M) return;
    if (ignition === -1 && at - this.#at <= this.#options.gapMs) {
      this.#trip = this.#open({ at: this.#at, latitude: this.#latitude, longitude: this.#longitude });
      this.#trip.add(at, latitude, longitude, speed, 'moving');
      this.#settle(this.#trip);
    } else {
      this.#restAt(latitude, longitude);
    }
  }

  /** With the ignition on. If it drove since the fix before, which reports every few minutes miss, from there. */
  #start(at: number, latitude: number, longitude: number, speed: number): void {
    const elapsedMs = at - this.#at;
    const step = this.#ruler.measure(this.#latitude, this.#longitude, latitude, longitude);
    const off = this.#ruler.measure(this.#restLatitude, this.#restLongitude, this.#latitude, this.#longitude);
    const wasAtRest = !this.#wasCarried && off <= REST_M;
    const hasDriven = step > REST_M && elapsedMs <= this.#options.gapMs && movesBy(speed, step, elapsedMs);
    this.#wasCarried = false;
    if (wasAtRest && hasDriven) {
      this.#trip = this.#open({ at: this.#at, latitude: this.#latitude, longitude: this.#longitude });
      this.#trip.add(at, latitude, longitude, speed, 'moving');
    } else {
      this.#trip = this.#open({ at, latitude, longitude });
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
