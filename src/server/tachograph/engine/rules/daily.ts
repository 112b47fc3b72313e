import type { Minute } from '../timeline/timeline.ts';
import type { DailyRest } from './analysis.ts';
import { rankOf } from './findings.ts';
import { dailyRestLevel } from './grades.ts';
import { type Pause, partWithin } from './pauses.ts';
import { firstAfter, type Segment } from './segments.ts';

/** From the end of one rest to the beginning of the next, with the rest that was due. */
export interface Shift {
  readonly from: Minute;
  readonly to: Minute;
  readonly windowTo: Minute;
  readonly crew: boolean;
  /** Reduced daily rests that were left when it began, of three between weekly rests. */
  readonly reducedLeft: number;
  readonly pause: Pause;
  readonly rest: DailyRest;
  /** The rest closest to the requirement, where no rest was sufficient. */
  readonly shortfall: Shortfall | null;
  /** It would have been enough in a window of an hour more: article 8(2a). Never of a crew. */
  readonly enoughAnHourLater: boolean;
}

export interface Shortfall {
  readonly rule: 'R1' | 'R2' | 'R3';
  /** Evaluated as the second part of a split rest. */
  readonly split: boolean;
  readonly requiredMinutes: number;
  readonly minutes: number;
  /** The rest itself; `null` without one. */
  readonly pause: Pause | null;
}

const HOUR = 60;
const REGULAR = 11 * HOUR;
const REDUCED = 9 * HOUR;
const FIRST_PART = 3 * HOUR;
/** A rest of seven hours ends a daily period even if a longer one was due. */
const ENDS_A_DAY = 7 * HOUR;
const WEEKLY = 24 * HOUR;
export const REDUCED_BETWEEN_WEEKLY = 3;

/** Article 8(2), (4), (5): the daily periods, and the rest of each in the 24 hours (30 of a crew) from its beginning. */
export function shiftsOf(segments: readonly Segment[], pauses: readonly Pause[]): Shift[] {
  const shifts: Shift[] = [];
  let reduced = 0;
  let index = 0;
  while (index < pauses.length - 1) {
    const from = pauses[index]!.to;
    const crew = isCrew(segments, pauses, index + 1);
    const shift = shiftFrom(from, crew, pauses, index + 1, REDUCED_BETWEEN_WEEKLY - reduced);
    shifts.push(shift);
    if (shift.rest.minutes >= WEEKLY) reduced = 0;
    // Article 4(g): a reduced rest has at least nine hours, so that a shorter one uses up none of the three
    else if (shift.rest.kind === 'reduced') reduced++;
    index = pauses.indexOf(shift.pause, index + 1);
  }
  return shifts;
}

/** Article 4(o): two drivers whenever there is driving, but for the first hour. */
function isCrew(segments: readonly Segment[], pauses: readonly Pause[], next: number): boolean {
  const begin = pauses[next - 1]!.to;
  const end = endOfDay(pauses, next).from;
  let together = false;
  for (let index = firstAfter(segments, begin); index < segments.length; index++) {
    const { from, to, kind, crew } = segments[index]!;
    if (from >= end) break;
    if (crew && from <= begin + HOUR) together = true;
    if (kind === 'driving' && !crew && to > begin + HOUR) return false;
  }
  return together;
}

interface Candidate {
  readonly pause: Pause;
  /** Within the window. */
  readonly minutes: number;
  readonly longest: number;
  readonly firstPart: Pause | null;
}

function shiftFrom(from: Minute, crew: boolean, pauses: readonly Pause[], next: number, reducedLeft: number): Shift {
  const windowTo = from + (crew ? 30 : 24) * HOUR;
  const candidates = candidatesOf(from, windowTo, pauses, next);
  const taken = enough(candidates, crew, reducedLeft);
  const shortfall = taken === undefined ? nearest(candidates, crew, reducedLeft) : null;
  const pause = taken?.candidate.pause ?? endOfDay(pauses, next);
  const [kind, requiredMinutes] = taken
    ? ([taken.kind, taken.requiredMinutes] as const)
    : (['insufficient', shortfall!.requiredMinutes] as const);
  const rest: DailyRest = {
    from: pause.from,
    to: pause.open ? null : pause.to,
    minutes: pause.minutes,
    minutesInWindow: partWithin(pause, from, windowTo).minutes,
    unknownMinutes: pause.unknownMinutes,
    kind: pause.open && taken !== undefined ? 'open' : kind,
    firstPart: kind === 'split' && taken?.candidate.firstPart ? spanOf(taken.candidate.firstPart) : null,
    interruptions: pause.parts.length - 1,
    requiredMinutes,
  };
  const enoughAnHourLater =
    shortfall !== null &&
    !crew &&
    enough(candidatesOf(from, windowTo + HOUR, pauses, next), crew, reducedLeft) !== undefined;
  return { from, to: pause.from, windowTo, crew, reducedLeft, pause, rest, shortfall, enoughAnHourLater };
}

