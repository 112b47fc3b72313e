import { DAY, type Interval, type Minute } from '../timeline/timeline.ts';
import { addDays, dateAt, minuteAt } from '../timeline/zone.ts';
import { type DriverDay, timelineOf } from './driver-days.ts';
import { type ReportDay, reportDays } from './report-days.ts';

/** The payroll data of one day of a driver, in the zone of the payroll. Lengths are minutes. */
export interface PayrollDay {
  readonly date: string;
  readonly minutesInDay: number;
  readonly driving: number;
  readonly work: number;
  readonly availability: number;
  readonly rest: number;
  /** without data */
  readonly unknown: number;
  /** First and last minute (UTC, since 1970) of activity; `null` without activity. */
  readonly start: Minute | null;
  readonly end: Minute | null;
  /** From beginning to end of each shift, pauses included. */
  readonly spread: number;
  /** Rest within shifts. */
  readonly breaks: number;
  /** Longest rest that ends in the day, from its beginning on the days before. */
  readonly dailyRest: number;
  /** A shift begins in the day, and the pause before it counted as its rest though data of it are missing. */
  readonly isRestAssumed?: true;
  /** Driving and other work between 22 and 6 o'clock. */
  readonly night: number;
  /** Driving and other work in the night period of D.Lgs. 234/2007 that the tenant has configured. */
  readonly nightPeriod: number;
  readonly km: number;
  readonly plates: readonly string[];
  /** NationNumeric, without 0. */
  readonly countries: readonly number[];
  /** Where the day's last work period ended, where a position is known. */
  readonly endedAt: { readonly latitude: number; readonly longitude: number } | null;
}

export interface PayrollOptions {
  readonly zone: string;
  /** `calendar`: split at midnight; `shift`: a shift belongs to the day on which it began. */
  readonly attribution: 'calendar' | 'shift';
  /** Minutes of the local day. */
  readonly night: { readonly from: number; readonly to: number };
}

/** A rest of seven hours and more ends a shift. */
const SHIFT_END = 420;
const isDoing = ({ activity }: Interval): boolean => activity !== 'rest' && activity !== 'unknown';
const isWorking = ({ activity }: Interval): boolean => activity === 'driving' || activity === 'work';

interface Shift {
  readonly from: Minute;
  readonly to: Minute;
  readonly spans: readonly Interval[];
  /** the pause before it counted as rest although data are missing */
  readonly isRestAssumed: boolean;
}

/** @param timeline of the days, if it was built before */
export function payrollDays(
  days: readonly DriverDay[],
  options: PayrollOptions,
  timeline = timelineOf(days),
): PayrollDay[] {
  if (timeline === undefined) return [];
  const { zone } = options;
  const shifts = shiftsOf(timeline.intervals);
  const first = dateAt(timeline.from, zone);
  const reports = reportDays(days, first, dateAt(timeline.to - 1, zone), zone, timeline);
  const rests = restsOf(timeline.intervals);
  const startDates = shifts.map(({ from }) => dateAt(from, zone));
  const assumed = new Set(startDates.filter((_, index) => shifts[index]!.isRestAssumed));
  // both ascend, and so do the days: earlier entries are not visited again
  let [shift, rest] = [0, 0];
  return reports.map((report) => {
    while (shifts[shift] !== undefined && shifts[shift]!.to <= report.from) shift++;
    while (rests[rest] !== undefined && rests[rest]!.to <= report.from) rest++;
    const near: Shift[] = [];
    for (let i = shift; shifts[i] !== undefined && shifts[i]!.from < report.to; i++) {
      if (options.attribution === 'calendar' || startDates[i] === report.date) near.push(shifts[i]!);
    }
    let longest = 0;
    for (let i = rest; rests[i] !== undefined && rests[i]!.to <= report.to; i++) {
      longest = Math.max(longest, rests[i]!.to - rests[i]!.from);
    }
    const day = payrollDay(report, near, longest, options);
    return assumed.has(report.date) ? { ...day, isRestAssumed: true } : day;
  });
}

