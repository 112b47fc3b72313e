/** Interval of reads while a client waits, ms: another process may have been told of the end. */
const POLL_MS = 1_000;

/** A waiting client, which may disconnect. */
export interface Waiter {
  readonly isGone: boolean;
  /** Calls back once when the client has disconnected. Returns a function to unsubscribe. */
  onGone(listener: () => void): () => void;
}

export interface WaitForOptions<T> {
  readonly hasEnded: (value: T) => boolean;
  /** calls back when this process is told of the end; returns a function to unsubscribe */
  readonly onEnded: (listener: (end: T) => void) => () => void;
  readonly seconds: number;
  readonly waiter: Waiter;
  readonly monotonic: () => number;
  /** ms between two reads; POLL_MS unless given */
  readonly pollMs?: number;
}

/**
 * Calls `first`, then reads until the command has ended, the time limit is reached or the client has disconnected, and
 * returns the last value. Subscribes before the first read, so that no end is missed.
 */
export async function waitFor<T>(
  first: () => Promise<T>,
  read: () => Promise<T>,
  options: WaitForOptions<T>,
): Promise<T> {
  const { hasEnded, onEnded, seconds, waiter, monotonic, pollMs = POLL_MS } = options;
  if (seconds <= 0) return first();
  const until = monotonic() + 1000 * seconds;
  let end: T | undefined;
  let wake = (): void => {};
  const unsubscribeEnd = onEnded((value) => {
    end = value;
    wake();
  });
  const unsubscribeGone = waiter.onGone(() => wake());
  try {
    let value = await first();
    for (;;) {
      const left = until - monotonic();
      if (end === undefined && !hasEnded(value) && left > 0 && !waiter.isGone) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
          timer = setTimeout(resolve, Math.min(pollMs, left));
        });
        clearTimeout(timer);
      }
      // a command that the caller may not read has no end for him, though this process may have learned of it
      if (hasEnded(value)) return value;
      if (end !== undefined) return end;
      if (left <= 0 || waiter.isGone) return value;
      value = await read();
    }
  } finally {
    unsubscribeEnd();
    unsubscribeGone();
  }
}
