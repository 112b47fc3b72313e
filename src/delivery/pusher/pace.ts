import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';

/** Keeps requests apart, so that what comes meanwhile travels together; what comes after a pause leaves at once. */
export class Pace {
  readonly #clock: Clock;
  readonly #apartMs: number;
  #beganAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, apartMs: number) {
    this.#clock = clock;
    this.#apartMs = apartMs;
  }

  began(): void {
    this.#beganAt = this.#clock.monotonic();
  }

  /** Was it too early for the next? Then it is not any more. */
  async wasEarly(): Promise<boolean> {
    const leftMs = this.#beganAt + this.#apartMs - this.#clock.monotonic();
    if (leftMs > 0) await sleep(leftMs);
    return leftMs > 0;
  }
}
