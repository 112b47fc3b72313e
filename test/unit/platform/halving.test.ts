import { expect, test } from 'vitest';
import { halveRefused } from '../../../src/platform/halving.ts';

/** Attempts that are refused if they contain a bad item; `log` is what happened, in order. */
function attempts(bad: readonly number[]) {
  const log: string[] = [];
  const run = (items: readonly number[]): Promise<void> =>
    halveRefused(
      items,
      async (part) => {
        const isRefused = part.some((item) => bad.includes(item));
        log.push(`${part.join()}${isRefused ? ' refused' : ''}`);
        return isRefused ? 'bad' : undefined;
      },
      (item, reason) => void log.push(`${item}: ${reason}`),
    );
  return { log, run };
}

test('items that are not refused are attempted once, together', async () => {
  const { log, run } = attempts([]);
  await run([1, 2, 3]);
  expect(log).toEqual(['1,2,3']);
});

test('a refused item is found by halves, and reported before those behind it are attempted', async () => {
  const { log, run } = attempts([2]);
  await run([1, 2, 3, 4, 5]);
  expect(log).toEqual(['1,2,3,4,5 refused', '1,2 refused', '1', '2 refused', '2: bad', '3,4,5']);
});

test('of many items a bad one costs two attempts for each time that they are halved', async () => {
  const { log, run } = attempts([700]);
  await run(Array.from({ length: 1024 }, (_, item) => item));
  expect(log.filter((line) => line.includes(':'))).toEqual(['700: bad']);
  expect(log.filter((line) => !line.includes(':'))).toHaveLength(1 + 2 * 10);
});

test('no items are not attempted', async () => {
  const { log, run } = attempts([]);
  await run([]);
  expect(log).toEqual([]);
});

test('what an attempt throws ends the work', async () => {
  const seen: number[] = [];
  const work = halveRefused(
    [1, 2, 3, 4],
    async (part) => {
      seen.push(part.length);
      if (part.length === 1) throw new Error('gone');
      return 'refused';
    },
    () => undefined,
  );
  await expect(work).rejects.toThrow('gone');
  expect(seen).toEqual([4, 2, 1]);
});
