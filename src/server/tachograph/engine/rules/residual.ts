import type { Minute, Timeline } from '../timeline/timeline.ts';
import type { AnalysisOptions } from './analysis.ts';
import { REDUCED_BETWEEN_WEEKLY, type Shift } from './daily.ts';
import {
  BREAK_AFTER,
  DAY_LIMIT,
  EXTENDED_LIMIT,
  EXTENSIONS,
  FORTNIGHT_LIMIT,
  stretchesOf,
  WEEK_LIMIT,
} from './driving.ts';
import { type RuleInput, ruleInputOf } from './rule-input.ts';
import { totalsOf, WEEK, weekOf, within, workingTimeOf } from './segments.ts';
import { REDUCED_WEEKLY, REGULAR_WEEKLY } from './weekly.ts';

/** Limits, each from its least to its greatest value, in minutes. */
export type ResidualRange = Readonly<
  Record<'drivableNow' | 'continuous' | 'daily' | 'week' | 'fortnight', { readonly min: number; readonly max: number }>
>;

/** Remaining allowance of a driver. Lengths in minutes, never negative. */
export interface Residual {
  readonly at: Minute;
  /** End of the known data. The time between it and `at` counts neither as rest nor as driving. */
  readonly asOf: Minute;
  /**
   * `known`: the data reach up to `at`. `assumed`: they end with a rest, which is taken to go on. `unknown`: they end with
   * another activity, and what remains is in `range` only.
   */
  readonly basis: 'known' | 'assumed' | 'unknown';
  /** Of a driver who has driven or worked since `asOf`, up to one who has rested; `null` where the data reach up to `at`. */
  readonly range: ResidualRange | null;
  /** The minimum of the following limits. */
  readonly drivableNow: number;
  readonly continuous: { readonly used: number; readonly left: number; readonly nextBreak: 30 | 45 };
  readonly daily: {
    readonly limit: 540 | 600;
    readonly used: number;
    readonly left: number;
    readonly extensionsLeft: number;
  };
  readonly week: { readonly used: number; readonly left: number };
  readonly fortnight: { readonly used: number; readonly left: number };
  /** `null`: the driver is rested, and the next day begins with the next activity. */
  readonly shift: { readonly startedAt: Minute; readonly latestEnd: Minute; readonly crew: boolean } | null;
  readonly dailyRest: { readonly dueAt: Minute | null; readonly minimum: 540 | 660; readonly reducedLeft: number };
  readonly weeklyRest: { readonly dueAt: Minute | null; readonly minimum: 1440 | 2700 };
  /** Compensation due for reduced weekly rests, with deadlines. */
  readonly compensation: readonly { readonly minutes: number; readonly dueBy: Minute }[];
  readonly workingTime: { readonly weekUsed: number; readonly weekLeft: number };
  /** Of the shift and the rest before it: time without data that counts as rest. */
  readonly unknownMinutes: number;
}

const MAX_WORK = 3600;
const SIX_DAYS = 8640;

/** Remaining driving and the rests that are due at `at`. */
export function residual(timeline: Timeline, at: Minute, options: AnalysisOptions): Residual {
  const known = timeline.intervals.findLast(({ activity, from }) => activity !== 'unknown' && from < at);
  const asOf = Math.min(at, known?.to ?? timeline.from);
  const past = until(timeline, asOf);
  const basis = asOf === at ? 'known' : known?.activity === 'rest' ? 'assumed' : 'unknown';
  return { ...residualOf(past, { asOf, at }, options), basis, range: asOf === at ? null : rangeOf(past, at, options) };
}

/** The activities that leave least and most: driving or other work since the data end, and rest. */
const POSSIBLE = ['driving', 'work', 'rest'] as const;

function rangeOf(past: Timeline, at: Minute, options: AnalysisOptions): ResidualRange {
  const cases = POSSIBLE.map((activity) => {
    const since = { from: past.to, to: at, activity, slot: 'driver', crew: false, source: 'none' } as const;
    return residualOf({ ...past, to: at, intervals: [...past.intervals, since] }, { asOf: at, at }, options);
  });
  const between = (of: (one: (typeof cases)[number]) => number) => {
    const values = cases.map(of);
    return { min: Math.min(...values), max: Math.max(...values) };
  };
  return {
    drivableNow: between(({ drivableNow }) => drivableNow),
    continuous: between(({ continuous }) => continuous.left),
    daily: between(({ daily }) => daily.left),
    week: between(({ week }) => week.left),
    fortnight: between(({ fortnight }) => fortnight.left),
  };
}

function residualOf(
  timeline: Timeline,
  { asOf, at }: { readonly asOf: Minute; readonly at: Minute },
  options: AnalysisOptions,
): Omit<Residual, 'basis' | 'range'> {
  const ruleInput = ruleInputOf(timeline, options);
  const day = dayAt(ruleInput, asOf, at);
  const continuous = continuousAt(ruleInput, options);
  const { week, fortnight } = weekAt(ruleInput, at);
  const weekly = weeklyRestAt(ruleInput, asOf, at);
  const weekUsed = workingTimeOf(
    totalsOf(ruleInput.segments, weekOf(at), weekOf(at) + WEEK),
    options.availabilityAsWork ?? false,
  );
  const limits = [continuous.left, day.daily.left, week.left, fortnight.left];
  if (day.shift !== null) limits.push(day.shift.latestEnd - at);
  if (weekly.weeklyRest.dueAt !== null) limits.push(weekly.weeklyRest.dueAt - at);
  return {
    at,
    asOf,
    continuous,
    week,
    fortnight,
    ...day,
    ...weekly,
    drivableNow: Math.max(0, Math.min(...limits)),
    workingTime: { weekUsed, weekLeft: Math.max(0, MAX_WORK - weekUsed) },
  };
}

