import { DAY, type Minute } from '../timeline/timeline.ts';
import { type Absence, countNeutral, neutralDays } from './absences.ts';
import type { DayTotals, ReferencePeriod, WeekTotals } from './analysis.ts';
import type { Shift } from './daily.ts';
import type { Draft } from './draft.ts';
import { averageWeekLevel, nightWorkLevel, workBreakLevel, workingWeekLevel } from './grades.ts';
import type { Night } from './night.ts';
import { type Segment, totalsOf, WEEK, within, workingTimeOf } from './segments.ts';

const WORK_WITHOUT_BREAK = 360;
const AVERAGE = 2880;
const MAX_A_WEEK = 3600;
const MAX_WITH_NIGHT = 600;

/** How working time is counted. */
export interface Counting {
  readonly availabilityAsWork: boolean;
  readonly isWork: (segment: Segment) => boolean;
}

export const countingOf = (availabilityAsWork: boolean): Counting => ({
  availabilityAsWork,
  isWork: ({ kind }) => kind === 'driving' || kind === 'work' || (availabilityAsWork && kind === 'availability'),
});

/** TB6, Directive 2002/15 art. 5: one finding a shift where its breaks are too short, else one a stretch of work. */
export function workBreaks(segments: readonly Segment[], shifts: readonly Shift[], counting: Counting): Draft[] {
  return shifts.flatMap((shift) => {
    const own = within(segments, shift.from, shift.to);
    const { stretches, worked, rested } = stretchesOf(own, counting);
    const required = worked > 540 ? 45 : worked > WORK_WITHOUT_BREAK ? 30 : 0;
    if (rested < required) return [shortBreaks(stretches.flat(), required, rested)];
    return stretches.filter((stretch) => lengthOf(stretch) > WORK_WITHOUT_BREAK).map(tooLong);
  });
}

const lengthOf = (parts: readonly Segment[]): number => parts.reduce((total, { from, to }) => total + to - from, 0);

const evidenceOf = (parts: readonly Segment[]): Draft['evidence'] =>
  parts.map(({ from, to }) => ({ kind: 'work', from, to }));

const common = { rule: 'TB6', regulation: '2002/15', article: '5' } as const;

const shortBreaks = (parts: readonly Segment[], limitMinutes: number, actualMinutes: number): Draft => ({
  ...common,
  from: parts[0]!.from,
  to: parts.at(-1)!.to,
  limitMinutes,
  actualMinutes,
  level: workBreakLevel(limitMinutes, actualMinutes),
  evidence: evidenceOf(parts),
});

const tooLong = (parts: readonly Segment[]): Draft => ({
  ...common,
  from: parts[0]!.from,
  to: parts.at(-1)!.to,
  limitMinutes: WORK_WITHOUT_BREAK,
  actualMinutes: lengthOf(parts),
  level: null,
  evidence: evidenceOf(parts),
});

/** Work between breaks of 15 minutes and more; 45 minutes beside a colleague who drives are a break too. */
function stretchesOf(segments: readonly Segment[], { isWork }: Counting) {
  const stretches: Segment[][] = [[]];
  let worked = 0;
  let rested = 0;
  for (const segment of segments) {
    const length = segment.to - segment.from;
    if (isWork(segment)) {
      stretches.at(-1)!.push(segment);
      worked += length;
      continue;
    }
    const isRest = segment.kind === 'rest' || segment.kind === 'unknown';
    if (!(isRest && length >= 15) && !(segment.beside && length >= 45)) continue;
    if (worked > 0) rested += length;
    if (stretches.at(-1)!.length > 0) stretches.push([]);
  }
  return { stretches: stretches.filter(({ length }) => length > 0), worked, rested };
}

