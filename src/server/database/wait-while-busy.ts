import type pg from 'pg';

type Done = (error: Error | undefined, client?: pg.PoolClient, release?: (error?: Error) => void) => void;
type Connect = (done: Done) => void;

/** what pg says where no client was free, or none was connected, within `connectionTimeoutMillis` */
const OVER = /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout)$/;

/**
 * Makes a pool wait up to `most` times as long for a client while other clients are answered: then the database, or this
 * process, is busy and not down. If no client is answered, the usual timeout applies.
 */
export function waitWhileBusy(pool: pg.Pool, most: number): void {
  let answers = 0;
  pool.on('connect', () => answers++);
  pool.on('release', (error: Error | undefined) => {
    if (!error) answers++;
  });
  const connect = pool.connect.bind(pool) as Connect;
  const attempt = (done: Done, left: number): void => {
    const before = answers;
    connect((error, client, release) => {
      if (error === undefined || left <= 1 || !OVER.test(error.message)) return done(error, client, release);
      // after a pause of the process the timers come first, and what has been received meanwhile after them
      setImmediate(() => (answers > before ? attempt(done, left - 1) : done(error)));
    });
  };
  Object.assign(pool, {
    connect(done?: Done) {
      if (done !== undefined) return attempt(done, most);
      return new Promise((resolve, reject) => {
        attempt((error, client) => (error === undefined ? resolve(client) : reject(error)), most);
      });
    },
  });
}
