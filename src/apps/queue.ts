import { systemClock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import {
  CommandQueue,
  postgresBackend,
  prepareJobTables,
  redisBackend,
} from '../server/commands/dispatch/queue/index.ts';
import type { Database, DatabaseOptions } from '../server/database/index.ts';
import type { Config } from './config.ts';

/** Tables that the owner creates for the queue, if there is no Redis. */
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
