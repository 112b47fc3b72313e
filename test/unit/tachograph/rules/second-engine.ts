/**
 * A second engine for Regulation 561/2006, written from the text of articles 4, 6, 7 and 8 and without the code of the
 * rules: it works minute by minute on an array. One driver, goods, time without gaps, no ferries.
 */
export type Minutes = Uint8Array;
export const REST = 0;
export const WORK = 1;
export const DRIVING = 2;

export interface Breach {
  readonly rule: 'D1' | 'D2' | 'D3' | 'B1' | 'R';
  /** minutes after the first Monday */
  readonly at: number;
  readonly measured: number;
}

const HOUR = 60;
const WEEK = 7 * 24 * HOUR;

interface Run {
  readonly from: number;
  readonly to: number;
}

/** Uninterrupted rests in the order of time. The time before and after the data is rest without an end. */
function restsOf(minutes: Minutes): Run[] {
  const runs: Run[] = [];
  let from = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < minutes.length; at++) {
    if (minutes[at] === REST) {
      if (Number.isNaN(from)) from = at;
    } else if (!Number.isNaN(from)) {
      runs.push({ from, to: at });
      from = Number.NaN;
    }
  }
  runs.push({ from: Number.isNaN(from) ? minutes.length : from, to: Number.POSITIVE_INFINITY });
  return runs;
}

const drivingIn = (minutes: Minutes, from: number, to: number): number => {
  let sum = 0;
  for (let at = Math.max(0, from); at < Math.min(to, minutes.length); at++) if (minutes[at] === DRIVING) sum++;
  return sum;
};

/** Article 6(2) and (3). */
export function weeklyBreaches(minutes: Minutes): Breach[] {
  const found: Breach[] = [];
  for (let week = 0; week < minutes.length; week += WEEK) {
    const own = drivingIn(minutes, week, week + WEEK);
    if (own > 56 * HOUR) found.push({ rule: 'D2', at: week, measured: own });
    const both = own + drivingIn(minutes, week - WEEK, week);
    if (both > 90 * HOUR) found.push({ rule: 'D3', at: week - WEEK, measured: both });
  }
  return found;
}

/**
 * Article 7: after four and a half hours of driving a break of 45 minutes, or one of 15 followed by one of 30, both
 * distributed over that driving.
 */
export function breakBreaches(minutes: Minutes): Breach[] {
  const found: Breach[] = [];
  let [driven, first, part] = [0, 0, false];
  const close = (): void => {
    if (driven > 4.5 * HOUR) found.push({ rule: 'B1', at: first, measured: driven });
    [driven, part] = [0, false];
  };
  let paused = 0;
  for (let at = 0; at <= minutes.length; at++) {
    if (at < minutes.length && minutes[at] === REST) {
      paused++;
      continue;
    }
    if (paused >= 45 || (part && paused >= 30)) close();
    else if (paused >= 15 && driven > 0) part = true;
    paused = 0;
    if (minutes[at] !== DRIVING) continue;
    if (driven === 0) first = at;
    driven++;
  }
  close();
  return found;
}

interface Period {
  readonly from: number;
  readonly rest: Run;
  readonly isBroken: boolean;
}

/**
 * Article 8(2) and (4): within 24 hours after the end of a rest a new one of eleven hours, of three and nine, or, three
 * times between weekly rests, of nine. A weekly rest is none of the three. Where nothing suffices, seven hours end the day.
 */
function periodsOf(minutes: Minutes): Period[] {
  const rests = restsOf(minutes);
  const periods: Period[] = [];
  let reduced = 0;
  for (let index = 0; index < rests.length - 1; ) {
    const from = rests[index]!.to;
    const end = from + 24 * HOUR;
    const inWindow = ({ from: a, to: b }: Run): number => Math.min(b, end) - a;
    const length = ({ from: a, to: b }: Run): number => b - a;
    const offered = rests.map((rest, at) => ({ rest, at })).filter(({ rest, at }) => at > index && rest.from < end);
    const split = ({ at }: { at: number }): boolean =>
      offered.some((other) => other.at < at && length(other.rest) >= 3 * HOUR);
    const regular = offered.find(({ rest }) => inWindow(rest) >= 11 * HOUR);
    const second = offered.find((each) => inWindow(each.rest) >= 9 * HOUR && split(each));
    const weekly = offered.find(({ rest }) => inWindow(rest) >= 9 * HOUR && length(rest) >= 24 * HOUR);
    const short = reduced < 3 ? offered.find(({ rest }) => inWindow(rest) >= 9 * HOUR) : undefined;
    const taken = regular ?? second ?? weekly ?? short;
    const next = taken?.at ?? rests.findIndex((rest, at) => at > index && length(rest) >= 7 * HOUR);
    if (length(rests[next]!) >= 24 * HOUR) reduced = 0;
    else if (taken !== undefined && taken === short && taken !== regular && taken !== second) reduced++;
    periods.push({ from, rest: rests[next]!, isBroken: taken === undefined });
    index = next;
  }
  return periods;
}

export const restBreaches = (minutes: Minutes): Breach[] =>
  periodsOf(minutes).flatMap(({ from, isBroken }) => (isBroken ? [{ rule: 'R', at: from, measured: 0 }] : []));

const GRADES = ['MSI', 'VSI', 'SI', 'MI'] as const;

/** Rows 2 to 7 of Annex I to Regulation 2016/403, in hours; below them it is minor. */
function gradeOf(driven: number, limit: 9 | 10): (typeof GRADES)[number] | null {
  const hours = driven / HOUR;
  if (hours <= limit) return null;
  if (hours >= limit * 1.5) return 'MSI';
  if (hours >= limit + 2) return 'VSI';
  return hours >= limit + 1 ? 'SI' : 'MI';
}

/** Article 6(1): nine hours between two rests, ten on two days of a week, chosen in favor of the driver; grades by week. */
export function dailyBreaches(minutes: Minutes): Map<number, string[]> {
  const weeks = new Map<number, number[]>();
  for (const { from, rest } of periodsOf(minutes)) {
    const driven = drivingIn(minutes, from, rest.from);
    if (driven <= 9 * HOUR) continue;
    const week = Math.floor(minutes.indexOf(DRIVING, from) / WEEK);
    weeks.set(week, [...(weeks.get(week) ?? []), driven]);
  }
  const found = new Map<number, string[]>();
  for (const [week, days] of weeks) {
    const choices = days.flatMap((_, one) => days.map((__, two) => [one, two]));
    const results = choices.map((pair) =>
      days.flatMap((driven, day) => gradeOf(driven, pair.includes(day) ? 10 : 9) ?? []),
    );
    // the number of grades, the worst first, as digits of one number
    const weight = (grades: readonly string[]): number =>
      GRADES.reduce((sum, grade) => sum * 100 + grades.filter((each) => each === grade).length, 0);
    const lightest = results.reduce((best, next) => (weight(next) < weight(best) ? next : best));
    if (lightest.length > 0) found.set(week, lightest.toSorted());
  }
  return found;
}
