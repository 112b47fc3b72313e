/** Runs work when a slot is free. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

/** So much work at a time, in the order in which it comes. */
export function createSemaphore(most: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = most;
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
