import type pg from 'pg';
import { asAppError, isTransient } from './pool.ts';
import { becomeTenant } from './store.ts';

export type Queryable = Pick<pg.ClientBase, 'query'>;

const RETRIES = 4;

/**
 * Runs `work` in one transaction of a pooled client; deadlocks and serialisation failures are tried again, so `work`
 * must be repeatable. Throws AppError `unavailable` if the database cannot be reached.
 */
export function transaction<T>(pool: pg.Pool, work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
  return withRetry(() => attemptTransaction(pool, work));
}

/** Tries deadlocks and serialisation failures again. Throws AppError `unavailable` if the database cannot be reached. */
export async function withRetry<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || attempt === RETRIES) throw asAppError(error);
    }
  }
}

async function attemptTransaction<T>(pool: pg.Pool, work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    const begun = client.query('begin');
    begun.catch(() => {});
    const result = await work(client);
    await begun;
    await client.query('commit');
    return result;
  } catch (error) {
    failure = await client.query('rollback').then(
      () => undefined,
      () => error as Error,
    );
    throw error;
  } finally {
    client.release(failure);
  }
}

/**
 * One statement as a tenant, in one round trip: begin, the tenant's name for the policies, the statement and commit
 * are pipelined. Throws AppError `unavailable` if the database cannot be reached.
 */
export async function queryAsTenant<R extends pg.QueryResultRow>(
  pool: pg.Pool,
  tenantId: number,
  query: pg.QueryConfig,
): Promise<R[]> {
  return (await runAsTenant<R>(pool, tenantId, query)).rows;
}

/** As queryAsTenant, with the number of rows that changed. */
export async function runAsTenant<R extends pg.QueryResultRow>(
  pool: pg.Pool,
  tenantId: number,
  query: pg.QueryConfig,
): Promise<pg.QueryResult<R>> {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw asAppError(error);
  }
  const sent = [
    client.query('begin'),
    client.query(becomeTenant(tenantId)),
    client.query<R>(query),
    client.query('commit'),
  ] as const;
  const done = await Promise.allSettled(sent);
  const broken = done[3].status === 'rejected';
  client.release(broken ? new Error('transaction did not end') : undefined);
  for (const step of done) if (step.status === 'rejected') throw asAppError(step.reason);
  return (done[2] as PromiseFulfilledResult<pg.QueryResult<R>>).value;
}
