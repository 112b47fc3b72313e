/** How often the row is looked at while somebody waits: another process may hear of the end. */
const LOOK_MS = 1_000;

/** Somebody who may lose patience. */
export interface Waiting {
  readonly isOver: boolean;
  /** Called once when nobody waits any more; at once where that is so. Returns how to forget it. */
  onOver(tell: () => void): () => void;
}

export interface WaitOptions<T> {
  readonly hasEnded: (value: T) => boolean;
  /** calls back with the end when it is heard of here; returns how to hear no more */
  readonly onEnded: (heard: (end: T) => void) => () => void;
  readonly seconds: number;
  readonly waiting: Waiting;
  readonly monotonic: () => number;
  /** ms between two looks; tests are in a hurry */
  readonly lookMs?: number;
}

/**
 * Begins with `first` and reads until what was read has ended, or the time is over, or nobody waits any more: that is
 * the answer in each case. It listens before anything is read, so that no end falls between.
 */
export async function waitFor<T>(first: () => Promise<T>, read: () => Promise<T>, options: WaitOptions<T>): Promise<T> {
  const { hasEnded, onEnded, seconds, waiting, monotonic, lookMs = LOOK_MS } = options;
  if (seconds <= 0) return first();
  const until = monotonic() + 1000 * seconds;
  let end: T | undefined;
  let wake = (): void => {};
  const forgetEnd = onEnded((value) => {
    end = value;
    wake();
  });
  const forgetOver = waiting.onOver(() => wake());
  try {
    let value = await first();
    for (;;) {
      const left = until - monotonic();
      if (end === undefined && !hasEnded(value) && left > 0 && !waiting.isOver) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
          timer = setTimeout(resolve, Math.min(lookMs, left));
        });
        clearTimeout(timer);
      }
      if (end !== undefined) return end;
      if (hasEnded(value) || left <= 0 || waiting.isOver) return value;
      value = await read();
    }
  } finally {
    forgetEnd();
    forgetOver();
  }
}
