import { setTimeout as wait } from 'node:timers/promises';

/** Work in pieces, one after the other, with pauses between them. */
export interface Pace {
  /** Pauses as the pieces before demand, then does this one. */
  of<T>(work: () => Promise<T>): Promise<T>;
}

export interface PaceOptions {
  /** share of the time that is spent working, above 0 and at most 1 */
  readonly share: number;
  /** monotonic clock, ms */
  readonly monotonic: () => number;
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** Each piece is followed by so long a pause that work takes its share of the time. Pieces that fail count as well. */
export function createPace({ share, monotonic, pause = wait }: PaceOptions): Pace {
  let owed = 0;
  return {
    async of(work) {
      if (owed > 0) await pause(owed);
      const from = monotonic();
      try {
        return await work();
      } finally {
        const worked = monotonic() - from;
        owed = worked / share - worked;
      }
    },
  };
}
