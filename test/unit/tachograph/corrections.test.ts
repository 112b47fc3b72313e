import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Correction,
  correctDays,
  correctedMinutes,
} from '../../../src/server/tachograph/engine/reports/corrections.ts';
import {
  type DriverDay,
  packDay,
  timelineOf,
  unpackDay,
} from '../../../src/server/tachograph/engine/reports/driver-days.ts';
import type { Interval } from '../../../src/server/tachograph/engine/timeline/timeline.ts';

const DAY = 1_440;
const FIRST = Date.parse('2026-03-02T00:00:00Z') / 60_000;
const activities = ['rest', 'availability', 'work', 'driving', 'unknown'] as const;

const dayAt = (index: number, spans: readonly Interval[]): DriverDay => ({
  date: new Date((FIRST + index * DAY) * 60_000).toISOString().slice(0, 10),
  distanceKm: 100,
  fileIds: ['ddd_1'],
  spans,
  conditions: [],
  uses: [],
  places: [],
});
const span = (from: number, to: number, activity: Interval['activity']): Interval => ({
  from,
  to,
  activity,
  slot: 'driver',
  crew: false,
  source: activity === 'unknown' ? 'none' : 'card',
});

const anyDay = (index: number): fc.Arbitrary<DriverDay> =>
  fc
    .array(fc.tuple(fc.integer({ min: 1, max: DAY - 1 }), fc.constantFrom(...activities)), { maxLength: 8 })
    .map((cuts) => {
      const edges = [...new Map([[0, 'rest'] as const, ...cuts])].sort(([a], [b]) => a - b);
      return dayAt(
        index,
        edges.map(([from, activity], i) => span(from, edges[i + 1]?.[0] ?? DAY, activity)),
      );
    });
const anyDays = fc.tuple(anyDay(0), anyDay(1), anyDay(2), anyDay(4));
const anyCorrections = fc
  .uniqueArray(fc.integer({ min: -DAY, max: 6 * DAY }), { minLength: 2, maxLength: 10 })
  .chain((cuts) => {
    const edges = cuts.sort((a, b) => a - b);
    return fc.tuple(
      ...edges.slice(1).map((to, i) =>
        fc.record({
          id: fc.constant(`cor_${i}`),
          kind: fc.constantFrom('selector' as const, 'manual-entry' as const, 'unknown' as const),
          from: fc.constant(FIRST + edges[i]!),
          to: fc.constant(FIRST + to),
          activity: fc.constantFrom('rest' as const, 'availability' as const, 'work' as const, 'driving' as const),
        }),
      ),
    );
  });

/** Minute by minute, without any of the code under test. */
function expected(days: readonly DriverDay[], corrections: readonly Correction[], minute: number): string {
  const day = days.find(({ date }) => date === new Date(minute * 60_000).toISOString().slice(0, 10));
  const recorded =
    day?.spans.find(({ from, to }) => from <= minute - dayStart(day) && to > minute - dayStart(day))?.activity ??
    'unknown';
  const own = corrections.find(({ from, to }) => from <= minute && minute < to);
  if (own === undefined) return recorded;
  if (own.kind !== 'selector') return recorded === 'unknown' ? own.activity : recorded;
  return ['unknown', 'driving'].includes(recorded) || own.activity === 'driving' ? recorded : own.activity;
}
const dayStart = ({ date }: DriverDay): number => Date.parse(date) / 60_000;

test('each minute is as a correction says, where it may say so, and otherwise as recorded', () => {
  fc.assert(
    fc.property(anyDays, anyCorrections, (days, corrections) => {
      const timeline = timelineOf(correctDays(days, corrections))!;
      for (let minute = timeline.from; minute < timeline.to; minute += 7) {
        const found = timeline.intervals.find(({ from, to }) => from <= minute && minute < to);
        expect(found?.activity ?? 'unknown').toBe(expected(days, corrections, minute));
      }
    }),
    { numRuns: 60 },
  );
});

test('recorded activities stay unchanged and are part of the corrected day', () => {
  const days = [dayAt(0, [span(0, 600, 'rest'), span(600, 900, 'work'), span(900, DAY, 'unknown')])];
  const before = JSON.stringify(days);
  const [corrected] = correctDays(days, [
    { id: 'cor_1', kind: 'selector', from: FIRST + 630, to: FIRST + 660, activity: 'availability' },
    { id: 'cor_2', kind: 'unknown', from: FIRST + 900, to: FIRST + 960, activity: 'driving' },
  ]);
  expect(JSON.stringify(days)).toBe(before);
  expect(corrected!.corrected).toEqual([
    { id: 'cor_1', from: 630, to: 660, was: 'work', activity: 'availability' },
    { id: 'cor_2', from: 900, to: 960, was: 'unknown', activity: 'driving' },
  ]);
  expect(correctedMinutes([corrected!])).toBe(90);
  expect(corrected!.spans.filter(({ source }) => source === 'person')).toHaveLength(2);
  expect(unpackDay(corrected!.date, packDay(corrected!))).toEqual(corrected);
});

test('recorded driving is neither removed nor made by a correction', () => {
  const days = [dayAt(0, [span(0, 600, 'work'), span(600, DAY, 'driving')])];
  const all = { from: FIRST, to: FIRST + DAY };
  for (const kind of ['selector', 'manual-entry', 'unknown'] as const) {
    expect(correctDays(days, [{ id: 'cor_1', kind, ...all, activity: 'driving' }])).toEqual(days);
  }
  const [corrected] = correctDays(days, [{ id: 'cor_1', kind: 'selector', ...all, activity: 'rest' }]);
  expect(corrected!.spans.find(({ activity }) => activity === 'driving')).toEqual(span(600, DAY, 'driving'));
});
