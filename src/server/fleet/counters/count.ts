import { distanceM } from '../../../geometry/globe.ts';
import { isImpossible, movesBy } from '../../movement/track/motion.ts';

/** What a report says about the counters of a vehicle. Times are epoch ms. */
export interface Report {
  readonly at: number;
  readonly deviceId: number;
  /** degrees, of a valid fix */
  readonly place: readonly [latitude: number, longitude: number] | undefined;
  /** km/h */
  readonly speed: number | undefined;
  readonly ignition: boolean | undefined;
  /** m, as the device counts, and the attribute that has it */
  readonly odometer: Reading | undefined;
  /** ms of the engine, as the device counts */
  readonly engine: Reading | undefined;
}

export interface Reading {
  readonly name: string;
  readonly value: number;
}

/** A counter of the server. `value` is m or ms. */
export interface Counter {
  readonly value: number | undefined;
  /** counted since the device's last reading, which corrects it */
  readonly pending: number;
  /** last reading of the device, and when it changed */
  readonly last: (Reading & { readonly deviceId: number; readonly at: number }) | undefined;
  /** a person has set it, or a device: later devices add to it only */
  readonly isSet: boolean;
  /** by readings of the device, else by positions or ignition */
  readonly byDevice: boolean;
}

export interface State {
  /** last report or correction that was counted, epoch ms */
  readonly at: number;
  readonly odometer: Counter;
  readonly engine: Counter;
  readonly fix: readonly [at: number, latitude: number, longitude: number, deviceId: number] | undefined;
  readonly ignition: readonly [at: number, isOn: boolean, deviceId: number] | undefined;
}

const NOTHING: Counter = { value: undefined, pending: 0, last: undefined, isSet: false, byDevice: false };
export const BEGIN: State = {
  at: Number.NEGATIVE_INFINITY,
  odometer: NOTHING,
  engine: NOTHING,
  fix: undefined,
  ignition: undefined,
};

/** Limits of what a device can have counted between two readings. */
interface Limits {
  /** m or ms for each ms */
  readonly rate: number;
  /** beyond that rate, since devices round */
  readonly slack: number;
  /** a reading that does not change while more than this is counted otherwise is stuck */
  readonly stuck: number;
  /** an absolute reading above it is wrong */
  readonly most: number;
}

/** 250 km/h */
const ODOMETER: Limits = { rate: 250 / 3_600, slack: 5_000, stuck: 5_000, most: 10_000_000_000 };
const ENGINE: Limits = { rate: 1, slack: 3_700_000, stuck: 4 * 3_600_000, most: 1_000_000 * 3_600_000 };
/** the engine is not known to run between two reports that are further apart, ms */
const MAX_ENGINE_GAP_MS = 3_600_000;
/** readings of another attribute are not compared until the one before has been missing for this long, ms */
const OTHER_AFTER_MS = 86_400_000;

/** Shown value, m or ms; undefined before anything has been counted. */
export const countOf = ({ value, pending }: Counter): number | undefined =>
  value === undefined && pending === 0 ? undefined : (value ?? 0) + pending;

/** Counts a report that is later than all before. */
export function count(state: State, report: Report): State {
  const { at, deviceId, place, ignition } = report;
  const odometer = read(add(state.odometer, drivenM(state.fix, report)), report.odometer, report, ODOMETER);
  const engine = read(add(state.engine, engineMs(state.ignition, report)), report.engine, report, ENGINE);
  return {
    at,
    odometer,
    engine,
    fix: place === undefined ? state.fix : [at, place[0], place[1], deviceId],
    ignition: ignition === undefined ? state.ignition : [at, ignition, deviceId],
  };
}

/** A person sets counters (m, ms); undefined: unchanged. */
export function correct(
  state: State,
  set: { readonly at: number; readonly odometerM: number | undefined; readonly engineMs: number | undefined },
): State {
  const to = (counter: Counter, value: number | undefined): Counter =>
    value === undefined ? counter : { ...counter, value, pending: 0, isSet: true };
  return {
    ...state,
    at: Math.max(state.at, set.at),
    odometer: to(state.odometer, set.odometerM),
    engine: to(state.engine, set.engineMs),
  };
}

const add = (counter: Counter, more: number): Counter =>
  more === 0 ? counter : { ...counter, pending: counter.pending + more };

/**
 * Compares a reading with the one before. What lies between is added where it can be: not after a reset, a rollover, a
 * change of the device, or a jump; there what was counted otherwise stays.
 */
function read(counter: Counter, reading: Reading | undefined, { at, deviceId }: Report, limits: Limits): Counter {
  const { last, pending, value, isSet } = counter;
  if (reading === undefined || !(reading.value > 0 && reading.value <= limits.most)) {
    const isSilent = last !== undefined && at - last.at > OTHER_AFTER_MS;
    return last === undefined || isSilent ? { ...counter, byDevice: false } : counter;
  }
  const next = { ...reading, deviceId, at };
  if (last === undefined) {
    // the first reading of all is the odometer of the vehicle, unless a person has said otherwise
    if (!isSet) return { value: reading.value, pending: 0, last: next, isSet: true, byDevice: true };
    return { ...counter, value: (value ?? 0) + pending, pending: 0, last: next, byDevice: true };
  }
  if (last.name !== reading.name && last.deviceId === deviceId && at - last.at <= OTHER_AFTER_MS) return counter;
  const driven = reading.value - last.value;
  const isComparable = last.deviceId === deviceId && last.name === reading.name;
  if (isComparable && driven === 0) {
    // kept as it is until it changes, so that the next step covers all of what was counted meanwhile
    return pending <= limits.stuck
      ? counter
      : { ...counter, value: (value ?? 0) + pending, pending: 0, last: next, byDevice: false };
  }
  const isSane = isComparable && driven > 0 && driven <= (at - last.at) * limits.rate + limits.slack;
  return {
    value: (value ?? 0) + (isSane ? driven : pending),
    pending: 0,
    last: next,
    isSet: true,
    byDevice: true,
  };
}

/** Meters from the fix before of the same device, if it is movement. */
function drivenM(before: State['fix'], { at, deviceId, place, speed }: Report): number {
  if (before === undefined || place === undefined || before[3] !== deviceId) return 0;
  const step = distanceM(before[1], before[2], place[0], place[1]);
  const elapsed = at - before[0];
  return isImpossible(step, elapsed) || !movesBy(speed ?? Number.NaN, step, elapsed) ? 0 : step;
}

/** Milliseconds since the report before in which the ignition was on. */
function engineMs(before: State['ignition'], { at, deviceId, ignition }: Report): number {
  if (before === undefined || ignition === undefined || before[2] !== deviceId || !before[1]) return 0;
  const elapsed = at - before[0];
  return elapsed > MAX_ENGINE_GAP_MS ? 0 : elapsed;
}
