import type pg from 'pg';

/** All or nothing of it. */
export const inTransaction = <T>(client: pg.Client, work: () => Promise<T>): Promise<T> =>
  within(client, 'begin', work);

/** Runs the work in one snapshot: rows that arrive meanwhile are neither read nor deleted. */
export const inSnapshot = <T>(client: pg.Client, work: () => Promise<T>): Promise<T> =>
  within(client, 'begin isolation level repeatable read', work);

async function within<T>(client: pg.Client, begin: string, work: () => Promise<T>): Promise<T> {
  await client.query(begin);
  try {
    const done = await work();
    await client.query('commit');
    return done;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