/** Continuous rests; their parts may have different sources. */
function restsOf(intervals: readonly Interval[]): { readonly from: Minute; readonly to: Minute }[] {
  const rests: { from: Minute; to: Minute }[] = [];
  for (const { activity, from, to } of intervals) {
    if (activity !== 'rest') continue;
    const last = rests.at(-1);
    if (last?.to === from) last.to = to;
    else rests.push({ from, to });
  }
  return rests;
}

function shiftsOf(intervals: readonly Interval[]): Shift[] {
  const shifts: { readonly spans: Interval[]; readonly isRestAssumed: boolean }[] = [];
  let pause: Interval[] = [];
  for (const span of intervals) {
    if (!isDoing(span)) {
      pause.push(span);
      continue;
    }
    const last = shifts.at(-1);
    const gap = pause.reduce((sum, { from, to }) => sum + to - from, 0);
    if (last !== undefined && gap < SHIFT_END) last.spans.push(...pause, span);
    else {
      const isRestAssumed = last !== undefined && pause.some(({ activity }) => activity === 'unknown');
      shifts.push({ spans: [span], isRestAssumed });
    }
    pause = [];
  }
  return shifts.map(({ spans, isRestAssumed }) => ({
    from: spans[0]!.from,
    to: spans.at(-1)!.to,
    spans,
    isRestAssumed,
  }));
}

const cut = (spans: readonly Interval[], from: Minute, to: Minute): Interval[] =>
  spans
    .filter((span) => span.from < to && span.to > from)
    .map((span) =>
      span.from >= from && span.to <= to
        ? span
        : { ...span, from: Math.max(span.from, from), to: Math.min(span.to, to) },
    );

function lengthOf(spans: readonly Interval[], counts: (span: Interval) => boolean): number {
  let sum = 0;
  for (const span of spans) if (counts(span)) sum += span.to - span.from;
  return sum;
}

function payrollDay(
  report: ReportDay,
  shifts: readonly Shift[],
  dailyRest: number,
  options: PayrollOptions,
): PayrollDay {
  const { zone, attribution } = options;
  const parts =
    attribution === 'shift'
      ? shifts
      : shifts
          .map(({ from, to, spans, isRestAssumed }): Shift => {
            const part = { from: Math.max(from, report.from), to: Math.min(to, report.to) };
            return { ...part, spans: cut(spans, part.from, part.to), isRestAssumed };
          })
          .filter(({ spans }) => spans.some(isDoing));
  const spans = parts.flatMap((part) => part.spans);
  const working = spans.filter(isWorking);
  const within = (from: number, to: number): number => nightMinutes(working, report, { from, to }, zone);
  const last = report.places.findLast(({ kind, position }) => kind !== 'begin' && position !== null);
  return {
    date: report.date,
    minutesInDay: report.to - report.from,
    driving: lengthOf(spans, ({ activity }) => activity === 'driving'),
    work: lengthOf(spans, ({ activity }) => activity === 'work'),
    availability: lengthOf(spans, ({ activity }) => activity === 'availability'),
    rest: report.minutes.rest,
    unknown: report.minutes.unknown,
    start: parts[0]?.from ?? null,
    end: parts.at(-1)?.to ?? null,
    spread: parts.reduce((sum, { from, to }) => sum + to - from, 0),
    breaks: lengthOf(spans, ({ activity }) => activity === 'rest'),
    dailyRest,
    night: within(22 * 60, DAY) + within(0, 6 * 60),
    nightPeriod: within(options.night.from, options.night.to),
    km: report.distanceKm,
    plates: report.plates,
    countries: [...new Set(report.places.map(({ country }) => country).filter((country) => country > 0))],
    endedAt: last?.position ?? null,
  };
}

/** Minutes of spans between two local times; of a shift that continues, of the next day too. */
function nightMinutes(
  spans: readonly Interval[],
  report: ReportDay,
  clock: { readonly from: number; readonly to: number },
  zone: string,
): number {
  let sum = 0;
  const last = spans.at(-1)?.to ?? 0;
  for (const date of [report.date, addDays(report.date, 1)]) {
    const begin = minuteAt(date, clock.from, zone);
    if (begin >= last) break;
    const end = minuteAt(date, clock.to, zone);
    for (const { from, to } of spans) sum += Math.max(0, Math.min(to, end) - Math.max(from, begin));
  }
  return sum;
}
