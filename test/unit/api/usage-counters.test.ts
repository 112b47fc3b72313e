import { expect, test } from 'vitest';
import { Counters } from '../../../src/server/kernel/usage/counters.ts';

const DAY = 86_400_000;
const NOON = 20_000 * DAY + DAY / 2;
const device = (id: number, tenantId: number) => ({ id, tenantId });
const nothing = { requests: 0, frames: 0, received: 0, stored: 0, users: [], devices: [] };
const first = '2024-10-04';

test('records are counted by tenant, their devices once a day', () => {
  const counters = new Counters();
  const [a, b, c, far] = [device(1, 7), device(2, 8), device(70_000, 7), device(5_000_000, 7)];
  counters.countRecords('positions', [b, a, undefined, a, b, c, far], 1, NOON);
  counters.countRecords('frames', [a, far], 0, NOON);
  expect(counters.take(NOON)).toEqual([
    { ...nothing, tenantId: 7, day: first, received: 4, frames: 2, devices: [1, 70_000, 5_000_000] },
    { ...nothing, tenantId: 8, day: first, received: 1, devices: [2] },
  ]);
  expect(counters.take(NOON)).toEqual([]);
  counters.countRecords('positions', [a, far, b], 0, NOON);
  const again = { ...nothing, day: first };
  expect(counters.take(NOON)).toEqual([
    { ...again, tenantId: 7, received: 2 },
    { ...again, tenantId: 8, received: 1 },
  ]);
  // the next day, and for another tenant that it was given to
  counters.countRecords('positions', [a, device(2, 7)], 0, NOON + DAY);
  expect(counters.take(NOON + DAY)).toEqual([
    { ...nothing, tenantId: 7, day: '2024-10-05', received: 2, devices: [1, 2] },
  ]);
});

test('what was not written is taken again, also when its day is over', () => {
  const counters = new Counters();
  counters.of(7, NOON).requests++;
  counters.of(7, NOON).users.add('u1');
  counters.countRecords('frames', [device(1, 7)], 0, NOON);
  const taken = counters.take(NOON + DAY);
  expect(taken).toEqual([{ ...nothing, tenantId: 7, day: first, requests: 1, frames: 1, users: ['u1'], devices: [1] }]);
  counters.restore(taken);
  expect(counters.take(NOON + DAY)).toEqual(taken);
  expect(counters.take(NOON + DAY)).toEqual([]);
});
