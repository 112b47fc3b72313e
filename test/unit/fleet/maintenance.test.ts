import { expect, test } from 'vitest';
import { dueOf, type Interval } from '../../../src/server/fleet/maintenance/due.ts';

const KM = 1_000;
const DAY = 86_400_000;
const NOW = Date.parse('2026-06-01T00:00:00Z');

const none: Interval = {
  everyM: null,
  everyEngineMs: null,
  everyDays: null,
  remindM: null,
  remindEngineMs: null,
  remindDays: null,
};
const at = (km: number | null, when = NOW) => ({ at: when, odometerM: km === null ? null : km * KM, engineMs: null });

test('without earlier work the next multiple after the beginning of the plan is due', () => {
  const every = { ...none, everyM: 15_000 * KM, remindM: 1_000 * KM };
  expect(dueOf(every, at(84_210), undefined, at(84_210))).toMatchObject({ state: 'ok', inM: 5_790 * KM });
  expect(dueOf(every, at(84_210), undefined, at(89_100))).toMatchObject({ state: 'due-soon', inM: 900 * KM });
  expect(dueOf(every, at(84_210), undefined, at(90_010))).toMatchObject({ state: 'overdue', inM: -10 * KM });
  expect(dueOf(every, at(90_000), undefined, at(90_000))).toMatchObject({ state: 'ok', inM: 15_000 * KM });
});

test('work begins the next interval where it was done, also long before it was due', () => {
  const every = { ...none, everyM: 15_000 * KM };
  expect(dueOf(every, at(84_210), at(86_000), at(90_010))).toMatchObject({ state: 'ok', inM: 10_990 * KM });
});

test('whichever comes first: distance, engine hours or days', () => {
  const every = { ...none, everyM: 15_000 * KM, everyDays: 365, remindDays: 30 };
  const done = at(80_000, NOW - 340 * DAY);
  expect(dueOf(every, at(0, 0), done, at(80_100))).toEqual({
    state: 'due-soon',
    inM: 14_900 * KM,
    inEngineMs: null,
    at: NOW + 25 * DAY,
  });
  expect(dueOf(every, at(0, 0), at(80_000, NOW - 365 * DAY), at(80_100)).state).toBe('overdue');
  expect(dueOf(every, at(0, 0), done, at(95_000)).state).toBe('overdue');
});

test('what is not known is not due: no counter, or work at a counter that nobody wrote down', () => {
  const every = { ...none, everyM: 15_000 * KM };
  expect(dueOf(every, at(null), undefined, at(null))).toMatchObject({ state: 'ok', inM: null });
  expect(dueOf(every, at(0), at(null), at(90_000))).toMatchObject({ state: 'ok', inM: null });
  // a plan from before the first reading counts from zero
  expect(dueOf(every, at(null), undefined, at(100))).toMatchObject({ inM: 14_900 * KM });
});
