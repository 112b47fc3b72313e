import type pg from 'pg';
import { asAppError } from './pool.ts';
import type { Queryable } from './transaction.ts';

/** Transactions that are pipelined on one connection. */
export interface PipelinedConnection {
  /**
   * Runs a transaction of the statements that `send` queries in the calling tick. They, `begin` and `commit` are one
   * write, also while earlier transactions are running, so the server never waits for the client. Settles when the
   * transaction is committed, or rolled back because a statement failed; there is no retry. If `begin` alone fails, each
   * statement is a transaction of its own: where that must not happen, one of them has to check a setting that is local
   * to a transaction. Throws AppError `unavailable` if the database cannot be reached.
   */
  run<T>(send: (tx: Queryable) => Promise<T>): Promise<T>;
}

/** Keeps a connection of the pool while transactions are running on it. */
export function createPipelinedConnection(pool: pg.Pool): PipelinedConnection {
  let held: { readonly client: Promise<pg.PoolClient>; users: number; isThere: boolean } | undefined;
  return {
    async run(send) {
      // other clients that wait for a connection get this one once its transactions are done
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
