import { Ruler } from '../../../geometry/ruler.ts';
import type { Fixes } from './fixes.ts';
import { isExcursionWrong, isImpossible, kmh, movesBy, REST_M, type Sample } from './motion.ts';
import { addFix, closeTrip, jumpTo, moveOn, type OpenTrip, openTrip, restHere, type Trip } from './open-trip.ts';
import type { TripOptions } from './trip-options.ts';
import { type Ignition, NO_FIXES, stateFromText, stateToText, type TripState } from './trip-state.ts';

export type { Trip, Waypoint } from './open-trip.ts';
export { TRIP_DEFAULTS, type TripOptions } from './trip-options.ts';

/**
 * Version of what trips are found in the same fixes, and of the text form of the state. Raise it with every change of
 * either: days that were kept with another version are calculated again. test/unit/track/trips-version.test.ts fails
 * until then.
 */
export const TRIP_VERSION = 1;

/** a slower passage of a gap is not a tunnel */
const TUNNEL_KMH = 15;
/** how long a reported ignition stays in effect for fixes without it */
const IGNITION_HOLDS_MS = 3_600_000;

export interface TripStep {
  readonly state: TripState;
  /** trips that are over, oldest first */
  readonly ended: readonly Trip[];
}

/**
 * What does not change from fix to fix. The ruler is a cache: results with another one differ by rounding, less than
 * 1e-5 of a distance.
 */
export interface TripRules {
  readonly options: TripOptions;
  readonly ruler: Ruler;
}

/** A step while it is calculated: a copy of the state, which is changed fix by fix. */
interface Draft extends TripStep, TripRules {
  readonly state: { -readonly [K in keyof TripState]: TripState[K] };
  ended: readonly Trip[];
}

const NO_TRIPS: readonly Trip[] = [];

/**
 * Splits a track into trips: the state after the next fixes, in order of time. Of several of one time the first counts. Where the device reports
 * ignition, a trip lasts from on to off; otherwise from leaving a place to resting at one. A shorter stop than
 * `minStopMs` belongs to the trip. Distance covered with the ignition off (a tow, a ferry) belongs to no trip, nor does
 * a gap, unless it was driven through. Without ignition data a ferry cannot be distinguished from a road.
 *
 * Of consecutive fixes that report that the ignition is off, only the first and the last count: those between may be
 * left out.
 */
export function step(before: TripState, fixes: Fixes, rules: TripRules): TripStep {
  const draft = begin(before, rules);
  const { count, at, latitude, longitude, speed, ignition } = fixes;
  for (let i = 0; i < count; i++) {
    take(draft, {
      at: at[i]!,
      latitude: latitude[i]!,
      longitude: longitude[i]!,
      speed: speed[i]!,
      ignition: ignition[i]!,
    });
  }
  return draft;
}

function take(draft: Draft, fix: Sample): void {
  const { state } = draft;
  const { off } = state;
  const { at, latitude, longitude, speed, ignition } = fix;
  if (ignition === 0 && off.isOff) {
    state.off = { isOff: true, at, latitude, longitude, speed };
    return;
  }
  if (ignition === 0 || off.isOff) state.off = { ...off, isOff: ignition === 0, at: Number.NaN };
  if (off.isOff && !Number.isNaN(off.at)) {
    sift(draft, { at: off.at, latitude: off.latitude, longitude: off.longitude, speed: off.speed, ignition: 0 });
  }
  sift(draft, fix);
}

/** The track is over: a trip that goes on ends with its last fix, or where it was switched off. */
function finish(before: TripState, rules: TripRules): TripStep {
  const draft = begin(before, rules);
  acceptAway(draft);
  const { trip } = draft.state;
  if (trip !== undefined) close(draft, trip, trip.rest?.isOff === true);
  return draft;
}

/** The following fixes are of another device: a trip in progress ends, and the ignition becomes unknown. */
function changeDevice(before: TripState, rules: TripRules): TripStep {
  const { state, ended } = finish(before, rules);
  return {
    state: {
      ...state,
      last: { ...state.last, at: Number.NaN },
      ignition: NO_FIXES.ignition,
      ignitionAt: NO_FIXES.ignitionAt,
      wasMoving: false,
      wasCarried: false,
      held: undefined,
      off: { ...state.off, isOff: false, at: Number.NaN },
    },
    ended,
  };
}

