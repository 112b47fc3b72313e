import { createRedisBackend } from 'bullmq';
import type { Clock } from '../../../../platform/clock.ts';
import { chunks, type QueueBackend } from './backend.ts';
import { QUEUE_NAME } from './job.ts';
import { openRedis, prefixOf, type RedisClient } from './redis-client.ts';
import { settleJobs } from './redis-jobs.ts';

const PREFIX = 'fleetgate';
/** Commands that take longer fail, so that a queue that hangs counts as down. */
const COMMAND_TIMEOUT_MS = 10_000;
const CHECK_KEPT_S = 60;

/** Jobs on Redis or Valkey, which must be configured with `noeviction` and append-only files. */
export function redisBackend(url: string, clock: Clock): QueueBackend {
  const reconnected = new Set<() => void>();
  const clients: RedisClient[] = [];
  const prefix = prefixOf(url, PREFIX);
  const open = (purpose: 'queue' | 'worker'): RedisClient => {
    const client = openRedis(url, {
      connectionName: `fleetgate-${purpose}`,
      retryStrategy: (times) => Math.min(100 * times, 2_000),
      // calls of the queue fail at once while Redis is unavailable; the worker waits for as long as it takes
      ...(purpose === 'queue'
        ? { maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: COMMAND_TIMEOUT_MS }
        : { maxRetriesPerRequest: null }),
    });
    // emitted for each failed attempt to connect; the queue logs the outage once
    client.on('error', () => {});
    clients.push(client);
    if (purpose === 'queue') client.on('ready', () => void reconnected.forEach((listener) => void listener()));
    return client;
  };
  return {
    name: 'redis',
    concurrency: 64,
    everyMs: 500,
    lookAfterMs: 1_000,
    minAgeMs: 0,
    trimsEnded: true,
    connect: (purpose) => ({ options: { connection: open(purpose), prefix }, factory: createRedisBackend }),
    async states(jobs, ids) {
      const found = new Map<string, string>();
      for (const chunk of chunks(ids, 100)) {
        const states = await Promise.all(chunk.map((id) => jobs.getJobState(id)));
        for (const [index, state] of states.entries()) if (state !== 'unknown') found.set(chunk[index]!, state);
      }
      return found;
    },
    settle: (list, { count, age }) => {
      const before = clock.now() - 1_000 * age;
      return settleJobs(clients[0]!, `${prefix}:${QUEUE_NAME}:`, list, { count, before });
    },
    // a full Redis (`noeviction`) answers reads and refuses this
    async checkWrites() {
      await clients[0]?.set(`${prefix}:check`, '1', 'EX', CHECK_KEPT_S);
    },
    // Redis limits the event stream itself
    cleanUp: async () => {},
    onBack: (listener) => void reconnected.add(listener),
    async close() {
      for (const client of clients.splice(0)) client.disconnect();
    },
  };
}
