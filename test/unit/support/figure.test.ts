import { expect, test } from 'vitest';
import { holds, reportOf } from '../../bench/figure.ts';

test('a measured number holds within what is wanted of it', () => {
  const of = (value: number, wanted?: { atLeast?: number; atMost?: number }): boolean =>
    holds({ key: 'k', value, unit: 'ms', ...(wanted === undefined ? {} : { wanted }) });
  expect(of(1e9)).toBe(true);
  expect([of(6, { atMost: 6 }), of(6.1, { atMost: 6 })]).toEqual([true, false]);
  expect([of(12, { atLeast: 12 }), of(11.9, { atLeast: 12 })]).toEqual([true, false]);
  expect(of(Number.NaN, { atMost: 6 })).toBe(false);
});

test('the report of a benchmark holds each measured number by its key', () => {
  const figures = [
    { name: 'a sentence', value: 'no number' },
    {
      name: 'latency',
      value: '7 ms, 8 ms',
      measurements: [
        { key: 'p50', value: 7, unit: 'ms', wanted: { atMost: 6 } },
        { key: 'p99', value: 8, unit: 'ms' },
      ],
    },
  ];
  expect(reportOf('some', figures)).toEqual({
    name: 'some',
    figures: {
      p50: { value: 7, unit: 'ms', wanted: { atMost: 6 }, holds: false },
      p99: { value: 8, unit: 'ms', wanted: null, holds: true },
    },
  });
});
