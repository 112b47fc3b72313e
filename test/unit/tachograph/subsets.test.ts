import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildTimeline, parseTachograph, type TimelineSource } from '../../../src/server/tachograph/engine/index.ts';
import type { Activity } from '../../../src/server/tachograph/engine/records.ts';
import {
  cardFile,
  datesFrom,
  dayOf,
  ITALY,
  insertion,
  type Plan,
  unitDay,
  unitFile,
} from '../../support/tachograph.ts';

const DATES = datesFrom('2026-03-02', 12);
const START = Date.parse('2026-03-02T00:00:00Z') / 60_000;
const DAY = 1_440;
const driver = { nation: ITALY, number: 'I0000000123456' };

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** What a driver really did on a day: changes of activity in ascending order, rest before the first. */
const day = fc
  .array(
    fc.tuple(
      fc.integer({ min: 1, max: DAY - 1 }),
      fc.constantFrom<Activity>('rest', 'work', 'driving', 'availability'),
    ),
    { maxLength: 8 },
  )
  .map((changes) => [...new Map(changes).entries()].toSorted(([a], [b]) => a - b));
type Day = readonly (readonly [minute: number, activity: Activity])[];

/** Minutes after the first midnight at which the card was downloaded. */
const downloads = fc.uniqueArray(fc.integer({ min: 1, max: DATES.length * DAY - 1 }), { minLength: 1, maxLength: 5 });

function truthOf(days: readonly Day[]): Activity[] {
  const truth: Activity[] = [];
  for (const changes of days) {
    for (let minute = 0; minute < DAY; minute++) {
      truth.push(changes.findLast(([at]) => at <= minute)?.[1] ?? 'rest');
    }
  }
  return truth;
}

/** The card holds its newest days, up to the minute of the download. */
function downloadOf(days: readonly Day[], at: number, index: number): TimelineSource {
  const last = Math.floor(at / DAY);
  const first = Math.max(0, last - 6);
  const held = days.slice(first, last + 1).map((changes, offset) => {
    const isLast = first + offset === last;
    const plan: Plan = changes
      .filter(([minute]) => !isLast || minute <= at % DAY)
      .map(([minute, activity]) => [clock(minute), activity]);
    return dayOf(DATES[first + offset]!, plan);
  });
  const file = parseTachograph(cardFile({ days: held, lastDownload: (START + at) * 60 }))!;
  return { fileId: `file-${index}`, file };
}

test('any subset of genuine files of a driver, in any order, gives a consistent timeline of the recorded activities', () => {
  const input = fc.tuple(
    fc.array(day, { minLength: DATES.length, maxLength: DATES.length }),
    downloads.chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.subarray(all, { minLength: 1 }),
        fc.shuffledSubarray(all, { minLength: all.length }),
      ),
    ),
  );
  fc.assert(
    fc.property(input, ([days, [all, some, shuffled]]) => {
      const truth = truthOf(days);
      const sourceAt = (at: number): TimelineSource => downloadOf(days, at, all.indexOf(at));
      const whole = buildTimeline(all.map(sourceAt), [driver])!;
      expect(buildTimeline(shuffled.map(sourceAt), [driver])).toEqual(whole);
      const part = buildTimeline(some.map(sourceAt), [driver])!;
      const reversed = buildTimeline(some.toReversed().map(sourceAt), [driver])!;
      expect(reversed).toEqual(part);
      for (const { intervals } of [whole, part]) {
        for (const { from, to, activity } of intervals) {
          if (activity === 'unknown') continue;
          const done = new Set(truth.slice(from - START, to - START));
          expect([...done]).toEqual([activity]);
        }
      }
      // a part of the files knows no more than all of them
      const known = (timeline: typeof whole, at: number): string =>
        timeline.intervals.find(({ from, to }) => from <= at && at < to)?.activity ?? 'unknown';
      for (const { from, activity } of part.intervals)
        if (activity !== 'unknown') expect(known(whole, from)).toBe(activity);
      for (const at of some) expect(known(part, START + at - 1), String(at)).not.toBe('unknown');
    }),
    { numRuns: 60, seed: 20_260_302 },
  );
});

/** A vehicle unit has some of the days, with the card in it from `from` to `to`. */
const unitOf = fc.record({
  first: fc.integer({ min: 0, max: DATES.length - 1 }),
  count: fc.integer({ min: 1, max: DATES.length }),
  from: fc.integer({ min: 0, max: 11 }),
  to: fc.integer({ min: 12, max: 23 }),
});

test('any subset of genuine files of cards and vehicle units, in any order, gives the same timeline', () => {
  const input = fc.tuple(
    fc.array(day, { minLength: DATES.length, maxLength: DATES.length }),
    downloads,
    fc.array(unitOf, { minLength: 1, maxLength: 4 }),
    fc.infiniteStream(fc.nat()),
  );
  fc.assert(
    fc.property(input, ([days, cards, units, keys]) => {
      const truth = truthOf(days);
      const sources = [
        ...cards.map((at, index) => downloadOf(days, at, index)),
        ...units.map((unit, index) => unitSource(days, unit, index)),
      ];
      const shuffled = (of: readonly TimelineSource[]): TimelineSource[] =>
        of
          .map((source) => [keys.next().value as number, source] as const)
          .toSorted(([a], [b]) => a - b)
          .map(([, source]) => source);
      const some = sources.filter(() => (keys.next().value as number) % 2 === 0);
      for (const set of [sources, some]) {
        const expected = buildTimeline(set, [driver]);
        // the same file twice, and another order
        expect(buildTimeline(shuffled([...set, ...set]), [driver])).toEqual(expected);
        for (const { from, to, activity } of expected?.intervals ?? []) {
          if (activity !== 'unknown') expect([...new Set(truth.slice(from - START, to - START))]).toEqual([activity]);
        }
        expect(expected?.days.filter(({ versions }) => versions !== undefined) ?? []).toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
});

function unitSource(
  days: readonly Day[],
  { first, count, from, to }: typeof unitOf extends fc.Arbitrary<infer T> ? T : never,
  index: number,
) {
  const hour = (of: number): string => `${String(of).padStart(2, '0')}:00:00Z`;
  const held = days.slice(first, first + count).map((changes, offset) => {
    const date = DATES[first + offset]!;
    const plan: Plan = changes.map(([minute, activity]) => [clock(minute), activity]);
    return unitDay(date, [insertion(`${driver.number}00`, `${date}T${hour(from)}`, `${date}T${hour(to)}`)], plan);
  });
  const file = parseTachograph(unitFile({ plate: 'AB123CD', now: '2026-03-20T00:00:00Z', days: held }))!;
  return { fileId: `unit-${index}`, file };
}
