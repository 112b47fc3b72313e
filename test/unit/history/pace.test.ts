import { expect, test } from 'vitest';
import { createPace } from '../../../src/server/history/pace.ts';

function paceOf(share: number) {
  let now = 1_000;
  const pauses: number[] = [];
  const pace = createPace({ share, monotonic: () => now, pause: async (ms) => pauses.push(ms) });
  const work = (ms: number) => async () => {
    now += ms;
    return ms;
  };
  return { pace, pauses, work };
}

test('a quarter of the time is worked: pauses are three times as long as the piece before', async () => {
  const { pace, pauses, work } = paceOf(0.25);
  expect(await pace.of(work(2_000))).toBe(2_000);
  expect(pauses).toEqual([]);
  await pace.of(work(10));
  await pace.of(work(1));
  expect(pauses).toEqual([6_000, 30]);
});

test('the whole time has no pauses', async () => {
  const { pace, pauses, work } = paceOf(1);
  await pace.of(work(2_000));
  await pace.of(work(2_000));
  expect(pauses).toEqual([]);
});

test('a piece that fails is followed by a pause too', async () => {
  const { pace, pauses, work } = paceOf(0.5);
  await expect(
    pace.of(async () => {
      await work(400)();
      throw new Error('no room');
    }),
  ).rejects.toThrow('no room');
  await pace.of(work(1));
  expect(pauses).toEqual([400]);
});
