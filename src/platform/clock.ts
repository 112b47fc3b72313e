/** The only reader of the clock: what depends on time takes a Clock, so tests can hold it. */
export interface Clock {
  /** epoch ms */
  now(): number;
  /** ms from an arbitrary start, never set back */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
