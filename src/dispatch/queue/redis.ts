import { createRedisBackend } from 'bullmq';
import { Redis } from 'ioredis';
import type { Clock } from '../../platform/clock.ts';
import { pieces, type QueueBackend } from './backend.ts';
import { QUEUE_NAME } from './job.ts';
import { settleJobs } from './redis-jobs.ts';

const PREFIX = 'fleetgate';
/** A queue that hangs is as good as down. */
const COMMAND_TIMEOUT_MS = 10_000;

/** Jobs on Redis or Valkey: `noeviction` and append-only files are expected of it. */
export function redisBackend(url: string, clock: Clock): QueueBackend {
  const back = new Set<() => void>();
  const clients: Redis[] = [];
  const open = (purpose: 'queue' | 'worker'): Redis => {
    const client = new Redis(url, {
      connectionName: `fleetgate-${purpose}`,
      retryStrategy: (times) => Math.min(100 * times, 2_000),
      // what the queue is told fails at once while Redis is away; the worker waits for as long as it takes
      ...(purpose === 'queue'
        ? { maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: COMMAND_TIMEOUT_MS }
        : { maxRetriesPerRequest: null }),
    });
    // each failed attempt to connect is told; what that comes to is told once, above
    client.on('error', () => {});
    clients.push(client);
    if (purpose === 'queue') client.on('ready', () => void back.forEach((listener) => void listener()));
    return client;
  };
  return {
    name: 'redis',
    concurrency: 64,
    everyMs: 500,
    lookAfterMs: 1_000,
    minAgeMs: 0,
    trimsEnded: true,
    connect: (purpose) => ({ options: { connection: open(purpose), prefix: PREFIX }, factory: createRedisBackend }),
    async states(jobs, ids) {
      const found = new Map<string, string>();
      for (const piece of pieces(ids, 100)) {
        const states = await Promise.all(piece.map((id) => jobs.getJobState(id)));
        for (const [index, state] of states.entries()) if (state !== 'unknown') found.set(piece[index]!, state);
      }
      return found;
    },
    settle: (list, { count, age }) => {
      const before = clock.now() - 1_000 * age;
      return settleJobs(clients[0]!, `${PREFIX}:${QUEUE_NAME}:`, list, { count, before });
    },
    // streams of events are kept short by Redis itself
    tidy: async () => {},
    onBack: (listener) => void back.add(listener),
    async close() {
      for (const client of clients.splice(0)) client.disconnect();
    },
  };
}
