import type { FedPosition } from './entry.ts';

/**
 * Rows of entries that this very process has written, so that its followers need not read them back. By the entry's
 * number, which belongs to one transaction alone: what was rolled back is never asked for.
 */
export interface Recent {
  put(seq: number, rows: readonly FedPosition[]): void;
  get(seq: number): readonly FedPosition[] | undefined;
}

export function createRecent(mostRows: number): Recent {
  const entries = new Map<number, readonly FedPosition[]>();
  let held = 0;
  return {
    put(seq, rows) {
      entries.set(seq, rows);
      held += rows.length;
      for (const [oldest, { length }] of entries) {
        if (held <= mostRows) break;
        entries.delete(oldest);
        held -= length;
      }
    },
    get: (seq) => entries.get(seq),
  };
}
