import { createHash } from 'node:crypto';

export interface BudgetOptions {
  /** name of the budget, the same in every process */
  readonly name: string;
  readonly points: number;
  readonly windowMs: number;
}

/** Current count of a key. */
export interface Count {
  /** of all processes, as of the last exchange */
  readonly points: number;
  readonly leftMs: number;
}

/** Rate limit counter by key. The window of a key begins with its first use. */
export interface Budget {
  readonly options: BudgetOptions;
  /** Adds one point. */
  add(key: string): Count;
  get(key: string): Count | undefined;
  /** Removes one point, down to 0. */
  giveBack(key: string): void;
  /** Adds one point; if there are other processes, exchanges counts with them first. */
  addShared(key: string): Promise<Count>;
}

/** A key of a budget. Times are ms of the monotonic clock. */
export class Entry {
  readonly id: string;
  readonly options: BudgetOptions;
  /** points of all processes at the last exchange */
  shared = 0;
  /** points of this process since then */
  own = 0;
  endsAt: number;
  #hash: Buffer | undefined;

  constructor(options: BudgetOptions, id: string, now: number) {
    this.options = options;
    this.id = id;
    this.endsAt = now + options.windowMs;
  }

  get points(): number {
    return Math.max(0, this.shared + this.own);
  }

  /** keys may be IP addresses, which are personal data */
  get hash(): Buffer {
    this.#hash ??= createHash('sha256').update(`${this.options.name} ${this.id}`).digest().subarray(0, 16);
    return this.#hash;
  }

  /** Begins a new window if this one is over. */
  renew(now: number): void {
    if (now < this.endsAt) return;
    this.shared = 0;
    this.own = 0;
    this.endsAt = now + this.options.windowMs;
  }

  count(now: number): Count {
    return { points: this.points, leftMs: Math.max(0, this.endsAt - now) };
  }
}
