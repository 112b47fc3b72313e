import type { Recorder } from '../ports.ts';

/** Reading pauses above this number of received bytes that are not yet durable in the spool. */
const MAX_PENDING_BYTES = 256 * 1024;

/** Pauses a connection while too many of its bytes are not durable, or the spool is full. */
export class BackPressure {
  readonly #recorder: Pick<Recorder, 'hasRoom'>;
  #pendingBytes = 0;
  #pendingAppends = 0;
  #isPaused = false;

  constructor(recorder: Pick<Recorder, 'hasRoom'>) {
    this.#recorder = recorder;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** An append is neither durable nor has failed. */
  get hasPending(): boolean {
    return this.#pendingAppends > 0;
  }

  get #isTooHigh(): boolean {
    return this.#pendingBytes > MAX_PENDING_BYTES || !this.#recorder.hasRoom;
  }

  /** An append of records from so many received bytes has begun. Returns whether reading must pause. */
  begin(bytes: number): boolean {
    this.#pendingBytes += bytes;
    this.#pendingAppends++;
    this.#isPaused ||= this.#isTooHigh;
    return this.#isPaused;
  }

  /** An append is durable, or has failed. It does not end the pause: `release` does. */
  settle(bytes: number): void {
    this.#pendingBytes -= bytes;
    this.#pendingAppends--;
  }

  pause(): void {
    this.#isPaused = true;
  }

  /** Ends the pause if nothing requires it any more. Returns whether it has ended now. */
  release(): boolean {
    if (!this.#isPaused || this.#isTooHigh) return false;
    this.#isPaused = false;
    return true;
  }
}
