import type { Minute } from '../timeline/timeline.ts';
import type { Draft } from './draft.ts';
import { rankOf } from './findings.ts';
import { lateLevel, weeklyRestLevel } from './grades.ts';
import type { Pause } from './pauses.ts';

export const REDUCED_WEEKLY = 1440;
export const REGULAR_WEEKLY = 2700;
const SIX_DAYS = 6 * 1440;
const TWELVE_DAYS = 12 * 1440;
/** A regular and a reduced rest, after up to twelve days. */
const AFTER_TWELVE_DAYS = REGULAR_WEEKLY + REDUCED_WEEKLY;
/** Below it, a short rest is as severe as one begun half a day late. */
const MIN_GRADED = 20 * 60;

/** A weekly rest in chronological order. */
export interface WeeklyPause {
  readonly pause: Pause;
  readonly minutes: number;
  /** It substitutes a weekly rest, and is too short for one. */
  readonly insufficient: boolean;
  /** It came after more than six days, on an occasional service with passengers. */
  readonly afterTwelveDays: boolean;
}

/** Interrupted on a ferry, a rest is a regular weekly one only where the crossing was long. */
export const weeklyMinutes = ({ minutes, longest, parts, longCrossing }: Pause): number =>
  parts.length > 1 && !longCrossing ? Math.max(longest, Math.min(minutes, REGULAR_WEEKLY - 1)) : minutes;

/**
 * Article 8(6) and (6a): the weekly rests, each begun within six times 24 hours of the end of the one before. Without one,
 * either the next begins too late or a shorter one substitutes it: what makes all findings together least severe.
 */
export function weeklyChain(pauses: readonly Pause[], occasional: boolean): { chain: WeeklyPause[]; drafts: Draft[] } {
  const paths = pathsOf(pauses, occasional);
  const chain: WeeklyPause[] = [];
  const drafts: Draft[] = [];
  for (let step = paths[0]!.step; step !== undefined; step = paths[step.index]!.step) {
    chain.push(step.weekly);
    drafts.push(...step.drafts);
  }
  return { chain, drafts };
}

/** The lightest way from a weekly rest to the end of the data. */
interface Path {
  /** `undefined` at the end. */
  readonly step: Step | undefined;
  /** Findings by grade, the worst first, and minutes. */
  readonly cost: readonly number[];
}

/** By the index of a pause that may be a weekly rest or substitute one, from the last to the first. */
function pathsOf(pauses: readonly Pause[], occasional: boolean): Path[] {
  const paths: Path[] = [];
  let following = pauses.length - 1;
  paths[following] = { step: undefined, cost: [0, 0, 0, 0] };
  for (let index = following - 1; index >= 0; index--) {
    const minutes = weeklyMinutes(pauses[index]!);
    if (index > 0 && minutes < MIN_GRADED) continue;
    for (const step of stepsFrom(pauses, index, following, occasional)) {
      const cost = costOf(step).map((value, at) => value + paths[step.index]!.cost[at]!);
      const other = paths[index];
      if (other === undefined || compare(cost, other.cost) < 0) paths[index] = { step, cost };
    }
    if (minutes >= REDUCED_WEEKLY) following = index;
  }
  return paths;
}

const compare = (a: readonly number[], b: readonly number[]): number => {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index < 0 ? 0 : a[index]! - b[index]!;
};

function costOf({ drafts }: Step): number[] {
  const cost = [0, 0, 0, 0];
  for (const { level, limitMinutes, actualMinutes } of drafts) {
    cost[3 - rankOf(level)]!++;
    cost[3]! += Math.abs(limitMinutes - actualMinutes);
  }
  return cost;
}

/** From one weekly rest to the next, where it came after more than six days by article 8(6a). */
export const tripsOf = (
  chain: readonly WeeklyPause[],
  first: Minute,
): { readonly from: Minute; readonly to: Minute }[] =>
  chain.flatMap(({ afterTwelveDays, pause }, index) =>
    afterTwelveDays ? [{ from: chain[index - 1]?.pause.to ?? first, to: pause.from }] : [],
  );

interface Step {
  readonly weekly: WeeklyPause;
  readonly index: number;
  readonly drafts: readonly Draft[];
}

/** To the weekly rest that follows, and to each rest that substitutes it with less severe a finding than its delay. */
function stepsFrom(pauses: readonly Pause[], from: number, following: number, occasional: boolean): Step[] {
  const before = pauses[from]!;
  const limit = occasional && weeklyMinutes(before) >= REGULAR_WEEKLY ? TWELVE_DAYS : SIX_DAYS;
  const deadline = before.to + limit;
  const pause = pauses[following]!;
  const afterTwelveDays = pause.from > before.to + SIX_DAYS && limit === TWELVE_DAYS;
  const weekly = { pause, minutes: weeklyMinutes(pause), insufficient: false, afterTwelveDays };
  const afterDays = afterTwelveDays ? restAfterTwelveDays(weekly) : [];
  if (pause.from <= deadline) return [{ weekly, index: following, drafts: afterDays }];
  const late = tooLate(before, pause, limit);
  const steps: Step[] = [{ weekly, index: following, drafts: [late, ...afterDays] }];
  for (let index = from + 1; index < following && pauses[index]!.from <= deadline; index++) {
    const short = pauses[index]!;
    const minutes = weeklyMinutes(short);
    const level = weeklyRestLevel(REDUCED_WEEKLY, minutes);
    if (minutes < MIN_GRADED || rankOf(level) >= rankOf(late.level)) continue;
    const substitute = { pause: short, minutes, insufficient: true, afterTwelveDays: false };
    steps.push({ weekly: substitute, index, drafts: [tooShort(short, level)] });
  }
  return steps;
}

const tooLate = (before: Pause, pause: Pause, limit: number): Draft => ({
  rule: 'W1',
  article: limit === TWELVE_DAYS ? '8(6a)' : '8(6)',
  from: before.to,
  to: pause.from,
  limitMinutes: limit,
  actualMinutes: pause.from - before.to,
  level: lateLevel(pause.from - before.to - limit),
  evidence: [
    { kind: 'rest', from: before.from, to: before.to },
    { kind: 'window', from: before.to, to: before.to + limit },
    { kind: 'rest', from: pause.from, to: pause.to },
  ],
});

const tooShort = (pause: Pause, level: Draft['level']): Draft => ({
  rule: 'W2',
  article: '8(6)',
  from: pause.from,
  to: pause.to,
  level,
  limitMinutes: REDUCED_WEEKLY,
  actualMinutes: weeklyMinutes(pause),
  evidence: [{ kind: 'rest', from: pause.from, to: pause.to }],
});

function restAfterTwelveDays({ pause, minutes }: WeeklyPause): Draft[] {
  if (minutes >= AFTER_TWELVE_DAYS) return [];
  return [
    {
      rule: 'W2',
      article: '8(6a)',
      from: pause.from,
      to: pause.to,
      limitMinutes: AFTER_TWELVE_DAYS,
      actualMinutes: minutes,
      level: weeklyRestLevel(AFTER_TWELVE_DAYS, minutes),
      evidence: [{ kind: 'rest', from: pause.from, to: pause.to }],
    },
  ];
}
