import { halveRefused } from '../../platform/halving.ts';
import { isRowRefused } from './pool.ts';
import type { Queryable } from './transaction.ts';

/**
 * How a batch is written. `fast` assumes that all rows are new and saves the cost of `on conflict` (a third of the
 * insert); `careful` keeps rows that exist already.
 */
export type WriteMode = 'fast' | 'careful';

/** Batches that are written in `careful` mode after one with duplicates: repeated batches come in a sequence. */
const CAREFUL_BATCHES = 50;

/** Predicts from earlier batches whether rows are being sent again. */
export interface DuplicateHeuristic {
  writeMode(): WriteMode;
  duplicatesFound(): void;
}

/** `careful`: the first batches, of which nothing is known, are written in `careful` mode. */
export function createDuplicateHeuristic(first: WriteMode = 'fast'): DuplicateHeuristic {
  let careful = first === 'fast' ? 0 : CAREFUL_BATCHES;
  return {
    writeMode: () => (careful > 0 && careful-- > 0 ? 'careful' : 'fast'),
    duplicatesFound: () => {
      careful = CAREFUL_BATCHES;
    },
  };
}

/**
 * Applies items in order within a transaction. An item that the database refuses is passed to `refused`, the others
 * are applied. Any other error is thrown.
 */
export async function applyRows<T>(
  tx: Queryable,
  items: readonly T[],
  how: {
    readonly duplicates: DuplicateHeuristic;
    readonly apply: (items: readonly T[], writeMode: WriteMode) => Promise<unknown>;
    readonly refused: (item: T, error: Error) => void;
  },
): Promise<void> {
  if (items.length === 0) return;
  if (how.duplicates.writeMode() === 'fast') {
    const error = await attempt(tx, () => how.apply(items, 'fast'));
    if (error === undefined) return;
    how.duplicates.duplicatesFound();
  }
  await halveRefused(items, (part) => attempt(tx, () => how.apply(part, 'careful')), how.refused);
}

/** The error of a refused row; the attempt is rolled back. */
async function attempt(tx: Queryable, work: () => Promise<unknown>): Promise<Error | undefined> {
  const marked = tx.query('savepoint batch');
  marked.catch(() => {});
  try {
    await work();
    await marked;
    await tx.query('release savepoint batch');
    return undefined;
  } catch (error) {
    if (!isRowRefused(error)) throw error;
    await allSent([tx.query('rollback to savepoint batch'), tx.query('release savepoint batch')]);
    return error as Error;
  }
}

/** SQLSTATE of statements that follow a failed one in a transaction. */
const ABORTED = '25P02';

/** Waits for statements that were sent together; throws the error of the one that failed first, not of those after it. */
export async function allSent(statements: readonly Promise<unknown>[]): Promise<void> {
  const errors = (await Promise.allSettled(statements)).flatMap((settled) =>
    settled.status === 'rejected' ? [settled.reason] : [],
  );
  if (errors.length > 0) throw errors.find((error) => error?.code !== ABORTED) ?? errors[0];
}
