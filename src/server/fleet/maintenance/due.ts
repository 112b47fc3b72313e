import { DAY_MS } from '../../../platform/durations.ts';

/** When a plan asks for work again. Distances are m, engine times and durations ms, times epoch ms. */
export interface Interval {
  readonly everyM: number | null;
  readonly everyEngineMs: number | null;
  readonly everyDays: number | null;
  readonly remindM: number | null;
  readonly remindEngineMs: number | null;
  readonly remindDays: number | null;
}

/** Counters of a vehicle at a time; null where they were not known. */
export interface Reading {
  readonly at: number;
  readonly odometerM: number | null;
  readonly engineMs: number | null;
}

export type DueState = 'ok' | 'due-soon' | 'overdue';

export interface Due {
  readonly state: DueState;
  /** negative once it is due; null where the plan does not ask for it, or the counter is not known */
  readonly inM: number | null;
  readonly inEngineMs: number | null;
  readonly at: number | null;
}

/**
 * What remains until a vehicle is due. `done`: when the work was done last; without it the next multiple of the interval
 * after what was counted when the plan began (`start`), as in the book of the maker: at 84,210 km and every 15,000 km the
 * next is at 90,000 km.
 */
export function dueOf(interval: Interval, start: Reading, done: Reading | undefined, now: Reading): Due {
  const inM = left(interval.everyM, start.odometerM, done?.odometerM, now.odometerM);
  const inEngineMs = left(interval.everyEngineMs, start.engineMs, done?.engineMs, now.engineMs);
  const at = interval.everyDays === null ? null : (done ?? start).at + interval.everyDays * DAY_MS;
  const remaining = [
    { left: inM, remind: interval.remindM },
    { left: inEngineMs, remind: interval.remindEngineMs },
    {
      left: at === null ? null : at - now.at,
      remind: interval.remindDays === null ? null : interval.remindDays * DAY_MS,
    },
  ];
  const isWithin = (limit: (of: (typeof remaining)[number]) => number | null): boolean =>
    remaining.some((of) => {
      const most = limit(of);
      return of.left !== null && most !== null && of.left <= most;
    });
  const state = isWithin(() => 0) ? 'overdue' : isWithin(({ remind }) => remind) ? 'due-soon' : 'ok';
  return { state, inM, inEngineMs, at };
}

/** `done`: undefined where nothing was done, null where it was done at a counter that nobody knew. */
function left(every: number | null, start: number | null, done: number | null | undefined, now: number | null) {
  if (every === null || now === null || done === null) return null;
  const next = done === undefined ? (Math.floor((start ?? 0) / every) + 1) * every : done + every;
  return next - now;
}
