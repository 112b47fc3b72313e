import type pg from 'pg';
import { restrictedUser } from '../../platform/restriction.ts';

type Connect = (callback?: (...args: unknown[]) => void) => Promise<pg.PoolClient>;

/**
 * A pool whose clients are of another role for work that is limited to the vehicles of a user: only that role has the
 * policies about vehicles, so that other work does not pay for them. The role is decided when a client is requested.
 */
export function createRoutedPool(create: (isRestricted: boolean) => pg.Pool): pg.Pool {
  const pool = create(false);
  const restricted = create(true);
  const connectWhole = pool.connect.bind(pool) as Connect;
  const connectRestricted = restricted.connect.bind(restricted) as Connect;
  const end = pool.end.bind(pool) as () => Promise<void>;
  return Object.assign(pool, {
    connect: (callback?: (...args: unknown[]) => void) =>
      (restrictedUser() === undefined ? connectWhole : connectRestricted)(callback),
    end: async () => {
      await Promise.all([end(), restricted.end()]);
    },
  });
}