const begin = (before: TripState, { options, ruler }: TripRules): Draft => ({
  state: { ...before },
  ended: NO_TRIPS,
  options,
  ruler,
});

/** Holds the state of one track and hands its trips on; memory does not grow with the track. */
export class TripDetector {
  readonly #rules: TripRules;
  readonly #onTrip: (trip: Trip) => void;
  #state: TripState;

  constructor(options: TripOptions, onTrip: (trip: Trip) => void, state: TripState = NO_FIXES) {
    this.#rules = { options, ruler: new Ruler() };
    this.#onTrip = onTrip;
    this.#state = state;
  }

  /** A detector that continues from a state, without the polyline of a trip in progress. */
  static resume(text: string, options: TripOptions, onTrip: (trip: Trip) => void): TripDetector {
    return new TripDetector(options, onTrip, stateFromText(text));
  }

  /** Detectors with equal states find the same trips in the same following fixes. */
  get state(): string {
    return stateToText(this.#state);
  }

  feed(fixes: Fixes): void {
    this.#accept(step(this.#state, fixes, this.#rules));
  }

  /** See `changeDevice`. */
  changeDevice(): void {
    this.#accept(changeDevice(this.#state, this.#rules));
  }

  /** See `finish`. */
  finish(): void {
    this.#accept(finish(this.#state, this.#rules));
  }

  #accept({ state, ended }: TripStep): void {
    this.#state = state;
    for (const trip of ended) this.#onTrip(trip);
  }
}

/**
 * Drops fixes that no vehicle could have reached, unless the next one agrees with them, and a single fix away from a
 * stop to which the next one is near again: an inaccurate fix, not a trip.
 */
function sift(draft: Draft, fix: Sample): void {
  const { state, ruler } = draft;
  const { away, held } = state;
  const { at, ignition } = fix;
  if (at === state.last.at || at === held?.at || at === away?.at) return;
  if (away !== undefined) {
    const isBack = ruler.between(state.last, fix) <= REST_M;
    if (isBack && isExcursionWrong(away, state.last.at, fix)) state.away = undefined;
    else acceptAway(draft);
  }
  const { last } = state;
  const stepM = ruler.between(last, fix);
  state.held = undefined;
  if (Number.isNaN(last.at) || !isImpossible(stepM, at - last.at)) {
    const isDeparture =
      stepM > REST_M && away === undefined && held === undefined && !state.wasMoving && ignition !== 0;
    if (isDeparture && !Number.isNaN(last.at)) state.away = fix;
    else next(draft, fix, stepM);
    return;
  }
  if (held !== undefined) {
    const fromHeldM = ruler.between(held, fix);
    if (!isImpossible(fromHeldM, at - held.at)) {
      // the vehicle is there indeed: the jump itself is not driven
      if (state.trip !== undefined) state.trip = jumpTo(state.trip, held);
      next(draft, held, 0);
      next(draft, fix, fromHeldM);
      return;
    }
  }
  state.held = fix;
}

function acceptAway(draft: Draft): void {
  const { state, ruler } = draft;
  const { away } = state;
  if (away === undefined) return;
  state.away = undefined;
  next(draft, away, ruler.between(state.last, away));
}

/** A fix that counts, `stepM` from the last one. */
function next(draft: Draft, fix: Sample, stepM: number): void {
  const { state } = draft;
  const { at, speed } = fix;
  const ignition = ignitionAfter(state, fix);
  const elapsedMs = at - state.last.at;
  if (Number.isNaN(elapsedMs)) {
    state.rest = fix;
    if (Number.isNaN(state.previousEnd)) state.previousEnd = at;
  } else if (state.trip !== undefined && isBroken(state.trip, elapsedMs, stepM, ignition, draft.options)) {
    close(draft, state.trip, false);
    state.rest = fix;
  }
  if (state.trip !== undefined) drive(draft, state.trip, fix, ignition, stepM);
  if (state.trip === undefined) stand(draft, fix, ignition);
  state.wasMoving = movesBy(speed, Number.isNaN(elapsedMs) ? 0 : stepM, elapsedMs, draft.options.movingKmh);
  state.last = fix;
}

function ignitionAfter(state: Draft['state'], { at, ignition }: Sample): Ignition {
  if (ignition === 2) {
    // on, and motion decides: see `ignition-and-motion`
    state.ignition = -1;
  } else if (ignition >= 0) {
    state.ignition = ignition === 1 ? 1 : 0;
    state.ignitionAt = at;
  } else if (state.ignition === 1 && at - state.ignitionAt > IGNITION_HOLDS_MS) {
    state.ignition = -1;
  }
  return state.ignition;
}

