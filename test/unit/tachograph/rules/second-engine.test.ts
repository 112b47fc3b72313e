import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Interval } from '../../../../src/server/tachograph/engine/timeline/timeline.ts';
import { analysed, minute, timelineOf } from './plan.ts';
import {
  breakBreaches,
  DRIVING,
  dailyBreaches,
  type Minutes,
  REST,
  restBreaches,
  WORK,
  weeklyBreaches,
} from './second-engine.ts';

const MONDAY = minute('2026-03-02T00:00');
const WEEK = 10_080;
const SEED = 20_260_302;

/** Lengths around the limits of the law. */
const near = (...hours: readonly number[]): fc.Arbitrary<number> =>
  fc.constantFrom(...hours).chain((of) => fc.integer({ min: Math.max(1, of * 60 - 15), max: of * 60 + 15 }));

const part = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.constant(DRIVING), near(1, 2, 4.5)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant(WORK), near(0.5, 2, 4)) },
  { weight: 4, arbitrary: fc.tuple(fc.constant(REST), near(0.25, 0.5, 0.75, 3)) },
);
const dayOfWork = fc.tuple(
  fc.array(part, { minLength: 1, maxLength: 7 }),
  fc.oneof({ weight: 6, arbitrary: near(7, 8.5, 9, 11) }, { weight: 1, arbitrary: near(24, 45) }),
);
const weeks: fc.Arbitrary<Minutes> = fc
  .tuple(fc.integer({ min: 0, max: 2_000 }), fc.array(dayOfWork, { minLength: 3, maxLength: 18 }))
  .map(([start, days]) => {
    const parts = days.flatMap(([own, rest]) => [[WORK, 10], ...own, [REST, rest]] as [number, number][]);
    const all = [[REST, start], ...parts] as [number, number][];
    const minutes = new Uint8Array(all.reduce((sum, [, length]) => sum + length, 0));
    let at = 0;
    for (const [activity, length] of all) {
      minutes.fill(activity, at, at + length);
      at += length;
    }
    return minutes;
  });

const NAMES = ['rest', 'work', 'driving'] as const;
function timeline(minutes: Minutes) {
  const intervals: Interval[] = [];
  for (let at = 0; at < minutes.length; ) {
    let to = at + 1;
    while (to < minutes.length && minutes[to] === minutes[at]) to++;
    const activity = NAMES[minutes[at]!]!;
    intervals.push({ from: MONDAY + at, to: MONDAY + to, activity, slot: 'driver', crew: false, source: 'card' });
    at = to;
  }
  return timelineOf(intervals);
}

const findingsOf = (minutes: Minutes, ...rules: readonly string[]) =>
  analysed(timeline(minutes)).findings.filter(({ rule }) => rules.includes(rule));

const agree = (check: (minutes: Minutes) => void): void =>
  fc.assert(fc.property(weeks, check), { seed: SEED, numRuns: 150 });

test('an engine that was written from the law finds the same driving of weeks', () => {
  agree((minutes) => {
    const own = findingsOf(minutes, 'D2', 'D3').map(({ rule, from, actualMinutes }) => [
      rule,
      from - MONDAY,
      actualMinutes,
    ]);
    const other = weeklyBreaches(minutes).map(({ rule, at, measured }) => [rule, at, measured]);
    expect(own.toSorted()).toEqual(other.toSorted());
  });
});

test('the same missing breaks', () => {
  agree((minutes) => {
    const own = findingsOf(minutes, 'B1').map(({ from, actualMinutes }) => [from - MONDAY, actualMinutes]);
    expect(own).toEqual(breakBreaches(minutes).map(({ at, measured }) => [at, measured]));
  });
});

test('the same daily rests that are too short', () => {
  agree((minutes) => {
    const own = findingsOf(minutes, 'R1', 'R2').map(({ from }) => from - MONDAY);
    expect(own).toEqual(restBreaches(minutes).map(({ at }) => at));
  });
});

test('the same grades of days with too much driving in each week', () => {
  agree((minutes) => {
    const own = new Map<number, string[]>();
    for (const { from, level } of findingsOf(minutes, 'D1')) {
      const week = Math.floor((from - MONDAY) / WEEK);
      own.set(week, [...(own.get(week) ?? []), level!].toSorted());
    }
    expect(own).toEqual(dailyBreaches(minutes));
  });
});

test('the generated weeks hold breaches of each kind', () => {
  const found = new Map<string, number>();
  const note = (rule: string, count: number) => found.set(rule, (found.get(rule) ?? 0) + count);
  agree((minutes) => {
    for (const { rule } of [...weeklyBreaches(minutes), ...breakBreaches(minutes), ...restBreaches(minutes)]) {
      note(rule, 1);
    }
    for (const [, grades] of dailyBreaches(minutes)) note('D1', grades.length);
  });
  for (const rule of ['D1', 'D2', 'D3', 'B1', 'R']) expect(found.get(rule) ?? 0, rule).toBeGreaterThan(0);
});
