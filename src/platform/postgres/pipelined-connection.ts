import type pg from 'pg';
import { asAppError } from './pool.ts';
import type { Queryable } from './transaction.ts';

/** Transactions one behind the other on one connection. */
export interface PipelinedConnection {
  /**
   * A transaction of statements that `send` queries in this very turn: they, its begin and its commit leave in one
   * write, also while those before it are under way, so the server goes from one to the next without waiting for
   * anybody. Settles when it is committed, or rolled back because a statement failed. Nothing is tried again. Should the
   * begin alone fail, each statement would be a transaction of its own: where that must not be, one of them has to ask
   * for something that only stands within a transaction. Throws AppError `unavailable` where the database is away.
   */
  run<T>(send: (tx: Queryable) => Promise<T>): Promise<T>;
}

/** Holds a connection of the pool for as long as transactions are under way on it. */
export function createPipelinedConnection(pool: pg.Pool): PipelinedConnection {
  let held: { readonly client: Promise<pg.PoolClient>; users: number; isThere: boolean } | undefined;
  return {
    async run(send) {
      // who else waits for a connection has this one when what is under way on it is done
      const isLeft = held?.isThere === true && pool.waitingCount > 0;
      const own = held !== undefined && !isLeft ? held : { client: pool.connect(), users: 0, isThere: false };
      held = own;
      own.users++;
      let broken: Error | undefined;
      try {
        const client = await own.client;
        own.isThere = true;
        const begun = client.query('begin');
        begun.catch(() => {});
        const result = send(client);
        const ended = client.query('commit');
        const [sent, end] = await Promise.allSettled([result, ended, begun]);
        if (end.status === 'rejected') broken = end.reason as Error;
        if (sent.status === 'rejected') throw sent.reason;
        if (broken !== undefined) throw broken;
        await begun;
        return sent.value;
      } catch (error) {
        throw asAppError(error);
      } finally {
        if (broken !== undefined && held === own) held = undefined;
        if (--own.users === 0) {
          if (held === own) held = undefined;
          own.client.then(
            (client) => client.release(broken),
            () => {},
          );
        }
      }
    },
  };
}