/** A gap, and no tunnel. With the ignition off silence is no gap: the device sleeps. */
function isBroken(
  { rest }: OpenTrip,
  elapsedMs: number,
  stepM: number,
  ignition: Ignition,
  { gapMs, tunnelMs }: TripOptions,
): boolean {
  if (elapsedMs <= gapMs || rest?.isOff === true) return false;
  return ignition === 0 || elapsedMs > tunnelMs || kmh(stepM, elapsedMs) < TUNNEL_KMH;
}

/** Without a trip in progress: does one begin? */
function stand(draft: Draft, fix: Sample, ignition: Ignition): void {
  const { state, options, ruler } = draft;
  if (ignition === 1) {
    start(draft, fix);
    return;
  }
  // with the ignition off the vehicle may be carried and its position is followed; without ignition data it has departed
  const isAway = ruler.between(state.rest, fix) > REST_M;
  state.wasCarried = ignition === 0 && isAway;
  if (!isAway) return;
  if (ignition === -1 && fix.at - state.last.at <= options.gapMs) {
    settle(state, addFix(openTrip(state.last, options), fix, 'moving', options, ruler));
  } else {
    state.rest = fix;
  }
}

/** Begins a trip with the ignition on: from the fix before if the vehicle drove since then, as sparse reports show. */
function start({ state, options, ruler }: Draft, fix: Sample): void {
  const { last } = state;
  const { at, latitude, longitude, speed } = fix;
  const elapsedMs = at - last.at;
  const stepM = ruler.between(last, fix);
  const wasAtRest = ruler.between(state.rest, last) <= REST_M && !state.wasCarried;
  const hasDriven = stepM > REST_M && elapsedMs <= options.gapMs && movesBy(speed, stepM, elapsedMs, options.movingKmh);
  state.wasCarried = false;
  state.trip =
    wasAtRest && hasDriven
      ? addFix(openTrip(last, options), fix, 'moving', options, ruler)
      : openTrip({ at, latitude, longitude }, options);
}

/** With a trip in progress: is it over? */
function drive(draft: Draft, trip: OpenTrip, fix: Sample, ignition: Ignition, stepM: number): void {
  const { state, options, ruler } = draft;
  const { rest } = trip;
  const { at, speed } = fix;
  if (rest?.isOff === true && ignition !== -1) {
    // a short stop: its time is neither driven nor idle, and where the vehicle is carried to is not driven
    if (at - rest.at >= options.minStopMs) close(draft, trip, true);
    else if (ignition === 0) state.trip = jumpTo(trip, fix);
    else state.trip = moveOn(addFix(trip, fix, 'off', options, ruler));
    return;
  }
  const isMoving = movesBy(speed, stepM, at - state.last.at, options.movingKmh);
  const longer = addFix(trip, fix, isMoving ? 'moving' : 'idle', options, ruler);
  if (ignition === 0) state.trip = restHere(longer, true);
  else if (ignition === 1) state.trip = moveOn(longer);
  else restByMotion(draft, longer, fix, isMoving);
}

/** Without ignition, a trip is over where the vehicle then stays near for long. */
function restByMotion(draft: Draft, trip: OpenTrip, fix: Sample, isMoving: boolean): void {
  const { state, options, ruler } = draft;
  const away = ruler.between(state.rest, fix);
  if (trip.rest === undefined || away > REST_M) {
    settle(state, trip);
    return;
  }
  state.isSettling &&= isMoving;
  const resting = state.isSettling ? restHere(trip, false) : trip;
  const restAt = state.isSettling ? trip.last.at : trip.rest.at;
  state.trip = resting;
  if (fix.at - restAt >= options.minStopMs) close(draft, resting, true);
}

function settle(state: Draft['state'], trip: OpenTrip): void {
  state.trip = restHere(trip, false);
  state.rest = trip.last;
  state.isSettling = true;
}

function close(draft: Draft, trip: OpenTrip, isAtRest: boolean): void {
  const { state, options } = draft;
  const closed = closeTrip(trip, state.previousEnd, isAtRest);
  state.trip = undefined;
  state.rest = closed.end;
  if (trip.reachM < options.minTripM) return;
  state.previousEnd = closed.end.at;
  draft.ended = [...draft.ended, closed];
}