/** The rests that begin within the window. */
function candidatesOf(from: Minute, windowTo: Minute, pauses: readonly Pause[], next: number): Candidate[] {
  const candidates: Candidate[] = [];
  let firstPart: Pause | null = null;
  for (let index = next; index < pauses.length && pauses[index]!.from < windowTo; index++) {
    const pause = pauses[index]!;
    candidates.push({ pause, ...partWithin(pause, from, windowTo), firstPart });
    if (firstPart === null && pause.longest >= FIRST_PART) firstPart = pause;
  }
  return candidates;
}

/** The last pause is long enough for any requirement. */
function endOfDay(pauses: readonly Pause[], next: number): Pause {
  let index = next;
  while (pauses[index]!.minutes < ENDS_A_DAY) index++;
  return pauses[index]!;
}

const spanOf = ({ from, to }: Pause): { from: Minute; to: Minute } => ({ from, to });

interface Enough {
  readonly candidate: Candidate;
  readonly kind: DailyRest['kind'];
  readonly requiredMinutes: number;
}

/** The rest that satisfies the law, the best kind first. A reduced rest may not be interrupted. */
function enough(candidates: readonly Candidate[], crew: boolean, reducedLeft: number): Enough | undefined {
  const regular = candidates.find(({ minutes }) => minutes >= REGULAR);
  if (regular !== undefined) {
    return {
      candidate: regular,
      kind: regular.pause.minutes >= WEEKLY ? 'weekly' : 'regular',
      requiredMinutes: REGULAR,
    };
  }
  const split = candidates.find(({ minutes, firstPart }) => firstPart !== null && minutes >= REDUCED);
  if (split !== undefined) return { candidate: split, kind: 'split', requiredMinutes: REDUCED };
  // Article 8(3), (4): a weekly rest is none of the three reduced daily rests between two weekly ones
  const weekly = crew
    ? undefined
    : candidates.find(({ pause, longest }) => longest >= REDUCED && pause.longest >= WEEKLY);
  if (weekly !== undefined) return { candidate: weekly, kind: 'weekly', requiredMinutes: REDUCED };
  const short = candidates.find(({ longest }) => longest >= REDUCED);
  if (short === undefined || (!crew && reducedLeft <= 0)) return undefined;
  return { candidate: short, kind: crew ? 'crew' : 'reduced', requiredMinutes: REDUCED };
}

/** The alternative with the least severe result. */
function nearest(candidates: readonly Candidate[], crew: boolean, reducedLeft: number): Shortfall {
  const longest = pick(candidates, ({ longest }) => longest);
  const minutes = longest?.longest ?? 0;
  const pause = longest?.pause ?? null;
  if (crew) return { rule: 'R3', split: false, requiredMinutes: REDUCED, minutes, pause };
  const second = pick(
    candidates.filter(({ firstPart }) => firstPart !== null),
    (candidate) => candidate.minutes,
  );
  const alternatives: Shortfall[] = [];
  if (second !== undefined) {
    alternatives.push({
      rule: 'R1',
      split: true,
      requiredMinutes: REDUCED,
      minutes: second.minutes,
      pause: second.pause,
    });
  }
  if (reducedLeft > 0) alternatives.push({ rule: 'R1', split: false, requiredMinutes: REDUCED, minutes, pause });
  else
    alternatives.push({
      rule: minutes >= REDUCED ? 'R2' : 'R1',
      split: false,
      requiredMinutes: REGULAR,
      minutes,
      pause,
    });
  const weight = (alternative: Shortfall): number =>
    rankOf(dailyRestLevel(alternative.requiredMinutes, alternative.minutes));
  const lacks = ({ requiredMinutes, minutes }: Shortfall): number => requiredMinutes - minutes;
  return alternatives.reduce((a, b) => ((weight(b) - weight(a) || lacks(b) - lacks(a)) < 0 ? b : a));
}

function pick(candidates: readonly Candidate[], measure: (candidate: Candidate) => number): Candidate | undefined {
  return candidates.reduce<Candidate | undefined>(
    (best, next) => (best === undefined || measure(next) > measure(best) ? next : best),
    undefined,
  );
}
