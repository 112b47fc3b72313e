import { HOUR_MS } from '../../../platform/durations.ts';
import { zoneOf } from '../../../platform/zone.ts';
import { isWithin } from './hours.ts';
import type { Memory, Timed } from './judge.ts';
import type { Sample } from './state.ts';
import type { Fix, Limits, Rule } from './types.ts';

/**
 * Evaluates a report, together with what the device has last reported; undefined: the report says nothing about the
 * condition.
 */
export type Condition = (fix: Fix, memory: Memory) => Sample | undefined;

const ON = { on: true } as const;
const OFF = { on: false } as const;
const ALARM = { on: true, sure: true, isPulse: true } as const;

export const isLocated = (fix: Fix): boolean => fix.valid && !fix.outdated && fix.latitude !== undefined;

const NO_ALARMS: readonly string[] = [];

function alarmsOf(fix: Fix): readonly string[] {
  if (!fix.mentions('alarm')) return NO_ALARMS;
  const alarm = fix.attributes()['alarm'];
  return typeof alarm === 'string' ? alarm.split(',') : [];
}

const reportsAny = (fix: Fix, names: readonly string[]): boolean => alarmsOf(fix).some((name) => names.includes(name));

export function numberOf(fix: Fix, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    if (!fix.mentions(name)) continue;
    const value = fix.attributes()[name];
    if (typeof value === 'number') return value;
  }
  return undefined;
}

function booleanOf(fix: Fix, name: string): boolean | undefined {
  const value = fix.mentions(name) ? fix.attributes()[name] : undefined;
  return typeof value === 'boolean' ? value : undefined;
}

/** Like `isMoving`, by what was last reported where this report does not say it. */
function isMovingNow(fix: Fix, memory: Memory, minSpeedKmh: number): boolean | undefined {
  if (isLocated(fix) && fix.speed !== undefined) memory.movement = fix.speed;
  else memory.movement = booleanOf(fix, 'motion') ?? memory.movement;
  const { movement } = memory;
  return typeof movement === 'number' ? movement >= minSpeedKmh : movement;
}

export function isMoving(fix: Fix, minSpeedKmh: number): boolean | undefined {
  if (isLocated(fix) && fix.speed !== undefined) return fix.speed >= minSpeedKmh;
  return booleanOf(fix, 'motion');
}

export function useOutsideHours({ params, hours = {}, zone }: Rule): Condition {
  const clock = zoneOf(zone);
  const { minSpeedKmh = 5 } = params;
  return (fix) => {
    const moving = isMoving(fix, minSpeedKmh);
    if (moving === undefined) return undefined;
    return moving && !isWithin(hours, clock, fix.at) ? ON : OFF;
  };
}

export function overspeed({ params }: Rule): Condition {
  const { limitKmh, useRoadLimit = limitKmh === undefined, hysteresisKmh = 3 } = params;
  return (fix) => {
    if (!isLocated(fix) || fix.speed === undefined) return undefined;
    const road = useRoadLimit ? numberOf(fix, 'speedLimit') : undefined;
    const limit = Math.min(road ?? Number.POSITIVE_INFINITY, limitKmh ?? Number.POSITIVE_INFINITY);
    if (fix.speed > limit) return { on: true, value: fix.speed };
    return fix.speed <= limit - hysteresisKmh || limit === Number.POSITIVE_INFINITY ? OFF : undefined;
  };
}

/** Many devices report the ignition only when it changes, or in messages of their own. */
const ignitionNow = (fix: Fix, memory: Memory): boolean | undefined => {
  memory.ignition = fix.ignition ?? memory.ignition;
  return memory.ignition;
};

export const ignition =
  (wanted: boolean): Condition =>
  (fix) =>
    fix.ignition === undefined ? undefined : { on: fix.ignition === wanted };

export function tow({ params }: Rule): Condition {
  const { minSpeedKmh = 8 } = params;
  return (fix, memory) => {
    const ignition = ignitionNow(fix, memory);
    if (reportsAny(fix, ['tow'])) return ALARM;
    if (ignition === undefined) return undefined;
    if (ignition) return OFF;
    const moving = isMoving(fix, minSpeedKmh);
    return moving === undefined ? undefined : { on: moving };
  };
}

/** Alarms that the device reports once, without an end. */
export const reportedAlarm =
  (names: readonly string[]): Condition =>
  (fix) =>
    reportsAny(fix, names) ? ALARM : OFF;

/** The alarms that the rule names, or any. */
export function anyAlarm({ params: { alarms } }: Rule): Condition {
  return (fix) => {
    const reported = alarmsOf(fix);
    const mine = alarms === undefined ? reported : reported.filter((name) => alarms.includes(name));
    return mine.length === 0 ? OFF : { ...ALARM, detail: mine.join(', ') };
  };
}

/** A level that the device reports as a number or as an alarm. */
function tooLow(
  names: { readonly alarms: readonly string[]; readonly over: readonly string[]; readonly level: string },
  least: number,
  hysteresis: number,
): Condition {
  return (fix) => {
    const level = numberOf(fix, names.level);
    const isLow = level !== undefined && level < least;
    const value = level === undefined ? {} : { value: level };
    if (reportsAny(fix, names.alarms)) return isLow ? { on: true, sure: true, ...value } : { ...ALARM, ...value };
    if (isLow) return { on: true, ...value };
    if (level !== undefined && level >= least + hysteresis) return OFF;
    return reportsAny(fix, names.over) ? OFF : undefined;
  };
}

