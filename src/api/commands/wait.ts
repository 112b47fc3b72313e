/** How often the row is looked at while somebody waits: another process may hear of the end. */
const LOOK_MS = 1_000;

/**
 * Reads until what was read has ended, or the time is over, or nobody waits any more. What `read` gives is the answer
 * in each case.
 */
export async function waitFor<T>(
  read: () => Promise<T>,
  options: {
    readonly hasEnded: (value: T) => boolean;
    /** resolves when the end is heard of here, or after `ms` */
    readonly heard: (ms: number, signal: AbortSignal) => Promise<void>;
    readonly seconds: number;
    readonly signal: AbortSignal;
    readonly monotonic: () => number;
  },
): Promise<T> {
  const { hasEnded, heard, signal, monotonic } = options;
  const until = monotonic() + 1000 * options.seconds;
  for (;;) {
    const left = until - monotonic();
    const over = new AbortController();
    // Listens before it reads, so that no end falls between.
    const end = left > 0 ? heard(Math.min(LOOK_MS, left), AbortSignal.any([signal, over.signal])) : undefined;
    const value = await read().catch((error: unknown) => {
      over.abort();
      throw error;
    });
    if (end === undefined || hasEnded(value) || signal.aborted) {
      over.abort();
      return value;
    }
    await end;
  }
}
