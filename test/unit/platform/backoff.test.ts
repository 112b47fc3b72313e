import { expect, test } from 'vitest';
import { doublingMs, receiverPauseS } from '../../../src/platform/backoff.ts';

test('a pause doubles with each failure in a row, up to its maximum', () => {
  expect([1, 2, 3, 4, 5].map((failures) => doublingMs(failures, 100, 1_000))).toEqual([100, 200, 400, 800, 1_000]);
});

test('a pause stays at its maximum after any number of failures', () => {
  expect([30, 1_100, Number.MAX_SAFE_INTEGER].map((failures) => doublingMs(failures, 100, 10_000))).toEqual(
    Array(3).fill(10_000),
  );
});

test('the pauses of an external receiver grow to two hours, which repeat', () => {
  expect([1, 2, 7, 8, 100].map(receiverPauseS)).toEqual([5, 30, 7_200, 7_200, 7_200]);
});
