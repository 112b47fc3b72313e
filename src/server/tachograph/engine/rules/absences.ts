import { DAY, type Minute } from '../timeline/timeline.ts';

/** An absence from work. Whole days of any zone, or an interval that a person attests. */
export interface Absence {
  readonly from: Minute;
  readonly to: Minute;
  /** It may be an ordinary weekly rest ("on leave or rest" of the attestation): only working days are certain. */
  readonly mayBeRest?: boolean;
}

/** A day is one of absence if more than half of it is. */
const HALF = DAY / 2;
const WORKING_DAYS = 5;
const DAYS_OF_A_WEEK = 7;

/** 0 Monday to 6 Sunday of a day since 1970. */
const weekdayOf = (day: number): number => (day + 3) % DAYS_OF_A_WEEK;

/**
 * Whether a day (since 1970) is neutral in the average of the working week (Directive 2003/88, article 16(b)): a day of
 * absence without work, and the Saturday and Sunday without work of a week of which all other days are.
 */
export function neutralDays(absences: readonly Absence[], hasWork: (day: number) => boolean): (day: number) => boolean {
  const isAbsent = (day: number): boolean => {
    if (hasWork(day)) return false;
    const [from, to] = [day * DAY, (day + 1) * DAY];
    const covered = absences.reduce(
      (sum, each) =>
        each.mayBeRest && weekdayOf(day) >= WORKING_DAYS
          ? sum
          : sum + Math.max(0, Math.min(to, each.to) - Math.max(from, each.from)),
      0,
    );
    return covered > HALF;
  };
  return (day) => {
    if (isAbsent(day)) return true;
    if (weekdayOf(day) < WORKING_DAYS || hasWork(day)) return false;
    const monday = day - weekdayOf(day);
    return Array.from({ length: WORKING_DAYS }, (_, index) => monday + index).every(isAbsent);
  };
}

/** Neutral days from `from` to before `to`, which are midnights in UTC. */
export function countNeutral(isNeutral: (day: number) => boolean, from: Minute, to: Minute): number {
  let count = 0;
  for (let day = Math.ceil(from / DAY); (day + 1) * DAY <= to; day++) if (isNeutral(day)) count++;
  return count;
}
