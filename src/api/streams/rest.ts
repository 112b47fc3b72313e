import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

/** share of the time in which a thread that has no more to give is busy */
const BUSY = 0.9;
/** so many times as long as a part took a stream rests */
const REST = 2;
const LONGEST_MS = 500;

/**
 * Storing comes before sending: while positions are stored faster than a stream sends them, and the thread has no time left, the
 * stream rests between two parts. It catches up when there is time.
 */
export function createRest(stored: () => number): (sent: number) => Promise<void> {
  let before = performance.eventLoopUtilization();
  let storedBefore = stored();
  return async (sent) => {
    const { active, idle, utilization } = performance.eventLoopUtilization(before);
    const isBehind = stored() - storedBefore > sent;
    if (isBehind && utilization > BUSY) await wait(Math.min(LONGEST_MS, REST * (active + idle)));
    before = performance.eventLoopUtilization();
    storedBefore = stored();
  };
}
