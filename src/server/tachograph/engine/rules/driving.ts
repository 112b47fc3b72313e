import { DAY, type Minute } from '../timeline/timeline.ts';
import type { Shift } from './daily.ts';
import type { Draft } from './draft.ts';
import { rankOf } from './findings.ts';
import { breakLevel, dailyDrivingLevel, fortnightDrivingLevel, weeklyDrivingLevel } from './grades.ts';
import { type Segment, WEEK, weekOf, within } from './segments.ts';

export const DAY_LIMIT = 540;
export const EXTENDED_LIMIT = 600;
export const EXTENSIONS = 2;
export const WEEK_LIMIT = 3360;
export const FORTNIGHT_LIMIT = 5400;
export const BREAK_AFTER = 270;
const NIGHT_LIMIT = 180;

/** The driving between two daily rests; what was driven on and off a ferry within a rest is not in it. */
export interface DrivingDay {
  readonly shift: Shift;
  /** Of the first and the last minute of driving; of the shift without driving. */
  readonly from: Minute;
  readonly to: Minute;
  readonly driving: number;
  readonly limit: 540 | 600;
}

/** Article 6(1): days with their limits, ten hours where that makes the week least severe, on two days a week. */
export function drivingDaysOf(segments: readonly Segment[], shifts: readonly Shift[]): DrivingDay[] {
  const days = shifts.map((shift) => drivingOf(segments, shift));
  const longer = new Map<Minute, number[]>();
  for (const [index, { from, driving }] of days.entries()) {
    if (driving <= DAY_LIMIT) continue;
    const week = weekOf(from);
    longer.set(week, [...(longer.get(week) ?? []), index]);
  }
  for (const indices of longer.values()) {
    for (const index of extensionsOf(indices, days)) days[index] = { ...days[index]!, limit: EXTENDED_LIMIT };
  }
  return days;
}

function drivingOf(segments: readonly Segment[], shift: Shift): DrivingDay {
  let driving = 0;
  let from: Minute | undefined;
  let to = shift.to;
  for (const segment of drivingIn(segments, shift.from, shift.to)) {
    from ??= segment.from;
    to = segment.to;
    driving += segment.to - segment.from;
  }
  return { shift, from: from ?? shift.from, to, driving, limit: DAY_LIMIT };
}

export const drivingIn = (segments: readonly Segment[], from: Minute, to: Minute): Segment[] =>
  within(segments, from, to).filter(({ kind }) => kind === 'driving');

/** The pair of days that leaves the least severe findings; of equal pairs the earlier one. */
function extensionsOf(indices: readonly number[], days: readonly DrivingDay[]): readonly number[] {
  if (indices.length <= EXTENSIONS) return indices;
  let best: readonly number[] = [];
  let lightest: readonly number[] | undefined;
  for (const [position, first] of indices.entries()) {
    for (const second of indices.slice(position + 1)) {
      const weight = weightOf(indices, days, [first, second]);
      if (lightest !== undefined && compare(weight, lightest) >= 0) continue;
      lightest = weight;
      best = [first, second];
    }
  }
  return best;
}

/** How many findings of each grade, the worst first, and the minutes too many. */
function weightOf(indices: readonly number[], days: readonly DrivingDay[], extended: readonly number[]): number[] {
  const weight = [0, 0, 0, 0, 0];
  for (const index of indices) {
    const limit = extended.includes(index) ? EXTENDED_LIMIT : DAY_LIMIT;
    const { driving } = days[index]!;
    const rank = rankOf(dailyDrivingLevel(limit, driving));
    if (rank > 0) weight[4 - rank]!++;
    weight[4]! += Math.max(0, driving - limit);
  }
  return weight;
}

const compare = (a: readonly number[], b: readonly number[]): number => {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index < 0 ? 0 : a[index]! - b[index]!;
};

