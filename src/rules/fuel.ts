import type { Watching } from './judge.ts';
import type { Levels } from './state.ts';
import { type Rule, seconds } from './types.ts';

/** minimum interval between retained readings, ms */
const APART_MS = 15_000;
const MOST_LEVELS = 48;

/** Detects a sudden change of a tank's level, on the reading before the newest one. */
export function fuelLevel({ params, type }: Rule): Watching {
  const { litres = 15, percent = 5 } = params;
  const windowMs = seconds(params.windowSeconds, 600);
  const sign = type === 'fuel_drain' ? -1 : 1;
  return (fix, memory, take) => {
    if (!fix.mentions('fuel') && !fix.mentions('fuelLevel')) return;
    const attributes = fix.attributes();
    const inLitres = typeof attributes['fuel'] === 'number';
    const level = inLitres ? attributes['fuel'] : attributes['fuelLevel'];
    if (typeof level !== 'number') return;
    const known = memory.levels ?? [];
    const last = known.at(-1);
    if (last !== undefined && fix.at - last[0] < APART_MS) return;
    const levels = [...known, [fix.at, level] as const].slice(-MOST_LEVELS);
    memory.levels = levels;
    const candidate = levels.length - 2;
    if (candidate < 1) return;
    const change = changeAt(levels, candidate, windowMs, sign);
    const on = change >= (inLitres ? litres : percent);
    take(levels[candidate]![0], on ? { on, value: change } : { on }, fix);
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
