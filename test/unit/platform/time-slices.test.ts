import { beforeEach, expect, test } from 'vitest';
import { createTimeSlices, type TimeSlices } from '../../../src/platform/time-slices.ts';

let now: number;
let slices: TimeSlices;
beforeEach(() => {
  now = 0;
  slices = createTimeSlices({ now: () => now, monotonic: () => now }, 8);
});
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('all long work shares one budget per iteration of the event loop', async () => {
  expect(slices.isOver()).toBe(false);
  now += 7;
  expect(slices.isOver()).toBe(false);
  now += 1;
  expect(slices.isOver()).toBe(true);
  await turn();
  expect(slices.isOver()).toBe(false);
});

test('waiting work continues in later iterations, in the order of arrival', async () => {
  const order: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (let slice = 0; slice < 2; slice++) {
      await slices.wait();
      order.push(name);
      now += 8;
      expect(slices.isOver()).toBe(true);
    }
  };
  let others = 0;
  const watch = (): void => {
    order.push('others');
    if (++others < 8) setImmediate(watch);
  };
  setImmediate(watch);
  await Promise.all([work('first'), work('second'), work('third')]);
  expect(order.filter((name) => name !== 'others')).toEqual(['first', 'second', 'third', 'first', 'second', 'third']);
  // no two slices without a turn for others between
  expect(order.join(' ')).not.toMatch(/(first|second|third) (first|second|third)/);
});
