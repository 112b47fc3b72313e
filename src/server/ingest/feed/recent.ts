import type { FeedPosition } from './entry.ts';

/** Rows that are created on first use. */
interface Kept {
  readonly count: number;
  rows(): readonly FeedPosition[];
}

/**
 * Cache of rows that this process has written, so that its followers need not read them back. Keyed by the entry's
 * sequence number, which belongs to one transaction: rows of a rolled-back transaction are never read.
 */
export interface Recent {
  put(seq: number, stored: Kept): void;
  get(seq: number): readonly FeedPosition[] | undefined;
}

export function createRecent(maxRows: number): Recent {
  const entries = new Map<number, Kept>();
  let held = 0;
  return {
    put(seq, stored) {
      entries.set(seq, stored);
      held += stored.count;
      for (const [oldest, { count }] of entries) {
        if (held <= maxRows) break;
        entries.delete(oldest);
        held -= count;
      }
    },
    get: (seq) => entries.get(seq)?.rows(),
  };
}
