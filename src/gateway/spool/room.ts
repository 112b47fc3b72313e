import { SpoolFailed, SpoolFull } from './errors.ts';

export interface Blocked {
  readonly reason: 'bytes' | 'disk' | 'failed';
  readonly detail: string;
}

export interface Bounds {
  readonly maxBytes: number;
  readonly minFreeBytes: number;
  /** bytes that must be free before appending continues after it was blocked */
  readonly headroomBytes: number;
  readonly pollMs: number;
}

const CHECK_EVERY_MS = 1_000;
const CHECK_EVERY_BYTES = 16 * 1024 * 1024;

/**
 * Decides whether records can be appended. A block lasts until `headroomBytes` more are free, so that it does not come
 * and go.
 */
export class Room {
  #blocked: Blocked | undefined;
  readonly #bounds: Bounds;
  readonly #usedBytes: () => number;
  readonly #freeBytes: () => Promise<number>;
  readonly #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #bytesSinceCheck = 0;
  #closed = false;

  constructor(bounds: Bounds, usedBytes: () => number, freeBytes: () => Promise<number>) {
    this.#bounds = bounds;
    this.#usedBytes = usedBytes;
    this.#freeBytes = freeBytes;
  }

  get blocked(): Blocked | undefined {
    return this.#blocked;
  }

  /** Why so many bytes cannot be appended; undefined if they can. */
  refusal(bytes: number): SpoolFull | SpoolFailed | undefined {
    if (this.#blocked === undefined && this.#usedBytes() + bytes > this.#bounds.maxBytes) {
      this.block({ reason: 'bytes', detail: `The spool has reached its limit of ${this.#bounds.maxBytes} bytes` });
    }
    const blocked = this.#blocked;
    if (blocked === undefined) return undefined;
    return blocked.reason === 'failed'
      ? new SpoolFailed(blocked.detail)
      : new SpoolFull(blocked.reason, blocked.detail);
  }

  block(blocked: Blocked): void {
    if (this.#closed) return;
    this.#blocked = blocked;
    this.#timer ??= setInterval(() => void this.unblockIfRoom(), this.#bounds.pollMs).unref();
  }

  /** Reports written bytes; checks the disk from time to time. */
  written(bytes: number, monotonicMs: number): void {
    this.#bytesSinceCheck += bytes;
    if (this.#bytesSinceCheck < CHECK_EVERY_BYTES && monotonicMs - this.#checkedAt < CHECK_EVERY_MS) return;
    this.#bytesSinceCheck = 0;
    this.#checkedAt = monotonicMs;
    void this.measure();
  }

  /** Blocks if the free space of the disk is below SPOOL_MIN_FREE_BYTES. */
  async measure(): Promise<void> {
    const { minFreeBytes } = this.#bounds;
    if (minFreeBytes === 0 || this.#blocked !== undefined) return;
    const free = await this.#freeBytes().catch(() => undefined);
    if (free === undefined || free >= minFreeBytes || this.#blocked !== undefined) return;
    this.block({
      reason: 'disk',
      detail: `The disk of the spool has ${free} free bytes; at least ${minFreeBytes} must stay free`,
    });
  }

  /** Ends the block if there is room again. */
  async unblockIfRoom(): Promise<void> {
    if (this.#blocked === undefined) return;
    const { maxBytes, headroomBytes, minFreeBytes } = this.#bounds;
    if (this.#usedBytes() > maxBytes - headroomBytes) return;
    const free = await this.#freeBytes().catch(() => undefined);
    if (free !== undefined && free < minFreeBytes + headroomBytes) return;
    this.#unblock();
  }

  /** Resolves when appending is not blocked. */
  whenRoom(): Promise<void> {
    if (this.#blocked === undefined) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  close(): void {
    this.#closed = true;
    this.#unblock();
  }

  #unblock(): void {
    this.#blocked = undefined;
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
