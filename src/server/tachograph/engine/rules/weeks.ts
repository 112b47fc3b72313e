import type { Minute } from '../timeline/timeline.ts';
import type { Draft } from './draft.ts';
import { type Derogation, rankOf } from './findings.ts';
import { weeklyRestLevel } from './grades.ts';
import type { Pause } from './pauses.ts';
import { firstAfter, WEEK, weekOf } from './segments.ts';
import { REDUCED_WEEKLY, REGULAR_WEEKLY, type WeeklyPause, weeklyMinutes } from './weekly.ts';

/** The role of a week's rest. */
export interface WeekRole {
  readonly week: Minute;
  /** The longest rest of a week without a weekly rest; `null` without any rest. */
  readonly rest: WeeklyPause | null;
  readonly role: 'regular' | 'reduced';
  /** Second of two reduced ones in a row, by the derogation for international transport of goods. */
  readonly derogated: boolean;
  /** Within up to twelve days of an occasional service no rest is due. */
  readonly excused: boolean;
}

/** Two regular rests fit into it: it counts for both of the weeks that it lies in. */
const TWO_REGULAR = 2 * REGULAR_WEEKLY;

/**
 * Article 8(6) and (9): which rest counts for which week, so that the total is least severe. Of two weeks that follow each
 * other one has a regular rest, where `mayFollow` does not allow two reduced ones; a rest over the end of a week counts
 * for one of the two.
 */
export function weekRoles(
  chain: readonly WeeklyPause[],
  pauses: readonly Pause[],
  span: { readonly from: Minute; readonly to: Minute },
  mayFollow: (first: WeeklyPause, second: WeeklyPause) => boolean,
): WeekRole[] {
  let paths: readonly Path[] = [{ recent: [], before: null, cost: [0, 0, 0, 0], right: false }];
  for (let week = weekOf(span.from); week < span.to; week += WEEK) {
    const offers = offersOf(week, chain);
    const instead = longestIn(week, pauses);
    const lightest = new Map<string, Path>();
    for (const path of paths) {
      for (const next of stepsOf(path, week, { ...offers, instead }, mayFollow)) {
        const key = next.right + next.recent.map(({ role }) => role).join();
        const other = lightest.get(key);
        if (other === undefined || compare(next.cost, other.cost) < 0) lightest.set(key, next);
      }
    }
    paths = [...lightest.values()];
  }
  const roles: WeekRole[] = [];
  let path: Path | null = paths.reduce((a, b) => (compare(b.cost, a.cost) < 0 ? b : a));
  for (; path !== null; path = path.before) roles.push(...path.recent.slice(-1));
  return roles.reverse();
}

interface Path {
  /** Of the last three weeks; those before are in the paths before. */
  readonly recent: readonly WeekRole[];
  readonly before: Path | null;
  /** Findings by grade, the worst first, and minutes too few. */
  readonly cost: readonly number[];
  /** The rest over the end of the last week counts for the next. */
  readonly right: boolean;
}

const compare = (a: readonly number[], b: readonly number[]): number => {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index < 0 ? 0 : a[index]! - b[index]!;
};

/** The rests of a week: its own, and those over its beginning and end, which may count for the other week. */
interface Offers {
  readonly own: WeeklyPause | null;
  readonly into: WeeklyPause | null;
  readonly across: WeeklyPause | null;
  /** Within up to twelve days of an occasional service no rest is due. */
  readonly excused: boolean;
}

function offersOf(week: Minute, chain: readonly WeeklyPause[]): Offers {
  const end = week + WEEK;
  let own: WeeklyPause | null = null;
  let into: WeeklyPause | null = null;
  let across: WeeklyPause | null = null;
  for (const rest of chain) {
    const { from, to, open } = rest.pause;
    if (from >= end) break;
    if (to <= week) continue;
    const isOwn = (from >= week && to <= end) || open || rest.minutes >= TWO_REGULAR || to - from > WEEK;
    if (isOwn) own = longer(own, rest);
    else if (from < week) into = rest;
    else across = rest;
  }
  const excused = chain.some(
    ({ afterTwelveDays, pause }, index) =>
      afterTwelveDays && pause.from > week && (chain[index - 1]?.pause.to ?? week) < end,
  );
  return { own, into, across, excused };
}

