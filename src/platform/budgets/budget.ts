import { createHash } from 'node:crypto';

export interface BudgetOptions {
  /** of this budget, the same in every process */
  readonly name: string;
  readonly points: number;
  readonly windowMs: number;
}

/** What is counted of a key. */
export interface Count {
  /** of all processes, as far as this one knows */
  readonly points: number;
  readonly leftMs: number;
}

/** Points by key within windows that begin with the first use of a key, as one process knows them. */
export interface Budget {
  readonly options: BudgetOptions;
  /** Counts one more. */
  add(key: string): Count;
  get(key: string): Count | undefined;
  /** Counts one less, if something was counted. */
  giveBack(key: string): void;
  /** Counts one more and, if other processes count as well, adds it to what they have counted. */
  addShared(key: string): Promise<Count>;
}

/** A key of a budget. Times are ms, never set back. */
export class Entry {
  readonly id: string;
  readonly options: BudgetOptions;
  /** counted by all processes, when they were last asked */
  shared = 0;
  /** counted here since then */
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

  /** keys may be addresses, which are personal */
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
