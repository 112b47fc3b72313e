import type { Activity } from '../records.ts';
import { type Condition, DAY, type Interval, type Minute } from '../timeline/timeline.ts';
import { dateAt, type LocalDay, localDays, minuteAt } from '../timeline/zone.ts';
import { type CorrectedSpan, type DriverDay, type PlaceNote, timelineOf } from './driver-days.ts';

export type Minutes = Readonly<Record<Activity | 'unknown', number>>;

/** A day of a report, in the zone of the report. Spans and conditions are minutes since 1970 in UTC. */
export interface ReportDay extends LocalDay {
  readonly minutes: Minutes;
  /** Of the UTC day of the same date: cards record no shorter period. */
  readonly distanceKm: number;
  readonly spans: readonly Interval[];
  readonly conditions: readonly Condition[];
  readonly plates: readonly string[];
  readonly places: readonly PlaceNote[];
  readonly fileIds: readonly string[];
  readonly hasManualEntries: boolean;
  /** Where a person has corrected what files report. */
  readonly corrected: readonly CorrectedSpan[];
}

/**
 * From `first` to `last`; time and days without data are unknown.
 * @param timeline of the days, if it was built before
 */
export function reportDays(
  days: readonly DriverDay[],
  first: string,
  last: string,
  zone: string,
  timeline = timelineOf(days),
): ReportDay[] {
  const byDate = new Map(days.map((day) => [day.date, day]));
  const intervals = timeline?.intervals ?? [];
  let next = 0;
  return localDays(first, last, zone).map((local): ReportDay => {
    while (intervals[next] !== undefined && intervals[next]!.to <= local.from) next++;
    const spans: Interval[] = [];
    for (let i = next; intervals[i] !== undefined && intervals[i]!.from < local.to; i++) {
      spans.push(clip(intervals[i]!, local));
    }
    const all = fill(spans, local);
    const knownSpans = utcDatesOf(local).flatMap((date) => byDate.get(date) ?? []);
    const isWithin = (at: number): boolean => at >= local.from * 60 && at < local.to * 60;
    const stays = knownSpans.flatMap((day) => day.uses);
    return {
      ...local,
      minutes: minutesByActivity(all),
      distanceKm: byDate.get(local.date)?.distanceKm ?? 0,
      spans: all,
      conditions: (timeline?.conditions ?? []).filter(
        ({ from, to }) => from < local.to && (to ?? from + 1) > local.from,
      ),
      plates: [
        ...new Set(
          stays
            .filter(({ from, to }) => from < local.to * 60 && (to ?? from) >= local.from * 60)
            .map(({ plate }) => plate),
        ),
      ],
      places: uniquePlaces(knownSpans).filter(({ at }) => isWithin(at)),
      fileIds: [...new Set(knownSpans.flatMap(({ fileIds }) => fileIds))].sort(),
      hasManualEntries: all.some(({ source }) => source === 'manual'),
      corrected: correctedOf(knownSpans, local),
    };
  });
}

/** Of the local day, in minutes since 1970. */
const correctedOf = (days: readonly DriverDay[], local: LocalDay): CorrectedSpan[] =>
  days
    .flatMap(({ date, corrected = [] }) => {
      const start = minuteAt(date, 0, 'UTC');
      return corrected.map((span) => ({ ...span, from: start + span.from, to: start + span.to }));
    })
    .filter(({ from, to }) => from < local.to && to > local.from)
    .map((span) => clip(span, local));

function utcDatesOf({ from, to }: LocalDay): string[] {
  const dates: string[] = [];
  for (let at = Math.floor(from / DAY) * DAY; at < to; at += DAY) {
    dates.push(dateAt(at, 'UTC'));
  }
  return dates;
}

function uniquePlaces(days: readonly DriverDay[]): PlaceNote[] {
  const found = new Map(days.flatMap(({ places }) => places.map((place) => [`${place.at}/${place.kind}`, place])));
  return [...found.values()].sort((a, b) => a.at - b.at);
}

const clip = <T extends { readonly from: Minute; readonly to: Minute }>(span: T, day: LocalDay): T =>
  span.from >= day.from && span.to <= day.to
    ? span
    : { ...span, from: Math.max(span.from, day.from), to: Math.min(span.to, day.to) };

/** Time without a file is unknown. */
function fill(spans: readonly Interval[], { from, to }: LocalDay): Interval[] {
  const blank = { activity: 'unknown', slot: 'driver', crew: false, source: 'none' } as const;
  const first = spans[0];
  const last = spans.at(-1);
  if (first === undefined || last === undefined) return [{ from, to, ...blank }];
  return [
    ...(first.from > from ? [{ from, to: first.from, ...blank }] : []),
    ...spans,
    ...(last.to < to ? [{ from: last.to, to, ...blank }] : []),
  ];
}

export function minutesByActivity(spans: readonly Interval[]): Minutes {
  const sums = { rest: 0, availability: 0, work: 0, driving: 0, unknown: 0 };
  for (const { activity, from, to } of spans) sums[activity] += to - from;
  return sums;
}

export function addUp(days: readonly { readonly minutes: Minutes }[]): Minutes {
  const sums = { rest: 0, availability: 0, work: 0, driving: 0, unknown: 0 };
  for (const { minutes } of days) {
    for (const key of Object.keys(sums) as (keyof Minutes)[]) sums[key] += minutes[key];
  }
  return sums;
}
