import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inOrder, twoAtATime } from '../../../../src/server/movement/api/two-at-a-time.ts';

/** Work that takes so many iterations; counts how much of it goes on at once. */
function counted() {
  let going = 0;
  let most = 0;
  return {
    async work(iterations: number): Promise<number> {
      most = Math.max(most, ++going);
      for (let i = 0; i < iterations; i++) await turn();
      going--;
      return iterations * 10;
    },
    get most() {
      return most;
    },
  };
}

const items = [5, 1, 3, 9, 2, 2, 7];

test('two at a time, results in order', async () => {
  const counter = counted();
  expect(await twoAtATime(items, counter.work)).toEqual(items.map((n) => n * 10));
  expect(counter.most).toBe(2);
  expect(await twoAtATime([], counter.work)).toEqual([]);
});

test('in order, each taken before a third is begun', async () => {
  const counter = counted();
  const taken: number[] = [];
  await inOrder(items, counter.work, async (result) => {
    await turn();
    taken.push(result);
  });
  expect(taken).toEqual(items.map((n) => n * 10));
  expect(counter.most).toBe(2);
  await inOrder([], counter.work, () => Promise.reject(new Error('nothing to take')));
});

test('a failure is reported in order, and ends the rest', async () => {
  const taken: number[] = [];
  const work = async (n: number): Promise<number> => {
    if (n === 3) throw new Error('three');
    return n;
  };
  await expect(
    inOrder(items, work, async (n) => {
      taken.push(n);
    }),
  ).rejects.toThrow('three');
  expect(taken).toEqual([5, 1]);
});
