import type { Sample } from './motion.ts';
import type { OpenTrip, Place, Waypoint } from './open-trip.ts';

/** On, off or unknown. */
export type Ignition = 1 | 0 | -1;

/** What is known after a fix. */
export interface TripState {
  /** the trip in progress */
  readonly trip: OpenTrip | undefined;
  /** end of the trip before, epoch ms; before the first trip, time of the first fix; NaN before any fix */
  readonly previousEnd: number;
  /** without ignition: the vehicle has moved ever since it approached its resting position */
  readonly isSettling: boolean;
  /** resting position */
  readonly rest: Place;
  /** the last fix that counts; `at` is NaN if there is none of this device */
  readonly last: Waypoint;
  readonly ignition: Ignition;
  /** when the ignition was last reported, epoch ms */
  readonly ignitionAt: number;
  readonly wasMoving: boolean;
  /** with the ignition off, the vehicle was at another place than where it stopped */
  readonly wasCarried: boolean;
  /** a fix too far for any vehicle, until the next one confirms or refutes it */
  readonly held: Sample | undefined;
  /** the first fix away from a stop, until the next one confirms or refutes it */
  readonly away: Sample | undefined;
  readonly off: OffRun;
}

/**
 * Consecutive fixes with the ignition off, and the last of them. `at` is NaN without a second fix; the other values are
 * then those of an earlier run.
 */
interface OffRun extends Waypoint {
  readonly isOff: boolean;
  readonly speed: number;
}

export const NO_FIXES: TripState = {
  trip: undefined,
  previousEnd: Number.NaN,
  isSettling: false,
  rest: { latitude: 0, longitude: 0 },
  last: { at: Number.NaN, latitude: 0, longitude: 0 },
  ignition: -1,
  ignitionAt: Number.NEGATIVE_INFINITY,
  wasMoving: false,
  wasCarried: false,
  held: undefined,
  away: undefined,
  off: { isOff: false, at: Number.NaN, latitude: 0, longitude: 0, speed: Number.NaN },
};

/** The text form, which days keep: `TRIP_VERSION` covers its members and their order. */
interface StateText extends Omit<TripState, 'trip' | 'rest' | 'last' | 'off'> {
  readonly trip: (Omit<OpenTrip, 'counted' | 'path'> & { readonly counted: Pair }) | undefined;
  readonly rest: Pair;
  readonly last: readonly [at: number, latitude: number, longitude: number];
  readonly off: readonly [isOff: boolean, at: number, latitude: number, longitude: number, speed: number];
}

type Pair = readonly [latitude: number, longitude: number];
const pairOf = ({ latitude, longitude }: Place): Pair => [latitude, longitude];
const placeOf = ([latitude, longitude]: Pair): Place => ({ latitude, longitude });
const waypointOf = ({ at, latitude, longitude }: Waypoint): Waypoint => ({ at, latitude, longitude });

/** JSON has no form of these numbers. */
const NOT_FINITE: Readonly<Record<string, number>> = { NaN: Number.NaN, '-Infinity': Number.NEGATIVE_INFINITY };

/** Equal texts mean equal results for the same following fixes. Polylines are not included. */
export function stateToText(state: TripState): string {
  const { trip, previousEnd, isSettling, rest, last, ignition, ignitionAt, wasMoving, wasCarried, held, away, off } =
    state;
  const text: StateText = {
    trip: trip === undefined ? undefined : tripToText(trip),
    previousEnd,
    isSettling,
    rest: pairOf(rest),
    last: [last.at, last.latitude, last.longitude],
    ignition,
    ignitionAt,
    wasMoving,
    wasCarried,
    held,
    away,
    off: [off.isOff, off.at, off.latitude, off.longitude, off.speed],
  };
  return JSON.stringify(text, (_, value) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  );
}

function tripToText({ start, rest, last, counted, ...totals }: OpenTrip): StateText['trip'] {
  const { distanceM, movingMs, idleMs, maxSpeed, reachM } = totals;
  return {
    start: waypointOf(start),
    rest,
    distanceM,
    movingMs,
    idleMs,
    maxSpeed,
    reachM,
    last: waypointOf(last),
    counted: pairOf(counted),
  };
}

export function stateFromText(text: string): TripState {
  const state = JSON.parse(text, (_, value) => (typeof value === 'string' ? NOT_FINITE[value] : value)) as StateText;
  const { trip } = state;
  const [at, latitude, longitude] = state.last;
  const [isOff, offAt, offLatitude, offLongitude, speed] = state.off;
  return {
    ...state,
    trip: trip === undefined ? undefined : { ...trip, counted: placeOf(trip.counted), path: undefined },
    rest: placeOf(state.rest),
    last: { at, latitude, longitude },
    off: { isOff, at: offAt, latitude: offLatitude, longitude: offLongitude, speed },
  };
}
