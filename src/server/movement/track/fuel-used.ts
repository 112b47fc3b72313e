import type { FuelChange } from './fuel.ts';

/** Readings of a tank in order of time (epoch ms), liters, and the changes that were found in them. */
export interface Levels {
  readonly at: readonly number[];
  readonly litres: readonly number[];
  /** amounts in liters */
  readonly changes: readonly Pick<FuelChange, 'kind' | 'at' | 'amount'>[];
}

/** readings that a level is the median of: fuel moves in the tank */
const READINGS = 5;
/** a reading further from an end of the interval does not tell its level, ms */
const NEAR_MS = 1_800_000;
/** readings after the end are those of a vehicle that stands */
const AFTER_MS = 600_000;

/**
 * Liters used in an interval: the level at its start less that at its end, with what was put in and without what was taken
 * out. null where a level is not known. `least`: a smaller difference is no change of the level, l.
 */
export function usedBetween({ at, litres, changes }: Levels, from: number, to: number, least: number): number | null {
  const first = levelAt({ at, litres }, from);
  const last = endLevel({ at, litres }, to, least);
  if (first === undefined || last === undefined) return null;
  const moved = changes
    .filter((change) => change.at >= from && change.at < to)
    .reduce((sum, { kind, amount }) => sum + (kind === 'refuel' ? amount : -amount), 0);
  return Math.max(0, Math.round((first - last + moved) * 100) / 100);
}

type Readings = Pick<Levels, 'at' | 'litres'>;

/** By the readings before, otherwise by the first one behind. */
function levelAt({ at, litres }: Readings, time: number): number | undefined {
  const end = firstAfter(at, time);
  let start = end;
  while (start > 0 && end - start < READINGS && time - at[start - 1]! <= NEAR_MS) start--;
  if (start < end) return median(litres.slice(start, end));
  return end < at.length && at[end]! - time <= NEAR_MS ? litres[end] : undefined;
}

/** By the readings of the vehicle that stands then, if nothing was put in or taken out there. */
function endLevel({ at, litres }: Readings, time: number, least: number): number | undefined {
  const before = levelAt({ at, litres }, time);
  const start = firstAfter(at, time);
  let end = start;
  while (end < at.length && end - start < READINGS && at[end]! - time <= AFTER_MS) end++;
  if (start === end) return before;
  const after = median(litres.slice(start, end));
  return before === undefined || Math.abs(after - before) < least ? after : before;
}

/** Index of the first one later than a time. */
function firstAfter(at: readonly number[], time: number): number {
  let [low, high] = [0, at.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
