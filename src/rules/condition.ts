import { metresOutside } from './area.ts';
import { isWithin } from './hours.ts';
import type { Sample } from './runs.ts';
import type { Fix, Rule, RuleType } from './types.ts';
import { zoneOf } from './zone.ts';

/** Evaluates a report; undefined: the report says nothing about the condition. */
export type Condition = (fix: Fix) => Omit<Sample, 'at' | 'spot'> | undefined;

const ON = { on: true } as const;
const OFF = { on: false } as const;
const ALARM = { on: true, sure: true, isPulse: true } as const;

const isLocated = (fix: Fix): boolean => fix.valid && !fix.outdated && fix.latitude !== undefined;

const NO_ALARMS: readonly string[] = [];

function alarmsOf(fix: Fix): readonly string[] {
  if (!fix.mentions('alarm')) return NO_ALARMS;
  const alarm = fix.attributes()['alarm'];
  return typeof alarm === 'string' ? alarm.split(',') : [];
}

function numberOf(fix: Fix, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    if (!fix.mentions(name)) continue;
    const value = fix.attributes()[name];
    if (typeof value === 'number') return value;
  }
  return undefined;
}

function isMoving(fix: Fix, minSpeedKmh: number): boolean | undefined {
  if (isLocated(fix) && fix.speed !== undefined) return fix.speed >= minSpeedKmh;
  const motion = fix.attributes()['motion'];
  return typeof motion === 'boolean' ? motion : undefined;
}

function useOutsideHours({ params, hours = {}, zone }: Rule): Condition {
  const clock = zoneOf(zone);
  const { minSpeedKmh = 5 } = params;
  return (fix) => {
    const moving = isMoving(fix, minSpeedKmh);
    if (moving === undefined) return undefined;
    return moving && !isWithin(hours, clock, fix.at) ? ON : OFF;
  };
}

function overspeed({ params }: Rule): Condition {
  const { limitKmh, useRoadLimit = limitKmh === undefined, hysteresisKmh = 3 } = params;
  return (fix) => {
    if (!isLocated(fix) || fix.speed === undefined) return undefined;
    const road = useRoadLimit ? numberOf(fix, 'speedLimit') : undefined;
    const limit = Math.min(road ?? Number.POSITIVE_INFINITY, limitKmh ?? Number.POSITIVE_INFINITY);
    if (fix.speed > limit) return { on: true, value: fix.speed };
    return fix.speed <= limit - hysteresisKmh || limit === Number.POSITIVE_INFINITY ? OFF : undefined;
  };
}

function geofence({ areas, params }: Rule, isOn: 'inside' | 'outside'): Condition {
  const { hysteresisM = 25 } = params;
  return (fix) => {
    if (!isLocated(fix) || fix.longitude === undefined) return undefined;
    let outside = Number.POSITIVE_INFINITY;
    for (const area of areas) outside = Math.min(outside, metresOutside(area, fix.latitude!, fix.longitude));
    if (outside > 0 && outside < hysteresisM) return undefined;
    return { on: outside <= 0 === (isOn === 'inside') };
  };
}

const ignition =
  (wanted: boolean): Condition =>
  (fix) =>
    fix.ignition === undefined ? undefined : { on: fix.ignition === wanted };

function tow({ params }: Rule): Condition {
  const { minSpeedKmh = 8 } = params;
  return (fix) => {
    if (alarmsOf(fix).includes('tow')) return ALARM;
    if (fix.ignition === undefined) return undefined;
    if (fix.ignition) return OFF;
    const moving = isMoving(fix, minSpeedKmh);
    return moving === undefined ? undefined : { on: moving };
  };
}

const sos: Condition = (fix) => (alarmsOf(fix).includes('sos') ? ALARM : OFF);

/** A level that the device reports as a number or as an alarm. */
function tooLow(
  names: { readonly alarms: readonly string[]; readonly over: readonly string[]; readonly level: string },
  least: number,
  hysteresis: number,
): Condition {
  return (fix) => {
    const alarms = alarmsOf(fix);
    if (alarms.some((alarm) => names.alarms.includes(alarm))) return ALARM;
    const level = numberOf(fix, names.level);
    if (level !== undefined && level < least) return { on: true };
    if (level !== undefined && level >= least + hysteresis) return OFF;
    return alarms.some((alarm) => names.over.includes(alarm)) ? OFF : undefined;
  };
}

function maintenance({ params }: Rule): Condition {
  const { odometerKm, engineHours, dueAt } = params;
  return (fix) => {
    const km = (numberOf(fix, 'obdOdometer', 'odometer', 'totalDistance') ?? Number.NaN) / 1_000;
    const hours = (numberOf(fix, 'hours') ?? Number.NaN) / 3_600_000;
    const isDue =
      (odometerKm !== undefined && km >= odometerKm) ||
      (engineHours !== undefined && hours >= engineHours) ||
      (dueAt !== undefined && fix.at >= dueAt);
    return isDue ? ON : OFF;
  };
}

/** Types that are not evaluated report by report. */
export type OtherType = Extract<
  RuleType,
  'fuel_drain' | 'fuel_refill' | 'device_offline' | 'command_result' | 'ddd_due' | 'infringement'
>;

const conditions: Readonly<Record<Exclude<RuleType, OtherType>, (rule: Rule) => Condition>> = {
  unauthorized_use: useOutsideHours,
  overspeed,
  geofence_enter: (rule) => geofence(rule, 'inside'),
  geofence_exit: (rule) => geofence(rule, 'outside'),
  ignition_on: () => ignition(true),
  ignition_off: () => ignition(false),
  tow,
  sos: () => sos,
  power_cut: ({ params }) =>
    tooLow(
      { alarms: ['powerCut', 'powerOff'], over: ['powerRestored', 'powerOn'], level: 'power' },
      params.minVolts ?? 5,
      1,
    ),
  low_battery: ({ params }) =>
    tooLow({ alarms: ['lowBattery', 'lowPower'], over: [], level: 'batteryLevel' }, params.minPercent ?? 20, 5),
  maintenance,
};

export const conditionOf = (rule: Rule): Condition | undefined =>
  Object.hasOwn(conditions, rule.type) ? conditions[rule.type as keyof typeof conditions](rule) : undefined;
