/** The only reader of the clock: code that depends on time takes a Clock, so that tests can control it. */
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
