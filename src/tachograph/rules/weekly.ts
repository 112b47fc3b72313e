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
const SHORTEST_GRADED = 20 * 60;

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
 * either the next begins too late or a shorter one substitutes it: the less severe of the two.
 */
export function weeklyChain(pauses: readonly Pause[], occasional: boolean): { chain: WeeklyPause[]; drafts: Draft[] } {
  const chain: WeeklyPause[] = [];
  const drafts: Draft[] = [];
  let before = pauses[0]!;
  let index = 1;
  while (index < pauses.length) {
    const step = next(pauses, index, before, occasional);
    const { weekly, draft } = step;
    if (draft !== undefined) drafts.push(draft);
    if (weekly.afterTwelveDays) drafts.push(...restAfterTwelveDays(weekly));
    chain.push(weekly);
    before = weekly.pause;
    index = step.index + 1;
  }
  return { chain, drafts };
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
  readonly draft?: Draft;
}

function next(pauses: readonly Pause[], from: number, before: Pause, occasional: boolean): Step {
  const limit = occasional && weeklyMinutes(before) >= REGULAR_WEEKLY ? TWELVE_DAYS : SIX_DAYS;
  const deadline = before.to + limit;
  let index = from;
  let substitute: number | undefined;
  while (weeklyMinutes(pauses[index]!) < REDUCED_WEEKLY) {
    const pause = pauses[index]!;
    const isLonger = substitute === undefined || weeklyMinutes(pause) > weeklyMinutes(pauses[substitute]!);
    if (pause.from <= deadline && isLonger) substitute = index;
    index++;
  }
  const pause = pauses[index]!;
  const minutes = weeklyMinutes(pause);
  const afterTwelveDays = pause.from > before.to + SIX_DAYS && limit === TWELVE_DAYS;
  const weekly = { pause, minutes, insufficient: false, afterTwelveDays };
  if (pause.from <= deadline) return { weekly, index };
  const late = lateLevel(pause.from - deadline);
  if (substitute !== undefined) {
    const short = pauses[substitute]!;
    const level = weeklyRestLevel(REDUCED_WEEKLY, weeklyMinutes(short));
    if (weeklyMinutes(short) >= SHORTEST_GRADED && rankOf(level) < rankOf(late)) {
      const substituted = { pause: short, minutes: weeklyMinutes(short), insufficient: true, afterTwelveDays: false };
      return { weekly: substituted, index: substitute, draft: tooShort(short, level) };
    }
  }
  const draft: Draft = {
    rule: 'W1',
    article: limit === TWELVE_DAYS ? '8(6a)' : '8(6)',
    from: before.to,
    to: pause.from,
    limitMinutes: limit,
    actualMinutes: pause.from - before.to,
    level: late,
    evidence: [
      { kind: 'rest', from: before.from, to: before.to },
      { kind: 'window', from: before.to, to: deadline },
      { kind: 'rest', from: pause.from, to: pause.to },
    ],
  };
  return { weekly, index, draft };
}

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
