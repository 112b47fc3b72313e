import type { FedPosition } from './entry.ts';

/** Rows that may be made only when somebody asks. */
interface Kept {
  readonly count: number;
  rows(): readonly FedPosition[];
}

/**
 * Rows of entries that this very process has written, so that its followers need not read them back. By the entry's
 * number, which belongs to one transaction alone: what was rolled back is never asked for.
 */
export interface Recent {
  put(seq: number, stored: Kept): void;
  get(seq: number): readonly FedPosition[] | undefined;
}

export function createRecent(mostRows: number): Recent {
  const entries = new Map<number, Kept>();
  let held = 0;
  return {
    put(seq, stored) {
      entries.set(seq, stored);
      held += stored.count;
      for (const [oldest, { count }] of entries) {
        if (held <= mostRows) break;
        entries.delete(oldest);
        held -= count;
      }
    },
    get: (seq) => entries.get(seq)?.rows(),
  };
}
