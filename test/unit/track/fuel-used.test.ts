import { expect, test } from 'vitest';
import { usedBetween } from '../../../src/server/movement/track/fuel-used.ts';

const MINUTE = 60_000;
const levels = (litres: readonly number[], changes: Parameters<typeof usedBetween>[0]['changes'] = []) => ({
  at: litres.map((_, n) => n * MINUTE),
  litres,
  changes,
});
/** 10 min parked, an hour at 0.5 l a minute, then parked */
const parked = (level: number) => Array.from({ length: 10 }, () => level);
const drive = Array.from({ length: 60 }, (_, n) => 100 - (n + 1) / 2);

test('the fall of the level is what was used', () => {
  expect(usedBetween(levels([...parked(100), ...drive, ...parked(70)]), 9 * MINUTE, 69 * MINUTE, 10)).toBeCloseTo(
    30,
    0,
  );
});
test('what was put in is used too, what was taken out is not', () => {
  const refuelled = [
    ...parked(100),
    ...drive.slice(0, 30),
    ...drive.slice(30).map((level) => level + 50),
    ...parked(120),
  ];
  const refuel = { kind: 'refuel', at: 40 * MINUTE, amount: 50 } as const;
  expect(usedBetween(levels(refuelled, [refuel]), 9 * MINUTE, 69 * MINUTE, 10)).toBeCloseTo(30, 0);
  const drained = [...parked(100), ...drive.slice(0, 30), ...drive.slice(30).map((level) => level - 20), ...parked(50)];
  const drain = { kind: 'drain', at: 40 * MINUTE, amount: 20 } as const;
  expect(usedBetween(levels(drained, [drain]), 9 * MINUTE, 69 * MINUTE, 10)).toBeCloseTo(30, 0);
});
test('a refuel at the place where it ends does not belong to it', () => {
  const refuel = { kind: 'refuel', at: 70 * MINUTE, amount: 80 } as const;
  const found = usedBetween(levels([...parked(100), ...drive, ...parked(150)], [refuel]), 9 * MINUTE, 69 * MINUTE, 10);
  expect(found).toBeGreaterThan(27);
  expect(found).toBeLessThan(31);
});
test('is not known without readings near its ends', () => {
  expect(usedBetween(levels(parked(100)), 100 * MINUTE, 200 * MINUTE, 10)).toBeNull();
  expect(usedBetween(levels([]), 0, 10, 10)).toBeNull();
});
