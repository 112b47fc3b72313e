import type pg from 'pg';
import { transaction } from '../../database/index.ts';
import * as store from './store.ts';

/** Minimum interval between two wake-ups of a command (and so of a device). */
const AGAIN_S = 3_600;
/** Seconds until a command that is being sent, or whose device is online, is checked again. */
const LOOK_S = 30;
const LIMIT = 500;

/** Decides about a command whose device may need a wake-up. Pure. */
export function decide(row: store.DueWakeUp): 'drop' | 'later' | 'wake' {
  if (row.url === null || row.isOver) return 'drop';
  if (row.state === 'sending' || row.state === 'sent') return 'later';
  if (row.state !== 'pending') return 'drop';
  return row.isOnline ? 'later' : 'wake';
}

/**
 * Checks open commands that are due and enqueues a wake-up for each offline device. True if more may be due.
 */
export async function enqueueWakeUps(pool: pg.Pool, everyones: string | undefined, now: number): Promise<boolean> {
  return transaction(pool, async (tx) => {
    const rows = await store.lockDueWakeUps(tx, everyones ?? null, LIMIT);
    if (rows.length === 0) return false;
    const early = rows.filter((row) => row.notBefore !== null && row.notBefore > now);
    const due = rows.filter((row) => !early.includes(row));
    const rowsFor = (decision: ReturnType<typeof decide>) => due.filter((row) => decide(row) === decision);
    const wake = rowsFor('wake');
    const ids = (list: readonly store.DueWakeUp[]): string[] => list.map(({ commandId }) => commandId);
    await store.dropWakeUps(tx, ids(rowsFor('drop')));
    await store.postponeWakeUps(tx, ids([...rowsFor('later'), ...early]), LOOK_S);
    await store.postponeWakeUps(tx, ids(wake), AGAIN_S);
    await store.addWakeUpDeliveries(
      tx,
      wake.map(({ tenantId, commandId, url }) => ({ tenantId, commandId, url: url! })),
    );
    return rows.length === LIMIT;
  });
}

/** Whether the wake-up is still needed. */
export async function isStillWanted(pool: pg.Pool, commandId: string, everyones: string | undefined): Promise<boolean> {
  const row = await store.findWakeUp(pool, commandId, everyones ?? null);
  return row !== undefined && decide(row) === 'wake';
}
