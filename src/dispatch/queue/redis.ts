import { createRedisBackend } from 'bullmq';
import { Redis } from 'ioredis';
import { pieces, type QueueBackend } from './backend.ts';
import { QUEUE_NAME } from './job.ts';

const PREFIX = 'fleetgate';
/** A queue that hangs is as good as down. */
const COMMAND_TIMEOUT_MS = 10_000;

/** Jobs on Redis or Valkey: `noeviction` and append-only files are expected of it. */
export function redisBackend(url: string): QueueBackend {
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
    everyMs: 1_000,
    minAgeMs: 0,
    trimsEnded: true,
    connect: (purpose) => ({ options: { connection: open(purpose), prefix: PREFIX }, factory: createRedisBackend }),
    async states(jobs, ids) {
      const found = new Map<string, string>();
      const client = clients[0]!;
      const keys = await Promise.all(ids.map((id) => client.exists(`${PREFIX}:${QUEUE_NAME}:${id}`)));
      // most have no job yet: to see that costs a fraction of what asking for a state does
      const known = ids.filter((_, index) => keys[index] === 1);
      for (const piece of pieces(known, 500)) {
        const states = await Promise.all(piece.map((id) => jobs.getJobState(id)));
        for (const [index, state] of states.entries()) if (state !== 'unknown') found.set(piece[index]!, state);
      }
      return found;
    },
    // streams of events are kept short by Redis itself
    tidy: async () => {},
    onBack: (listener) => void back.add(listener),
    async close() {
      for (const client of clients.splice(0)) client.disconnect();
    },
  };
}