/** D1. */
export function dailyDriving(segments: readonly Segment[], days: readonly DrivingDay[]): Draft[] {
  return days
    .filter(({ driving, limit }) => driving > limit)
    .map(({ shift, from, to, driving, limit }) => ({
      rule: 'D1',
      article: '6(1)',
      from,
      to,
      limitMinutes: limit,
      actualMinutes: driving,
      level: dailyDrivingLevel(limit, driving),
      evidence: drivingIn(segments, shift.from, shift.to).map(({ from, to }) => ({ kind: 'driving', from, to })),
    }));
}

/** Driving of weeks from the first to the last that hold any data, Monday 00:00 to Sunday 24:00. */
export function weeklyDrivingOf(segments: readonly Segment[], from: Minute, to: Minute): Map<Minute, number> {
  const weeks = new Map<Minute, number>();
  for (let week = weekOf(from); week < to; week += WEEK) weeks.set(week, 0);
  for (const { from, to, kind } of segments) {
    if (kind !== 'driving') continue;
    for (let week = weekOf(from); week < to; week += WEEK) {
      const part = Math.min(to, week + WEEK) - Math.max(from, week);
      weeks.set(week, (weeks.get(week) ?? 0) + part);
    }
  }
  return weeks;
}

/** D2 and D3. */
export function weeklyDriving(segments: readonly Segment[], weeks: ReadonlyMap<Minute, number>): Draft[] {
  const drafts: Draft[] = [];
  for (const [week, driving] of weeks) {
    if (driving > WEEK_LIMIT) {
      drafts.push({
        rule: 'D2',
        article: '6(2)',
        from: week,
        to: week + WEEK,
        limitMinutes: WEEK_LIMIT,
        actualMinutes: driving,
        level: weeklyDrivingLevel(driving),
        evidence: drivingByDay(segments, week, 7),
      });
    }
    const before = weeks.get(week - WEEK) ?? 0;
    if (before + driving > FORTNIGHT_LIMIT) {
      drafts.push({
        rule: 'D3',
        article: '6(3)',
        from: week - WEEK,
        to: week + WEEK,
        limitMinutes: FORTNIGHT_LIMIT,
        actualMinutes: before + driving,
        level: fortnightDrivingLevel(before + driving),
        evidence: drivingByDay(segments, week - WEEK, 14),
      });
    }
  }
  return drafts;
}

function drivingByDay(segments: readonly Segment[], from: Minute, count: number): Draft['evidence'] {
  return Array.from({ length: count }, (_, index) => from + index * 1440).flatMap((day) => {
    const driving = drivingIn(segments, day, day + 1440);
    const minutes = driving.reduce((sum, segment) => sum + segment.to - segment.from, 0);
    return minutes === 0 ? [] : [{ kind: 'driving' as const, from: driving[0]!.from, to: driving.at(-1)!.to, minutes }];
  });
}

/** Driving since a break, with the parts of the next break so far. */
export class Continuous {
  driving = 0;
  readonly parts: Segment[] = [];
  /** A first part of fifteen minutes was taken after the driving began. */
  hasFirstPart = false;
  #longestPart = 0;
  readonly #anyOrder: boolean;

  readonly #earlyCounts: boolean;

  /**
   * @param anyOrder occasional services with passengers: two breaks of 15 minutes and more that make 45 together.
   * @param earlyCounts a first part before any driving counts, as in some units.
   */
  constructor(anyOrder: boolean, earlyCounts: boolean) {
    this.#anyOrder = anyOrder;
    this.#earlyCounts = earlyCounts;
  }

  drive(segment: Segment): void {
    this.parts.push(segment);
    this.driving += segment.to - segment.from;
  }

