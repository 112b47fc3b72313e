/** How a piece of work goes; what it is made of is its own. */
export interface Turn<T> {
  /**
   * Begins before what came before it is done, where that is possible: undefined where it is not. Called when all that
   * came before it has begun.
   */
  begin(): Promise<T | undefined> | undefined;
  /** Called when all that came before it is done, well or not, with what `begin` came to. */
  finish(begun: T | undefined, hasBegun: () => void): Promise<T>;
}

export interface Lanes<T> {
  /** Does what is `ready` in the order in which it came, lane by lane. */
  inOrder(lane: string, ready: Promise<Turn<T>>): Promise<T>;
}

interface Place {
  readonly begun: Promise<void>;
  readonly done: Promise<void>;
}

/** Work that is got ready side by side, begins in the order in which it came, and is done in that order. */
export function createLanes<T>(): Lanes<T> {
  const tails = new Map<string, Place>();
  return {
    async inOrder(lane, ready) {
      const before = tails.get(lane);
      let hasBegun = (): void => {};
      let isDone = (): void => {};
      const place: Place = {
        begun: new Promise((resolve) => {
          hasBegun = resolve;
        }),
        done: new Promise((resolve) => {
          isDone = resolve;
        }),
      };
      tails.set(lane, place);
      // its error belongs to whoever awaits it below, also where it comes early
      ready.catch(() => undefined);
      try {
        await before?.begun;
        const turn = await ready;
        const early = turn.begin();
        if (early !== undefined) hasBegun();
        early?.catch(() => undefined);
        await before?.done;
        return await turn.finish(await early, hasBegun);
      } finally {
        // never before those that it came behind, also where it failed early
        await before?.done;
        hasBegun();
        isDone();
        if (tails.get(lane) === place) tails.delete(lane);
      }
    },
  };
}
