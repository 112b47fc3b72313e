import { setImmediate as turn } from 'node:timers/promises';

/**
 * Work that is cheaper together: what comes while a piece of work runs is gathered for the next. One piece at a time,
 * in the order in which it came; an idle gatherer begins within the turn of the loop.
 */
export class Gatherer<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #most: number;
  readonly #waiting: { item: Item; resolve(result: Result): void; reject(error: unknown): void }[] = [];
  #isRunning = false;

  /** `work` gives a result for each item, in their order. */
  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>, most: number) {
    this.#work = work;
    this.#most = most;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // What else can be read from sockets in this turn of the loop belongs to the first piece.
    await turn();
    while (this.#waiting.length > 0) {
      const piece = this.#waiting.splice(0, this.#most);
      try {
        const results = await this.#work(piece.map((w) => w.item));
        for (const [index, { resolve }] of piece.entries()) resolve(results[index]!);
      } catch (error) {
        if (piece.length === 1) piece[0]!.reject(error);
        else await this.#oneByOne(piece);
      }
    }
    this.#isRunning = false;
  }

  /** One that cannot be done must not take the others with it. */
  async #oneByOne(
    piece: readonly { item: Item; resolve(result: Result): void; reject(error: unknown): void }[],
  ): Promise<void> {
    for (const { item, resolve, reject } of piece) {
      try {
        resolve((await this.#work([item]))[0]!);
      } catch (error) {
        reject(error);
      }
    }
  }
}
