import type { Sample } from './runs.ts';
import { type Fix, type Rule, seconds } from './types.ts';

export type Levels = readonly (readonly [number, number])[];

/** minimum interval between retained readings, ms */
const APART_MS = 15_000;
const MOST_LEVELS = 48;

/** Detects a sudden change of a tank's level, on the reading before the newest one. */
export type FuelWatch = (
  levels: Levels,
  fix: Fix,
) => { readonly levels: Levels; readonly sample: Omit<Sample, 'spot'> | undefined };

export function fuelWatch({ params, type }: Rule): FuelWatch {
  const { litres = 15, percent = 5 } = params;
  const windowMs = seconds(params.windowSeconds, 600);
  const sign = type === 'fuel_drain' ? -1 : 1;
  return (levels, fix) => {
    if (!fix.mentions('fuel') && !fix.mentions('fuelLevel')) return { levels, sample: undefined };
    const attributes = fix.attributes();
    const inLitres = typeof attributes['fuel'] === 'number';
    const level = inLitres ? attributes['fuel'] : attributes['fuelLevel'];
    if (typeof level !== 'number') return { levels, sample: undefined };
    const nearest = levels.find(([at]) => Math.abs(at - fix.at) < APART_MS);
    if (nearest !== undefined) return { levels, sample: undefined };
    const next = [...levels, [fix.at, level] as const].sort((a, b) => a[0] - b[0]).slice(-MOST_LEVELS);
    const place = next.findIndex(([at]) => at === fix.at);
    const candidate = place - 1;
    if (candidate < 1) return { levels: next, sample: undefined };
    const change = changeAt(next, candidate, windowMs, sign);
    const least = inLitres ? litres : percent;
    const on = change >= least;
    return { levels: next, sample: { at: next[candidate]![0], on, ...(on ? { value: change } : {}) } };
  };
}

/** Change of the level in one direction within the window, if the next reading confirms it. */
function changeAt(levels: Levels, index: number, windowMs: number, sign: number): number {
  const [at, level] = levels[index]!;
  const [, after] = levels[index + 1]!;
  const reached = Math.min(sign * level, sign * after);
  let start = Number.POSITIVE_INFINITY;
  for (let i = index - 1; i >= 0 && at - levels[i]![0] <= windowMs; i--) start = Math.min(start, sign * levels[i]![1]);
  return reached - start;
}