  /**
   * A pause of `minutes`: true if it completes the break, and counting restarts. The parts of a break are distributed
   * over the driving period, so that a part before any driving is none of them.
   */
  pause(minutes: number): boolean {
    if (minutes >= 45) return true;
    if (minutes < 15 || (this.driving === 0 && !this.#earlyCounts)) return false;
    const whole = this.#anyOrder
      ? this.hasFirstPart && this.#longestPart + minutes >= 45
      : this.hasFirstPart && minutes >= 30;
    this.hasFirstPart = true;
    this.#longestPart = Math.max(this.#longestPart, minutes);
    return whole;
  }
}

interface Stretches {
  readonly ended: readonly Continuous[];
  /** The stretch that no break has ended yet; without driving after a break. */
  readonly current: Continuous;
}

/** Article 7: stretches of driving between breaks. Beside a colleague who drives, 45 minutes are a break. */
export function stretchesOf(segments: readonly Segment[], anyOrder: boolean, earlyCounts = false): Stretches {
  const stretches: Continuous[] = [];
  let current = new Continuous(anyOrder, earlyCounts);
  let rested = 0;
  let resting = 0;
  const endPause = (): void => {
    if (current.pause(resting >= 45 ? resting : rested)) {
      if (current.driving > 0) stretches.push(current);
      current = new Continuous(anyOrder, earlyCounts);
    }
    rested = 0;
    resting = 0;
  };
  for (const segment of segments) {
    const length = segment.to - segment.from;
    const isRest = segment.kind === 'rest' || segment.kind === 'unknown';
    if (isRest || segment.beside) {
      resting += length;
      if (isRest) rested += length;
      continue;
    }
    endPause();
    if (segment.kind === 'driving') current.drive(segment);
  }
  endPause();
  return { ended: stretches, current };
}

/** B1. On up to twelve days of an occasional service, `trips`, one driver has three hours at night. */
export function breaks(
  { ended, current }: Stretches,
  trips: readonly { readonly from: Minute; readonly to: Minute }[] = [],
): Draft[] {
  return [...ended, current].flatMap(({ driving, parts }): Draft[] => {
    if (parts.length === 0) return [];
    const [from, to] = [parts[0]!.from, parts.at(-1)!.to];
    const evidence: Draft['evidence'] = parts.map(({ from, to }) => ({ kind: 'driving', from, to }));
    const night = trips.some((trip) => trip.from <= from && to <= trip.to) ? atNight(parts) : 0;
    const level = breakLevel(BREAK_AFTER, driving);
    const nightLevel = breakLevel(NIGHT_LIMIT, night);
    if (rankOf(nightLevel) > rankOf(level)) {
      const limits = { limitMinutes: NIGHT_LIMIT, actualMinutes: night, level: nightLevel };
      return [{ rule: 'B1', article: '8(6a)', from, to, ...limits, evidence }];
    }
    if (driving <= BREAK_AFTER) return [];
    return [
      {
        rule: 'B1',
        article: '7',
        from,
        to,
        limitMinutes: BREAK_AFTER,
        actualMinutes: driving,
        level,
        evidence,
      },
    ];
  });
}

/** B1 that a first part of the break before any driving would make lighter: some practice counts it. */
export const withPractice = (strict: readonly Draft[], lenient: readonly Draft[]): Draft[] =>
  strict.map((draft): Draft => {
    const isSame = ({ from, actualMinutes, article }: Draft): boolean =>
      from === draft.from && actualMinutes === draft.actualMinutes && article === draft.article;
    return lenient.some(isSame) ? draft : { ...draft, remarks: [...(draft.remarks ?? []), 'practice-differs'] };
  });

/** Minutes of one driver between 22:00 and 06:00 UTC; with a second driver the limit does not apply. */
function atNight(parts: readonly Segment[]): number {
  let minutes = 0;
  for (const { from, to, crew } of parts) {
    for (let midnight = Math.floor((from + 120) / DAY) * DAY; midnight - 120 < to && !crew; midnight += DAY) {
      minutes += Math.max(0, Math.min(to, midnight + 360) - Math.max(from, midnight - 120));
    }
  }
  return minutes;
}
