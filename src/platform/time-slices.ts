import { type Clock, systemClock } from './clock.ts';

/** Divides the event loop between long-running work and everything else. */
export interface TimeSlices {
  /** Has long-running work used up its slice of this event-loop iteration? Check at least every few ms. */
  isOver(): boolean;
  /** Waits for a later iteration with a slice for this caller alone, in order of arrival. */
  wait(): Promise<void>;
}

/** ms of one event-loop iteration for all long-running work together */
const SLICE_MS = 8;

export function createTimeSlices(clock: Clock, sliceMs = SLICE_MS): TimeSlices {
  const waiting: (() => void)[] = [];
  let until: number | undefined;
  const begin = (): void => {
    until = clock.monotonic() + sliceMs;
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

/** Shared by the process, which has one event loop. */
export const timeSlices: TimeSlices = createTimeSlices(systemClock);
