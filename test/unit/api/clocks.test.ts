import { describe, expect, test } from 'vitest';
import { findSuspects } from '../../../src/server/ingest/batches/positions/clocks.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 4, 1, 8);
const LIMITS = { aheadMs: 300_000, apartMs: 3 * DAY };

/** indices of suspect records; each is its time after NOW in ms, all arrive at NOW */
const suspects = (times: readonly number[], devices: readonly number[] = times.map(() => 1)): number[] => [
  ...findSuspects(
    {
      count: times.length,
      deviceId: (index) => devices[index]!,
      time: (index) => NOW + times[index]!,
      serverTime: () => NOW,
    },
    LIMITS,
    NOW,
  ),
];

describe('a record is suspect', () => {
  test.each<[string, number[], number[]]>([
    ['ahead of its arrival', [0, 300_000, 300_001, DAY], [2, 3]],
    ['19.6 years back, as after a rollover of the GPS week', [-30_000, -1024 * 7 * DAY, -10_000, 0], [1]],
    ['days off between two of today', [-3 * HOUR, -5 * DAY, 0], [1]],
  ])('%s', (_, times, expected) => expect(suspects(times)).toEqual(expected));

  test('by the records of its own device', () => {
    expect(suspects([0, -9 * DAY, 0, -9 * DAY], [1, 2, 1, 2])).toEqual([]);
  });
});

test.each<[string, number[]]>([
  ['a backlog of days', Array.from({ length: 100 }, (_, n) => (n - 100) * HOUR)],
  ['a backlog between live records', [0, -5 * DAY, 1_000, -5 * DAY + HOUR, 2_000]],
  ['reports once a week', [-21 * DAY, -14 * DAY, -7 * DAY, 0]],
  ['the first record after a long stop', [-30 * DAY, -30 * DAY + HOUR, 0]],
  ['one alone', [-900 * DAY]],
])('%s is not', (_, times) => expect(suspects(times)).toEqual([]));
