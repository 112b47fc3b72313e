/** How often the row is read while a client waits: the end may be reported to another process. */
const POLL_MS = 1_000;

/** A client that waits, and may disconnect. */
export interface Waiter {
  readonly isGone: boolean;
  /** Called once when the client is gone. Returns how to unsubscribe. */
  onGone(listener: () => void): () => void;
}

export interface WaitForOptions<T> {
  readonly hasEnded: (value: T) => boolean;
  /** calls back when this process learns of the end; returns how to unsubscribe */
  readonly onEnded: (listener: (end: T) => void) => () => void;
  readonly seconds: number;
  readonly waiter: Waiter;
  readonly monotonic: () => number;
  /** ms between two reads; shorter in tests */
  readonly pollMs?: number;
}

/**
 * Begins with `first` and reads until the command has ended, the time is over or the client is gone, and returns the
 * last value. It subscribes before the first read, so that no end is missed.
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
      if (end !== undefined) return end;
      if (hasEnded(value) || left <= 0 || waiter.isGone) return value;
      value = await read();
    }
  } finally {
    unsubscribeEnd();
    unsubscribeGone();
  }
}
