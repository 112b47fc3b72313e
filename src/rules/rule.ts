import { type Manner, settle } from './episodes.ts';
import { fuelWatch } from './fuel.ts';
import { isWithin } from './hours.ts';
import { type Judge, judgeOf } from './judge.ts';
import { addSample, NO_RUNS, type Runs, type Sample, type Spot } from './runs.ts';
import type { Occurrence, RuleState } from './state.ts';
import { type Fix, type Rule, type RuleType, seconds } from './types.ts';
import { zoneOf } from './zone.ts';

/** s: how long it must last, how long be over */
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
/** Told when it comes about, not when it is found to be so. */
const CHANGES: readonly RuleType[] = ['geofence_enter', 'geofence_exit', 'ignition_on', 'ignition_off'];

export interface Stepped {
  readonly state: RuleState;
  readonly occurrences: readonly Occurrence[];
}

/** A rule made ready: reports in, what is to be told out. Pure, as all of this folder. */
export interface Evaluation {
  /** false: reports are of no matter to it */
  readonly readsReports: boolean;
  readonly manner: Manner;
  step(state: RuleState, fix: Fix): Stepped;
  /** As `step` for each, in the order of their times; what says the same as the one before costs next to nothing. */
  stepAll(state: RuleState, fixes: readonly Fix[]): Stepped;
}

/** Throws RangeError for a zone that there is not. */
export function compile(rule: Rule): Evaluation {
  const judge = judgeOf(rule);
  const watch = rule.type === 'fuel_drain' || rule.type === 'fuel_refill' ? fuelWatch(rule) : undefined;
  const manner = mannerOf(rule);
  const step = (state: RuleState, fix: Fix): Stepped => {
    if (watch !== undefined) {
      const { levels, sample } = watch(state.levels ?? [], fix);
      const known = levels === state.levels ? state : { ...state, levels };
      return sample === undefined ? { state: known, occurrences: [] } : take(known, spotted(sample, fix), manner);
    }
    const verdict = judge?.(fix);
    if (verdict === undefined) return { state, occurrences: [] };
    return take(state, spotted({ ...verdict, at: fix.at }, fix), manner);
  };
  return {
    readsReports: judge !== undefined || watch !== undefined,
    manner,
    step,
    stepAll: (state, fixes) => (judge === undefined ? stepEach(state, fixes, step) : fold(state, fixes, judge, manner)),
  };
}

function stepEach(state: RuleState, fixes: readonly Fix[], step: Evaluation['step']): Stepped {
  const occurrences: Occurrence[] = [];
  let now = state;
  for (const fix of fixes) {
    const stepped = step(now, fix);
    now = stepped.state;
    if (stepped.occurrences.length > 0) occurrences.push(...stepped.occurrences);
  }
  return { state: now, occurrences };
}

/** Of reports in their order that say the same as the last run, the last alone is taken: it says where the run ends. */
function fold(state: RuleState, fixes: readonly Fix[], judge: Judge, manner: Manner): Stepped {
  const occurrences: Occurrence[] = [];
  let now = state;
  let end: Sample | undefined;
  const apply = (sample: Sample): void => {
    const stepped = take(now, sample, manner);
    now = stepped.state;
    if (stepped.occurrences.length > 0) occurrences.push(...stepped.occurrences);
  };
  const flush = (): void => {
    if (end !== undefined) apply(end);
    end = undefined;
  };
  for (const fix of fixes) {
    const verdict = judge(fix);
    if (verdict === undefined) continue;
    const { at } = fix;
    const { on, value, isPulse } = verdict;
    const last = now.main.runs.at(-1);
    if (isPulse !== true && last !== undefined && last.on === on && at >= (end?.at ?? last.to)) {
      const most = end?.value === undefined || (value !== undefined && value > end.value) ? value : end.value;
      end = most === undefined ? { at, on } : { at, on, value: most };
    } else {
      flush();
      apply(spotted({ ...verdict, at }, fix));
    }
  }
  flush();
  return { state: now, occurrences };
}

function mannerOf(rule: Rule): Manner {
  const { type, params, hours, zone, cooldownSeconds } = rule;
  const [dwell, clear] = TIMES[type] ?? [0, 0];
  const clock = zoneOf(zone);
  // of unauthorised use the hours are the condition itself
  const isTold =
    hours === undefined || type === 'unauthorized_use' ? () => true : (at: number) => isWithin(hours, clock, at);
  return {
    dwellMs: seconds(params.dwellSeconds, dwell),
    clearMs: seconds(params.clearSeconds, clear),
    isChange: CHANGES.includes(type),
    cooldownMs: cooldownSeconds * 1_000,
    isTold,
  };
}

function spotted(sample: Omit<Sample, 'spot'>, { latitude, longitude, speed, course, outdated }: Fix): Sample {
  if (!sample.on || outdated || latitude === undefined || longitude === undefined) return sample;
  const spot: Spot = {
    ...{ latitude, longitude },
    ...(speed === undefined ? {} : { speed }),
    ...(course === undefined ? {} : { course }),
  };
  return { ...sample, spot };
}

function take(state: RuleState, sample: Sample, manner: Manner): Stepped {
  const added = addSample(state.main, sample, manner.clearMs);
  if (added.type === 'older') return takeLate(state, sample, manner);
  if (added.next === state.main) return { state, occurrences: [] };
  const next = { ...state, main: added.next };
  return added.type === 'same' && !isReached(next.main, state.main, manner)
    ? told(next)
    : tell(next, next.main, manner);
}

/** Has the last run just lasted long enough? */
function isReached(now: Runs, before: Runs, { dwellMs }: Manner): boolean {
  const run = now.runs.at(-1)!;
  const was = before.runs.at(-1)!;
  return run.on && dwellMs > 0 && was.to - run.from < dwellMs;
}

/** What comes after everything around it was forgotten makes runs of its own. */
function takeLate(state: RuleState, sample: Sample, manner: Manner): Stepped {
  const added = addSample(state.late ?? NO_RUNS, sample, manner.clearMs);
  const anew = added.type === 'older' ? addSample(NO_RUNS, sample, manner.clearMs) : added;
  if (anew.type === 'older') return told(state);
  const next = { ...state, late: anew.next };
  return tell(next, anew.next, manner);
}

const told = (state: RuleState): Stepped => ({ state, occurrences: [] });

function tell(state: RuleState, lane: Runs, manner: Manner): Stepped {
  const { alarms, occurrences } = settle(state, lane, manner);
  return { state: { ...state, alarms }, occurrences };
}