/** TN, art. 7: ten hours in each 24 from the beginning of the shift, where any work falls into the night. */
export function nightWork(
  segments: readonly Segment[],
  shifts: readonly Shift[],
  { isWork, availabilityAsWork }: Counting,
  night: Night,
): Draft[] {
  const drafts: Draft[] = [];
  for (const shift of shifts) {
    for (let from = shift.from; from < shift.to; from += DAY) {
      const to = Math.min(shift.to, from + DAY);
      const actualMinutes = workingTimeOf(totalsOf(segments, from, to), availabilityAsWork);
      if (actualMinutes <= MAX_WITH_NIGHT) continue;
      const parts = within(segments, from, to).filter(isWork);
      if (!parts.some((part) => night.touches(part.from, part.to))) continue;
      drafts.push({
        rule: 'TN',
        regulation: '2002/15',
        article: '7',
        from,
        to: parts.at(-1)!.to,
        limitMinutes: MAX_WITH_NIGHT,
        actualMinutes,
        level: nightWorkLevel(actualMinutes),
        evidence: evidenceOf(parts),
      });
    }
  }
  return drafts;
}

/** T60 and T48, art. 4. An average is exceeded where the known work alone exceeds the limit of the whole period. */
export function workingWeeks(
  weeks: readonly WeekTotals[],
  days: readonly DayTotals[],
  references: readonly ReferencePeriod[],
): Draft[] {
  const evidence = (from: Minute, to: Minute): Draft['evidence'] =>
    days
      .filter((day) => day.from >= from && day.from < to && day.workingTime > 0)
      .map((day) => ({ kind: 'work', from: day.from, to: day.from + DAY, minutes: day.workingTime }));
  const week = weeks
    .filter(({ workingTime }) => workingTime > MAX_A_WEEK)
    .map(
      ({ from, to, workingTime }): Draft => ({
        rule: 'T60',
        regulation: '2002/15',
        article: '4(a)',
        from,
        to,
        limitMinutes: MAX_A_WEEK,
        actualMinutes: workingTime,
        level: workingWeekLevel(workingTime),
        evidence: evidence(from, to),
      }),
    );
  const average = references.flatMap(({ from, to, workingTime, neutralDays: neutral }): Draft[] => {
    const counted = to - from - neutral * DAY;
    const mean = counted <= 0 ? 0 : Math.floor((workingTime * WEEK) / counted);
    if (mean <= AVERAGE) return [];
    return [
      {
        rule: 'T48',
        regulation: '2002/15',
        article: '4(a)',
        from,
        to,
        limitMinutes: AVERAGE,
        actualMinutes: mean,
        level: averageWeekLevel(mean),
        evidence: evidence(from, to),
      },
    ];
  });
  return [...week, ...average];
}

/** Periods of `months` from January on, as far as the data touch them. */
export function referencesOf(
  segments: readonly Segment[],
  span: { readonly from: Minute; readonly to: Minute },
  months: number,
  counting: Counting,
  absences: readonly Absence[] = [],
): ReferencePeriod[] {
  const hasWork = (day: number): boolean =>
    workingTimeOf(totalsOf(segments, day * DAY, (day + 1) * DAY), counting.availabilityAsWork) > 0;
  const isNeutral = absences.length === 0 ? () => false : neutralDays(absences, hasWork);
  const periods: ReferencePeriod[] = [];
  let date = new Date(span.from * 60_000);
  let month = Math.floor(date.getUTCMonth() / months) * months;
  let year = date.getUTCFullYear();
  for (;;) {
    const from = Date.UTC(year, month, 1) / 60_000;
    const to = Date.UTC(year, month + months, 1) / 60_000;
    if (from >= span.to) return periods;
    const totals = totalsOf(segments, from, to);
    const workingTime = workingTimeOf(totals, counting.availabilityAsWork);
    const [first, last] = [Math.max(from, span.from), Math.min(to, span.to)];
    const covered = last - first - countNeutral(isNeutral, first, last) * DAY;
    periods.push({
      from,
      to,
      workingTime,
      unknown: totals.unknown,
      limitWeekly: AVERAGE,
      neutralDays: countNeutral(isNeutral, from, to),
      meanWeekly: covered <= 0 ? 0 : Math.round((workingTime * WEEK) / covered),
      complete: last - first === to - from && totals.unknown === 0,
    });
    date = new Date(to * 60_000);
    month = date.getUTCMonth();
    year = date.getUTCFullYear();
  }
}
