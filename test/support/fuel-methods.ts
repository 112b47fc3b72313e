import type { FuelChange, FuelSample } from '../../src/server/movement/track/fuel.ts';

/** Published methods of finding refuels and drains, to compare with. All report changes of 10 l and more. */
const LEAST = 10;
type Level = readonly [at: number, level: number];

const change = (kind: FuelChange['kind'], from: Level, to: Level): FuelChange => ({
  kind,
  at: from[0],
  shownAt: to[0],
  amount: Math.abs(to[1] - from[1]),
  latitude: undefined,
  longitude: undefined,
});

/** The difference of two successive readings exceeds a threshold: events of tracking servers such as Traccar. */
export function byDifference(readings: readonly FuelSample[]): FuelChange[] {
  return readings.slice(1).flatMap((reading, n) => {
    const before = readings[n]!;
    const difference = reading.level - before.level;
    if (Math.abs(difference) < LEAST) return [];
    return [change(difference > 0 ? 'refuel' : 'drain', [before.at, before.level], [reading.at, reading.level])];
  });
}

const middleOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** A median filter, then a change within a time: the filtration of Wialon, with its minimum volume and its timeout. */
export function byMedian(readings: readonly FuelSample[]): FuelChange[] {
  const smooth = readings.map(({ at }, n): Level => {
    return [at, middleOf(readings.slice(Math.max(0, n - 4), n + 1).map(({ level }) => level))];
  });
  const found: FuelChange[] = [];
  let start = 0;
  for (let n = 1; n < smooth.length; n++) {
    while (smooth[n]![0] - smooth[start]![0] > 600_000 && start < n - 1) start++;
    const difference = smooth[n]![1] - smooth[start]![1];
    if (Math.abs(difference) < LEAST) continue;
    const sign = Math.sign(difference);
    let end = n;
    while (end + 1 < smooth.length && sign * (smooth[end + 1]![1] - smooth[end]![1]) > 0) end++;
    found.push(change(sign > 0 ? 'refuel' : 'drain', smooth[start]!, smooth[end]!));
    [start, n] = [end, end];
  }
  return found;
}

/**
 * A Kalman filter of the level with consumption as its model, and the cumulative sum of its innovations (E. S. Page,
 * Continuous inspection schemes, Biometrika 41, 1954): a change is where a sum exceeds five standard deviations.
 */
export function byCusum(readings: readonly FuelSample[]): FuelChange[] {
  const found: FuelChange[] = [];
  let [level, variance, up, down] = [readings[0]!.level, 4, 0, 0];
  let since: Level = [readings[0]!.at, level];
  for (const [n, reading] of readings.entries()) {
    if (n === 0) continue;
    const before = readings[n - 1]!;
    const seconds = (reading.at - before.at) / 1_000;
    const isMoving = (reading.speed ?? 0) > 5;
    if (isMoving) level -= (0.3 / 1_000) * ((reading.speed ?? 0) / 3.6) * Math.min(seconds, 60);
    variance += 0.000_1 * seconds;
    const noise = isMoving ? 64 : 0.5;
    const innovation = reading.level - level;
    const deviations = innovation / Math.sqrt(variance + noise);
    const gain = variance / (variance + noise);
    up = Math.max(0, up + deviations - 0.5);
    down = Math.max(0, down - deviations - 0.5);
    if (up === 0 && down === 0) since = [before.at, level];
    level += gain * innovation;
    variance *= 1 - gain;
    if (up < 5 && down < 5) continue;
    const next = middleOf(readings.slice(n, n + 5).map((each) => each.level));
    if (Math.abs(next - since[1]) >= LEAST) found.push(change(up >= 5 ? 'refuel' : 'drain', since, [reading.at, next]));
    [level, variance, up, down] = [next, 4, 0, 0];
    since = [reading.at, level];
  }
  return found;
}
