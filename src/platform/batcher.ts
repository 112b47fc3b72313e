import { asRestrictedUser, asWholeTenant, restrictedUser } from './restriction.ts';

export interface BatcherOptions {
  /** maximum number of items of one batch */
  readonly most: number;
  /** batches at a time; 1 unless given */
  readonly inFlight?: number;
  /** time the first item waits for others, ms; default: until the end of this iteration of the event loop */
  readonly waitMs?: number;
  /** A batch that fails is repeated item by item, so that one bad item fails alone. False unless given. */
  readonly splitsFailed?: boolean;
  /** called each time that the batcher becomes idle */
  readonly onIdle?: () => void;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Groups items into batches: items that arrive in one iteration of the event loop, or while a batch is running, form
 * the next batch, in order. Results are not cached.
 */
export class Batcher<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #options: BatcherOptions;
  #waiting: Waiting<Item, Result>[] = [];
  #inFlight = 0;
  #isDue = false;

  /** `work` returns a result for each item, in their order. */
  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>, options: BatcherOptions) {
    this.#work = work;
    this.#options = options;
  }

  /** nothing waits and nothing is being worked on */
  get isIdle(): boolean {
    return this.#inFlight === 0 && this.#waiting.length === 0;
  }

  /** Rejects with what `work` throws. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#isDue || this.#inFlight >= (this.#options.inFlight ?? 1)) return;
      this.#isDue = true;
      const begin = (): void => {
        this.#isDue = false;
        this.#next();
      };
      // requests read from other sockets in this iteration join the first batch
      if (this.#options.waitMs === undefined) setImmediate(begin);
      else setTimeout(begin, this.#options.waitMs);
    });
  }

  #next(): void {
    const { most, inFlight = 1 } = this.#options;
    while (this.#waiting.length > 0 && this.#inFlight < inFlight) {
      const batch = this.#waiting.splice(0, most);
      this.#inFlight++;
      void this.#run(batch).finally(() => {
        this.#inFlight--;
        this.#next();
        if (this.isIdle) this.#options.onIdle?.();
      });
    }
  }

  async #run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#work(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
    } catch (error) {
      if (this.#options.splitsFailed === true && batch.length > 1) for (const one of batch) await this.#run([one]);
      else for (const { reject } of batch) reject(error);
    }
  }
}

/** Looks up records of a tenant (0: none) by name; missing records are absent from the result. */
export type LookUp<T> = (tenantId: number, names: readonly string[]) => Promise<ReadonlyMap<string, T>>;

/** Names of one statement. */
const MAX_NAMES = 500;

/**
 * Look-ups by name, batched for each tenant, and for each user who is given some vehicles; each name is asked once in
 * a batch.
 */
export function lookUpInBatches<T>(
  lookUp: LookUp<T>,
  options: Omit<BatcherOptions, 'most' | 'onIdle'> = {},
): (tenantId: number, name: string) => Promise<T | undefined> {
  const batchers = new Map<number | string, Batcher<string, T | undefined>>();
  return (tenantId, name) => {
    const user = restrictedUser();
    const key = user === undefined ? tenantId : `${tenantId} ${user}`;
    let batcher = batchers.get(key);
    if (batcher === undefined) {
      const work = async (names: readonly string[]): Promise<readonly (T | undefined)[]> => {
        const ask = (): ReturnType<LookUp<T>> => lookUp(tenantId, [...new Set(names)]);
        const found = await (user === undefined ? asWholeTenant(ask) : asRestrictedUser(user, ask));
        return names.map((wanted) => found.get(wanted));
      };
      batcher = new Batcher(work, { ...options, most: MAX_NAMES, onIdle: () => batchers.delete(key) });
      batchers.set(key, batcher);
    }
    return batcher.add(name);
  };
}