export const powerCut = ({ params }: Rule): Condition =>
  tooLow(
    { alarms: ['powerCut', 'powerOff'], over: ['powerRestored', 'powerOn'], level: 'power' },
    params.minVolts ?? 5,
    1,
  );

export const lowBattery = ({ params }: Rule): Condition =>
  tooLow({ alarms: ['lowBattery', 'lowPower'], over: [], level: 'batteryLevel' }, params.minPercent ?? 20, 5);

/** A line that the device reports as a boolean or as an alarm. */
export const line =
  (name: string, wanted: boolean, alarms: readonly string[]): Condition =>
  (fix) => {
    const value = booleanOf(fix, name);
    if (reportsAny(fix, alarms)) return value === wanted ? { on: true, sure: true } : ALARM;
    return value === undefined ? undefined : { on: value === wanted };
  };

/** Ignition and speed may come in different reports. */
export function idling({ params }: Rule): Condition {
  const { minSpeedKmh = 5 } = params;
  return (fix, memory) => {
    const saysNothing = fix.ignition === undefined && isMoving(fix, minSpeedKmh) === undefined;
    const ignition = ignitionNow(fix, memory);
    const moving = isMovingNow(fix, memory, minSpeedKmh);
    if (reportsAny(fix, ['idle'])) return ALARM;
    if (saysNothing || ignition === undefined) return undefined;
    if (!ignition) return OFF;
    return moving === undefined ? undefined : { on: !moving };
  };
}

export function stopped({ params }: Rule): Condition {
  const { minSpeedKmh = 5 } = params;
  return (fix) => {
    const moving = isMoving(fix, minSpeedKmh);
    return moving === undefined ? undefined : { on: !moving };
  };
}

const TEMPERATURES = Array.from({ length: 8 }, (_, n) => `temp${n + 1}`);
const HYSTERESIS_C = 0.5;

/** Last reported numbers, this report's included; undefined: it has none of them. Older ones than `maxAgeMs` do not count. */
function lastNumbers(
  fix: Fix,
  memory: Memory,
  names: readonly string[],
  maxAgeMs: number,
): ReadonlyMap<string, number> | undefined {
  const reported = names.flatMap((name): [string, readonly [number, number]][] => {
    const value = numberOf(fix, name);
    return value === undefined ? [] : [[name, [value, fix.at]]];
  });
  if (reported.length === 0) return undefined;
  const kept = Object.entries(memory.values ?? {}).filter(([, [, at]]) => fix.at - at <= maxAgeMs);
  memory.values = Object.fromEntries([...kept, ...reported]);
  return new Map(Object.entries(memory.values).map(([name, [value]]) => [name, value]));
}

/** A temperature outside of the range of the rule, or the alarm of the device. Sensors may come in different reports. */
export function temperature({ params }: Rule, { silenceMs }: Limits): Condition {
  const { minTemperature = Number.NEGATIVE_INFINITY, maxTemperature = Number.POSITIVE_INFINITY, sensor } = params;
  const sensors = sensor === undefined ? TEMPERATURES : [sensor];
  return (fix, memory) => {
    const values = lastNumbers(fix, memory, sensors, silenceMs);
    if (reportsAny(fix, ['temperature'])) return ALARM;
    if (values === undefined) return undefined;
    let isInside = true;
    for (const value of values.values()) {
      if (value < minTemperature || value > maxTemperature) return { on: true, value };
      if (value < minTemperature + HYSTERESIS_C || value > maxTemperature - HYSTERESIS_C) isInside = false;
    }
    return isInside ? OFF : undefined;
  };
}

const ODOMETERS = ['obdOdometer', 'odometer', 'totalDistance'] as const;

export function maintenance({ params }: Rule): Condition {
  const { odometerKm, engineHours, dueAt } = params;
  const names = [...(odometerKm === undefined ? [] : ODOMETERS), ...(engineHours === undefined ? [] : ['hours'])];
  return (fix, memory) => {
    const values = lastNumbers(fix, memory, names, Number.POSITIVE_INFINITY);
    const odometer = ODOMETERS.find((name) => values?.has(name));
    const metres = odometer === undefined ? undefined : values?.get(odometer);
    const workedMs = values?.get('hours');
    const isDue =
      (odometerKm !== undefined && metres !== undefined && metres >= 1_000 * odometerKm) ||
      (engineHours !== undefined && workedMs !== undefined && workedMs >= HOUR_MS * engineHours) ||
      (dueAt !== undefined && fix.at >= dueAt);
    if (isDue) return ON;
    // a report without the value, such as the answer to a command, does not say that it is below
    const isKnown =
      (odometerKm === undefined || metres !== undefined) && (engineHours === undefined || workedMs !== undefined);
    return isKnown ? OFF : undefined;
  };
}

const NOWHERE = { outdated: true, latitude: undefined, longitude: undefined, speed: undefined, course: undefined };

/** The date of a maintenance. */
export function dueByDate({ params: { dueAt } }: Rule): Timed | undefined {
  if (dueAt === undefined) return undefined;
  return {
    isOnce: true,
    next: (after) => (dueAt > after ? dueAt : undefined),
    pass: (at, _, take) => take(at, ON, NOWHERE),
  };
}