function until(timeline: Timeline, to: Minute): Timeline {
  const intervals = timeline.intervals
    .filter(({ from }) => from < to)
    .map((interval) => (interval.to <= to ? interval : { ...interval, to }));
  const conditions = timeline.conditions
    .filter(({ from }) => from < to)
    .map((condition) => (condition.to !== null && condition.to > to ? { ...condition, to: null } : condition));
  return { ...timeline, to, intervals, conditions };
}

/** Enough rest for a new day to begin. */
const isRested = ({ crew, reducedLeft }: Shift, rested: number, hasFirstPart: boolean): boolean =>
  rested >= (crew || hasFirstPart || reducedLeft > 0 ? 540 : 660);

function dayAt({ shifts, days, segments, pauses }: RuleInput, asOf: Minute, at: Minute) {
  const shift = shifts.at(-1);
  const rested = asOf - (pauses.at(-1)?.from ?? asOf);
  const hasFirstPart = shift !== undefined && firstPartOf(shift, pauses);
  const isNewDay = shift === undefined || isRested(shift, rested, hasFirstPart);
  const current = isNewDay ? undefined : days.at(-1);
  const week = weekOf(current?.from ?? at);
  const longDays = days.filter((one) => one !== current && one.driving > DAY_LIMIT && weekOf(one.from) === week).length;
  const used = current?.driving ?? 0;
  const limit = longDays < EXTENSIONS ? EXTENDED_LIMIT : DAY_LIMIT;
  const extensionsLeft = Math.max(0, EXTENSIONS - longDays - (used > DAY_LIMIT ? 1 : 0));
  const reducedLeft = isNewDay ? reducedAfter(shift, rested, hasFirstPart) : shift.reducedLeft;
  const minimum: 540 | 660 = (!isNewDay && (shift.crew || hasFirstPart)) || reducedLeft > 0 ? 540 : 660;
  const latestEnd = (shift?.windowTo ?? at) - minimum;
  const begun = isNewDay ? null : { startedAt: shift.from, latestEnd, crew: shift.crew };
  const before = pauses.findLast(({ to }) => to <= (shift?.from ?? asOf));
  return {
    daily: { limit, used, left: Math.max(0, limit - used), extensionsLeft } as const,
    shift: begun,
    dailyRest: { dueAt: begun === null ? null : latestEnd, minimum, reducedLeft },
    unknownMinutes: (shift ? totalsOf(segments, shift.from, asOf).unknown : 0) + (before?.unknownMinutes ?? 0),
  };
}

const firstPartOf = (
  { from }: Shift,
  pauses: readonly { from: Minute; to: Minute; minutes: number; open: boolean }[],
) => pauses.some((pause) => pause.from >= from && !pause.open && pause.minutes >= 180);

/** Including the current rest. */
function reducedAfter(shift: Shift | undefined, rested: number, hasFirstPart: boolean): number {
  if (shift === undefined || rested >= REDUCED_WEEKLY) return REDUCED_BETWEEN_WEEKLY;
  const isReduced = !shift.crew && !hasFirstPart && rested < 660;
  return Math.max(0, shift.reducedLeft - (isReduced ? 1 : 0));
}

function continuousAt({ segments, shifts }: RuleInput, { service }: AnalysisOptions): Residual['continuous'] {
  const last = shifts.at(-1);
  const own = last === undefined ? [] : within(segments, last.from, Number.POSITIVE_INFINITY);
  const { current } = stretchesOf(own, service === 'occasional-passengers');
  const left = Math.max(0, BREAK_AFTER - current.driving);
  return { used: current.driving, left, nextBreak: current.hasFirstPart ? 30 : 45 };
}

function weekAt({ segments }: RuleInput, at: Minute): Pick<Residual, 'week' | 'fortnight'> {
  const monday = weekOf(at);
  const used = totalsOf(segments, monday, monday + WEEK).driving;
  const both = used + totalsOf(segments, monday - WEEK, monday).driving;
  const fortnight = { used: both, left: Math.max(0, FORTNIGHT_LIMIT - both) };
  return { week: { used, left: Math.max(0, Math.min(WEEK_LIMIT - used, fortnight.left)) }, fortnight };
}

function weeklyRestAt({ chain, pauses, roles, debts }: RuleInput, asOf: Minute, at: Minute) {
  const now = pauses.at(-1);
  const isResting = now !== undefined && asOf - now.from >= REDUCED_WEEKLY;
  const before = chain.findLast(({ pause }) => pause !== now)?.pause ?? pauses[0];
  const dueAt = isResting || before === undefined ? null : before.to + SIX_DAYS;
  const week = weekOf(dueAt ?? at);
  const role = roles.find((one) => one.week === week - WEEK);
  const wasReduced = role !== undefined && (role.rest === null || role.rest.minutes < REGULAR_WEEKLY);
  const minimum: 1440 | 2700 = wasReduced ? REGULAR_WEEKLY : REDUCED_WEEKLY;
  const open = debts.filter(({ compensation: { takenFrom } }) => takenFrom === null || takenFrom === now?.from);
  return {
    weeklyRest: { dueAt, minimum } as const,
    compensation: open.map(({ compensation: { minutes, dueBy } }) => ({ minutes, dueBy })),
  };
}
