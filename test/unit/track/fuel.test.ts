import { describe, expect, test } from 'vitest';
import { calibrate, type FuelChange, FuelMeter } from '../../../src/track/fuel.ts';

const MINUTE = 60_000;
/** a level a minute; `km` from where the first one was read */
function follow(levels: readonly (number | { level: number; at?: number; km?: number })[], least = 8) {
  const series: number[][] = [];
  const changes: FuelChange[] = [];
  const meter = new FuelMeter(
    { least, resolutionMs: 10 * MINUTE },
    (at, level) => series.push([at, level]),
    (c) => changes.push(c),
  );
  levels.forEach((each, n) => {
    const { level, at = n, km = 0 } = typeof each === 'number' ? { level: each } : each;
    meter.add({ at: at * MINUTE, level, latitude: 45 + km / 111.195, longitude: 9 });
  });
  meter.finish();
  return { series, changes: changes.map(({ kind, at, amount }) => [kind, at / MINUTE, Math.round(amount)]) };
}
const flat = (n: number, level: number): number[] => Array(n).fill(level);
/** slosh: two litres up and down, a spike each tenth reading */
const slosh = (levels: readonly number[]): number[] =>
  levels.map((v, n) => v + [0, 2, -2, 1, -1][n % 5]! + (n % 10 === 9 ? 15 : 0));

describe('a tank', () => {
  test('is refuelled at once or slowly', () => {
    expect(follow([...flat(20, 30), ...flat(20, 75)]).changes).toEqual([['refuel', expect.any(Number), 45]]);
    const pump = Array.from({ length: 5 }, (_, n) => 30 + n * 9);
    expect(follow([...flat(20, 30), ...pump, ...flat(20, 75)]).changes).toEqual([['refuel', expect.any(Number), 45]]);
  });
  test('is refuelled and drained while the device is silent', () => {
    const later = (level: number) => Array.from({ length: 20 }, (_, n) => ({ level, at: 500 + n }));
    expect(follow([...flat(20, 30), ...later(70)]).changes).toEqual([['refuel', 19, 40]]);
    expect(follow([...flat(20, 70), ...later(30)]).changes).toEqual([['drain', 19, 40]]);
  });
  test('that is emptied by driving is not drained', () => {
    // 30 l an hour
    expect(follow(Array.from({ length: 180 }, (_, n) => ({ level: 100 - n / 2, km: n }))).changes).toEqual([]);
    const far = Array.from({ length: 20 }, (_, n) => ({ level: 30, at: 500 + n, km: 300 }));
    expect(follow([...flat(20, 70), ...far]).changes).toEqual([]);
  });
  test('with a moving fuel level is neither', () => {
    expect(follow(slosh(flat(300, 50))).changes).toEqual([]);
    expect(follow([...slosh(flat(60, 30)), ...slosh(flat(60, 75))]).changes).toEqual([
      ['refuel', expect.any(Number), expect.closeTo(45, -1)],
    ]);
  });
  test('is sampled at a resolution', () => {
    expect(follow(flat(35, 50)).series).toEqual([0, 10, 20, 30].map((n) => [n * MINUTE, 50]));
  });
});

test('a table turns readings into litres', () => {
  const table = [
    [0, 0],
    [500, 20],
    [1000, 60],
  ] as const;
  expect([-5, 0, 250, 500, 750, 1000, 2000].map((reading) => calibrate(table, reading))).toEqual([
    0, 0, 10, 20, 40, 60, 60,
  ]);
});