/** A rest that begins in the week and is not a weekly rest by itself. */
function longestIn(week: Minute, pauses: readonly Pause[]): WeeklyPause | null {
  let longest: Pause | null = null;
  for (let index = firstAfter(pauses, week); index < pauses.length && pauses[index]!.from < week + WEEK; index++) {
    const pause = pauses[index]!;
    if (pause.from < week || weeklyMinutes(pause) >= REDUCED_WEEKLY) continue;
    if (longest === null || weeklyMinutes(pause) > weeklyMinutes(longest)) longest = pause;
  }
  if (longest === null) return null;
  return { pause: longest, minutes: weeklyMinutes(longest), insufficient: false, afterTwelveDays: false };
}

/** There is not even a substitute for a weekly rest. */
const isMissing = (rest: WeeklyPause | null): boolean =>
  rest === null || (rest.minutes < REDUCED_WEEKLY && !rest.insufficient);

const longer = (a: WeeklyPause | null, b: WeeklyPause | null): WeeklyPause | null =>
  a === null || (b !== null && b.minutes > a.minutes) ? b : a;

function* stepsOf(
  path: Path,
  week: Minute,
  { own, into, across, excused, instead }: Offers & { readonly instead: WeeklyPause | null },
  mayFollow: (first: WeeklyPause, second: WeeklyPause) => boolean,
): Generator<Path> {
  for (const right of across === null ? [false] : [false, true]) {
    const weekly = longer(longer(own, path.right ? into : null), right ? null : across);
    const rest = weekly ?? instead;
    for (const role of ['regular', 'reduced'] as const) {
      const before = path.recent.at(-1);
      const follows = role === 'reduced' && before?.role === 'reduced';
      if (follows && (before.rest === null || rest === null || !mayFollow(before.rest, rest))) continue;
      const next: WeekRole = { week, rest, role, derogated: follows, excused: weekly === null && excused };
      const lastFour = [...path.recent, next];
      const hasPair = lastFour.some(({ derogated }, index) => derogated && index > 0);
      if (hasPair && lastFour.filter((one) => one.role === 'reduced').length > 2) continue;
      const cost = add(path.cost, next);
      yield { recent: lastFour.slice(-3), before: path, cost, right };
    }
  }
}

/** The severity of a role: a substitute rest has its own finding already. */
export function shortOf({ rest, role, excused }: WeekRole): { required: number; minutes: number } | null {
  const required = role === 'regular' ? REGULAR_WEEKLY : REDUCED_WEEKLY;
  const minutes = rest?.minutes ?? 0;
  if (excused || minutes >= required || (role === 'reduced' && rest?.insufficient)) return null;
  return { required, minutes };
}

function add(cost: readonly number[], role: WeekRole): readonly number[] {
  const short = shortOf(role);
  if (short === null) return cost;
  const sum = [...cost];
  sum[3 - rankOf(weeklyRestLevel(short.required, short.minutes))]!++;
  sum[3]! += short.required - short.minutes;
  return sum;
}

/** W2 of weeks: the rest is too short for its role, or missing. A rest that began very late has its finding already. */
export function weeklyRests(
  roles: readonly WeekRole[],
  drafts: readonly Draft[],
  derogation: Derogation | undefined,
): Draft[] {
  return roles.flatMap((role): Draft[] => {
    const short = shortOf(role);
    const { week, rest } = role;
    if (short === null) return [];
    const isReported = ({ rule, level, from, to }: Draft): boolean =>
      rule === 'W1' && level === 'VSI' && from < week + WEEK && to > week;
    if (isMissing(rest) && drafts.some(isReported)) return [];
    const [from, to] = rest === null ? [week, week + WEEK] : [rest.pause.from, rest.pause.to];
    return [
      {
        rule: 'W2',
        article: '8(6)',
        from,
        to,
        limitMinutes: short.required,
        actualMinutes: short.minutes,
        level: weeklyRestLevel(short.required, short.minutes),
        evidence: [{ kind: rest === null ? 'window' : 'rest', from, to }],
        ...(short.minutes >= REDUCED_WEEKLY && derogation && { derogation }),
      },
    ];
  });
}
