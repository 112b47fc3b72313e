import { describe, expect, test } from 'vitest';
import { findImplausible } from '../../../src/server/ingest/batches/positions/places.ts';

const NOW = Date.UTC(2026, 4, 1, 8);
type Fix = readonly [seconds: number, latitude: number, longitude: number];

const judge = (fixes: readonly (Fix | undefined)[], devices: readonly number[] = fixes.map(() => 1)) => {
  const { zero, jumps } = findImplausible({
    count: fixes.length,
    deviceId: (index) => devices[index]!,
    time: (index) => NOW + 1_000 * (fixes[index]?.[0] ?? 0),
    serverTime: () => NOW,
    place: (index) => (fixes[index] === undefined ? undefined : [fixes[index][1], fixes[index][2]]),
  });
  return { zero: [...zero], jumps: [...jumps].sort((a, b) => a - b) };
};
/** a drive along a road, a fix every 10 s */
const road = (count: number, from = 0): Fix[] =>
  Array.from({ length: count }, (_, n) => [from + n * 10, 41.9 + n * 0.002, 12.5]);

describe('a place is implausible', () => {
  test('at 0, 0', () => {
    expect(
      judge([
        [0, 0, 0],
        [10, 41.9, 12.5],
        [20, 0, 0],
        [30, 41.9, 12.5],
      ]),
    ).toEqual({ zero: [0, 2], jumps: [] });
  });
  test('where the device cannot have been between two fixes, one or many', () => {
    expect(judge([...road(3), [25, 43.5, 12.5], ...road(3, 30)]).jumps).toEqual([3]);
    const elsewhere = Array.from({ length: 240 }, (_, n): Fix => [20 + n * 0.04, 43.5 + n * 0.001, 12.5]);
    const found = judge([...road(3), ...elsewhere, ...road(3, 32)]).jumps;
    expect(found).toEqual(elsewhere.map((_, n) => n + 3));
  });
  test('by the time of the fixes and not by their order', () => {
    expect(
      judge([
        [20, 41.904, 12.5],
        [5, 43.5, 12.5],
        [0, 41.9, 12.5],
      ]).jumps,
    ).toEqual([1]);
  });
});

describe('a place is not', () => {
  test.each<[string, readonly (Fix | undefined)[]]>([
    ['on a motorway', Array.from({ length: 20 }, (_, n) => [n * 120, 41.9 + n * 0.04, 12.5])],
    ['after which the device stays where it is', [...road(3), [30, 43.5, 12.5], [40, 43.501, 12.5]]],
    ['of a backlog of another day', [...road(3), [-86_400, 43.5, 12.5], [-86_390, 43.5, 12.5], ...road(3, 30)]],
    ['of a record without a fix', [...road(2), undefined, ...road(2, 20)]],
  ])('%s', (_, fixes) => expect(judge(fixes)).toEqual({ zero: [], jumps: [] }));
  test('beside one of another device', () => {
    expect(
      judge(
        [
          [0, 41.9, 12.5],
          [1, 48, 9],
          [2, 41.9, 12.5],
          [3, 48, 9],
        ],
        [1, 2, 1, 2],
      ).jumps,
    ).toEqual([]);
  });
});
