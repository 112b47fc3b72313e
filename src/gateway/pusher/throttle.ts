import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';

/**
 * Enforces a minimum interval between requests, so that records of a busy time are batched. After a pause the next
 * request is sent at once.
 */
export class Throttle {
  readonly #clock: Clock;
  readonly #apartMs: number;
  #beganAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, intervalMs: number) {
    this.#clock = clock;
    this.#apartMs = intervalMs;
  }

  began(): void {
    this.#beganAt = this.#clock.monotonic();
  }

  /** Waits until the next request may start; true if it has waited. */
  async waitIfEarly(): Promise<boolean> {
    const leftMs = this.#beganAt + this.#apartMs - this.#clock.monotonic();
    if (leftMs > 0) await sleep(leftMs);
    return leftMs > 0;
  }
}
