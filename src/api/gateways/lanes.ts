export interface Lanes {
  /** Does `work` with what is `ready` when all that came before it on this lane is done, well or not. */
  inOrder<R, T>(lane: string, ready: Promise<R>, work: (ready: R) => Promise<T>): Promise<T>;
}

/** Work that is got ready side by side and done in the order in which it came, lane by lane. */
export function createLanes(): Lanes {
  const tails = new Map<string, Promise<void>>();
  return {
    async inOrder(lane, ready, work) {
      const before = tails.get(lane);
      // its error belongs to whoever awaits it below, also where it comes early
      ready.catch(() => undefined);
      const done = (before ?? Promise.resolve()).then(async () => work(await ready));
      const tail = done.then(
        () => undefined,
        () => undefined,
      );
      tails.set(lane, tail);
      try {
        return await done;
      } finally {
        if (tails.get(lane) === tail) tails.delete(lane);
      }
    },
  };
}
