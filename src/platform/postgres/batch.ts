import { isRowRefused } from './pool.ts';
import type { Queryable } from './transaction.ts';

/**
 * Applies items in order within a transaction; where the database refuses one, the rest is applied all the same and
 * that one is handed to `refused`. Any other error is thrown.
 */
export async function applyAll<T>(
  tx: Queryable,
  items: readonly T[],
  apply: (items: readonly T[]) => Promise<unknown>,
  refused: (item: T, error: Error) => void,
): Promise<void> {
  if (items.length === 0) return;
  const marked = tx.query('savepoint batch');
  marked.catch(() => {});
  try {
    await apply(items);
    await marked;
    await tx.query('release savepoint batch');
    return;
  } catch (error) {
    if (!isRowRefused(error)) throw error;
    await tx.query('rollback to savepoint batch');
    await tx.query('release savepoint batch');
    if (items.length === 1) {
      refused(items[0]!, error as Error);
      return;
    }
  }
  const middle = items.length >> 1;
  await applyAll(tx, items.slice(0, middle), apply, refused);
  await applyAll(tx, items.slice(middle), apply, refused);
}

/** Waits for statements that travel together; throws the first one's error, which is the one that means something. */
export async function allSent(statements: readonly Promise<unknown>[]): Promise<void> {
  for (const settled of await Promise.allSettled(statements)) {
    if (settled.status === 'rejected') throw settled.reason;
  }
}
