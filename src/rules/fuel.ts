import type { Sample } from './runs.ts';
import { type Fix, type Rule, seconds } from './types.ts';

export type Levels = readonly (readonly [number, number])[];

/** readings closer than that say little more */
const APART_MS = 15_000;
const MOST_LEVELS = 48;

/** Reads a tank's level and says whether fuel came or went at once: the reading before the newest, once it has lasted. */
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
    const judged = place - 1;
    if (judged < 1) return { levels: next, sample: undefined };
    const change = changeAt(next, judged, windowMs, sign);
    const least = inLitres ? litres : percent;
    const on = change >= least;
    return { levels: next, sample: { at: next[judged]![0], on, ...(on ? { value: change } : {}) } };
  };
}

/** How much the level has gone one way within the window, and stayed there with the next reading. */
function changeAt(levels: Levels, index: number, windowMs: number, sign: number): number {
  const [at, level] = levels[index]!;
  const [, after] = levels[index + 1]!;
  const reached = Math.min(sign * level, sign * after);
  let start = Number.POSITIVE_INFINITY;
  for (let i = index - 1; i >= 0 && at - levels[i]![0] <= windowMs; i--) start = Math.min(start, sign * levels[i]![1]);
  return reached - start;
}
