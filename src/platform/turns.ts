import { type Clock, systemClock } from './clock.ts';

/** Long work shares the event loop with whatever else there is to do. */
export interface Turns {
  /** Has long work had its share of this turn of the event loop? Ask between slices of a few ms at most. */
  isOver(): boolean;
  /** For a turn with a share of its own: one of those who wait has each, first come, first served. */
  wait(): Promise<void>;
}

/** ms of one turn that all long work may have together */
const SHARE_MS = 8;

export function createTurns(clock: Clock, shareMs = SHARE_MS): Turns {
  const waiting: (() => void)[] = [];
  let until: number | undefined;
  const begin = (): void => {
    until = clock.monotonic() + shareMs;
    setImmediate(next);
  };
  const next = (): void => {
    until = undefined;
    const go = waiting.shift();
    if (go === undefined) return;
    begin();
    go();
  };
  return {
    isOver() {
      if (until === undefined) begin();
      return clock.monotonic() >= until!;
    },
    wait: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (until === undefined) begin();
      }),
  };
}

/** Of this process: its event loop is one. */
export const turns: Turns = createTurns(systemClock);
