import { DAY, type Interval, type Minute } from '../timeline/timeline.ts';
import type { Activity } from '../values.ts';
import type { CorrectedSpan, DriverDay } from './driver-days.ts';

/**
 * `selector`: the selector was in the wrong position; `manual-entry`: an entry was not made; `unknown`: time without data
 * is assigned.
 */
export const CORRECTION_KINDS = ['selector', 'manual-entry', 'unknown'] as const;
export type CorrectionKind = (typeof CORRECTION_KINDS)[number];

/** What a person says of time that files report otherwise, or not. Minutes since 1970, UTC; no two overlap. */
export interface Correction {
  readonly id: string;
  readonly kind: CorrectionKind;
  readonly from: Minute;
  readonly to: Minute;
  readonly activity: Activity;
}

/** Driving is recorded from the movement of the vehicle and not from the selector: no correction sets or removes it there. */
export const isCorrectable = (kind: CorrectionKind, was: Interval['activity'], activity: Activity): boolean =>
  kind === 'selector'
    ? was !== 'unknown' && was !== 'driving' && activity !== 'driving' && was !== activity
    : was === 'unknown';

const minuteOf = (date: string): Minute => Date.parse(`${date}T00:00:00Z`) / 60_000;
const dateOf = (day: number): string => new Date(day * DAY * 60_000).toISOString().slice(0, 10);

/**
 * The days with the corrections laid over what files report, which remains in `corrected` of each day. Days without data
 * between the first and the last day are added where a correction covers them. `days` remains as it is.
 */
export function correctDays(days: readonly DriverDay[], corrections: readonly Correction[]): readonly DriverDay[] {
  const first = days[0];
  const last = days.at(-1);
  if (corrections.length === 0 || first === undefined || last === undefined) return days;
  const byDate = new Map(days.map((day) => [day.date, day]));
  const [begin, end] = [minuteOf(first.date), minuteOf(last.date) + DAY];
  for (const correction of corrections) {
    const from = Math.max(begin, correction.from);
    const to = Math.min(end, correction.to);
    for (let day = Math.floor(from / DAY); day * DAY < to; day++) {
      const date = dateOf(day);
      byDate.set(date, correctDay(byDate.get(date) ?? blankDay(date), correction, day * DAY));
    }
  }
  return [...byDate.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** @param start of the day */
function correctDay(day: DriverDay, { id, kind, activity, ...when }: Correction, start: Minute): DriverDay {
  const spans: Interval[] = [];
  const corrected: CorrectedSpan[] = [];
  for (const span of day.spans) {
    const from = Math.max(span.from, when.from - start);
    const to = Math.min(span.to, when.to - start);
    if (from >= to || span.source === 'person' || !isCorrectable(kind, span.activity, activity)) {
      spans.push(span);
      continue;
    }
    if (span.from < from) spans.push({ ...span, to: from });
    spans.push({ ...span, from, to, activity, source: 'person' });
    if (to < span.to) spans.push({ ...span, from: to });
    corrected.push({ id, from, to, was: span.activity, activity });
  }
  return corrected.length === 0 ? day : { ...day, spans, corrected: [...(day.corrected ?? []), ...corrected] };
}

const blankDay = (date: string): DriverDay => ({
  date,
  distanceKm: 0,
  fileIds: [],
  spans: [{ from: 0, to: DAY, activity: 'unknown', slot: 'driver', crew: false, source: 'none' }],
  conditions: [],
  uses: [],
  places: [],
});

/** Minutes that corrections change. */
export const correctedMinutes = (days: readonly DriverDay[]): number =>
  days.flatMap(({ corrected = [] }) => corrected).reduce((sum, { from, to }) => sum + to - from, 0);
