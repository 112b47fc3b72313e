import { type Condition, conditionOf } from './condition.ts';
import { type AlarmSettings, settle } from './episodes.ts';
import { fuelWatch } from './fuel.ts';
import { isWithin } from './hours.ts';
import { addSample, NO_RUNS, type Runs, type Sample, type Spot } from './runs.ts';
import type { AlarmEvent, RuleState } from './state.ts';
import { type Fix, type Rule, type RuleType, seconds } from './types.ts';
import { zoneOf } from './zone.ts';

/** s: minimum duration, and minimum gap before the next alarm */
const TIMES: Readonly<Partial<Record<RuleType, readonly [number, number]>>> = {
  unauthorized_use: [0, 300],
  overspeed: [0, 30],
  geofence_enter: [0, 60],
  geofence_exit: [0, 60],
  tow: [10, 300],
  sos: [0, 60],
  power_cut: [0, 60],
  low_battery: [0, 3_600],
  fuel_drain: [0, 900],
  fuel_refill: [0, 900],
};
/** Alarms on a transition, not on a state. */
const CHANGES: readonly RuleType[] = ['geofence_enter', 'geofence_exit', 'ignition_on', 'ignition_off'];

export interface Stepped {
  readonly state: RuleState;
  readonly events: readonly AlarmEvent[];
}

/** A compiled rule: takes reports, returns alarm events. Pure, as all of this folder. */
export interface Evaluation {
  /** false: the rule does not use reports */
  readonly readsReports: boolean;
  readonly settings: AlarmSettings;
  step(state: RuleState, fix: Fix): Stepped;
  /** Same as `step` for each, in the order of their times; a report that changes nothing is cheap. */
  stepAll(state: RuleState, fixes: readonly Fix[]): Stepped;
}

/** Throws RangeError for an unknown time zone. */
export function compile(rule: Rule): Evaluation {
  const condition = conditionOf(rule);
  const watch = rule.type === 'fuel_drain' || rule.type === 'fuel_refill' ? fuelWatch(rule) : undefined;
  const settings = alarmSettingsOf(rule);
  const step = (state: RuleState, fix: Fix): Stepped => {
    if (watch !== undefined) {
      const { levels, sample } = watch(state.levels ?? [], fix);
      const known = levels === state.levels ? state : { ...state, levels };
      return sample === undefined ? { state: known, events: [] } : take(known, spotted(sample, fix), settings);
    }
    const result = condition?.(fix);
    if (result === undefined) return { state, events: [] };
    return take(state, spotted({ ...result, at: fix.at }, fix), settings);
  };
  return {
    readsReports: condition !== undefined || watch !== undefined,
    settings,
    step,
    stepAll: (state, fixes) =>
      condition === undefined ? stepEach(state, fixes, step) : fold(state, fixes, condition, settings),
  };
}

function stepEach(state: RuleState, fixes: readonly Fix[], step: Evaluation['step']): Stepped {
  const events: AlarmEvent[] = [];
  let now = state;
  for (const fix of fixes) {
    const stepped = step(now, fix);
    now = stepped.state;
    if (stepped.events.length > 0) events.push(...stepped.events);
  }
  return { state: now, events };
}

/** Of consecutive reports that extend the last run, only the last one is applied: it sets the end of the run. */
function fold(state: RuleState, fixes: readonly Fix[], condition: Condition, settings: AlarmSettings): Stepped {
  const events: AlarmEvent[] = [];
  let now = state;
  let end: Sample | undefined;
  const apply = (sample: Sample): void => {
    const stepped = take(now, sample, settings);
    now = stepped.state;
    if (stepped.events.length > 0) events.push(...stepped.events);
  };
  const flush = (): void => {
    if (end !== undefined) apply(end);
    end = undefined;
  };
  for (const fix of fixes) {
    const result = condition(fix);
    if (result === undefined) continue;
    const { at } = fix;
    const { on, value, isPulse } = result;
    const last = now.main.runs.at(-1);
    if (isPulse !== true && last !== undefined && last.on === on && at >= (end?.at ?? last.to)) {
      const most = end?.value === undefined || (value !== undefined && value > end.value) ? value : end.value;
      end = most === undefined ? { at, on } : { at, on, value: most };
    } else {
      flush();
      apply(spotted({ ...result, at }, fix));
    }
  }
  flush();
  return { state: now, events };
}

function alarmSettingsOf(rule: Rule): AlarmSettings {
  const { type, params, hours, zone, cooldownSeconds } = rule;
  const [dwell, clear] = TIMES[type] ?? [0, 0];
  const clock = zoneOf(zone);
  // for unauthorized use the hours are part of the condition
  const notifiesAt =
    hours === undefined || type === 'unauthorized_use' ? () => true : (at: number) => isWithin(hours, clock, at);
  return {
    dwellMs: seconds(params.dwellSeconds, dwell),
    clearMs: seconds(params.clearSeconds, clear),
    isChange: CHANGES.includes(type),
    cooldownMs: cooldownSeconds * 1_000,
    notifiesAt,
  };
}

function spotted(sample: Omit<Sample, 'spot'>, { latitude, longitude, speed, course, outdated }: Fix): Sample {
  if (!sample.on || outdated || latitude === undefined || longitude === undefined) return sample;
  const spot: Spot = {
    latitude,
    longitude,
    ...(speed === undefined ? {} : { speed }),
    ...(course === undefined ? {} : { course }),
  };
  return { ...sample, spot };
}

function take(state: RuleState, sample: Sample, settings: AlarmSettings): Stepped {
  const added = addSample(state.main, sample, settings.clearMs);
  if (added.type === 'older') return takeLate(state, sample, settings);
  if (added.next === state.main) return { state, events: [] };
  const next = { ...state, main: added.next };
  return added.type === 'same' && !isReached(next.main, state.main, settings)
    ? withoutEvents(next)
    : withEvents(next, next.main, settings);
}

/** Has the last run just reached the minimum duration? */
function isReached(now: Runs, before: Runs, { dwellMs }: AlarmSettings): boolean {
  const run = now.runs.at(-1)!;
  const was = before.runs.at(-1)!;
  return run.on && dwellMs > 0 && was.to - run.from < dwellMs;
}

/** A report older than all retained runs goes to separate runs. */
function takeLate(state: RuleState, sample: Sample, settings: AlarmSettings): Stepped {
  const added = addSample(state.late ?? NO_RUNS, sample, settings.clearMs);
  const lateRuns = added.type === 'older' ? addSample(NO_RUNS, sample, settings.clearMs) : added;
  if (lateRuns.type === 'older') return withoutEvents(state);
  const next = { ...state, late: lateRuns.next };
  return withEvents(next, lateRuns.next, settings);
}

const withoutEvents = (state: RuleState): Stepped => ({ state, events: [] });

function withEvents(state: RuleState, history: Runs, settings: AlarmSettings): Stepped {
  const { alarms, events } = settle(state, history, settings);
  return { state: { ...state, alarms }, events };
}
