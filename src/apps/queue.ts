import { CommandQueue, postgresBackend, prepareJobTables, redisBackend } from '../dispatch/queue/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import type { Database, DatabaseOptions } from '../platform/postgres/index.ts';

/** What the owner has to make for the queue: tables, where there is no Redis. */
export const queuePreparation = (config: Config): { readonly prepare?: NonNullable<DatabaseOptions['prepare']> } =>
  config.REDIS_URL === undefined ? { prepare: prepareJobTables } : {};

/** The queue that the settings ask for, not started yet. */
export function createQueue(config: Config, database: Database, log: Log): CommandQueue {
  return new CommandQueue({
    pool: database.ingest,
    connection: () => database.connection('queue turn'),
    backend:
      config.REDIS_URL === undefined
        ? postgresBackend(database.foreignPool)
        : redisBackend(config.REDIS_URL, systemClock),
    clock: systemClock,
    log,
    kept: config.QUEUE_KEPT,
    outboxLimit: config.QUEUE_OUTBOX_LIMIT,
  });
}
