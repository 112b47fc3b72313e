import { setTimeout as wait } from 'node:timers/promises';
import type { Job } from 'bullmq';
import { systemClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import {
  type CommandJobs,
  CommandQueue,
  postgresBackend,
  redisBackend,
} from '../../../src/server/commands/dispatch/queue/index.ts';
import type { Database } from '../../../src/server/database/index.ts';

const log = createLog('test', 'silent');

export type BackendName = 'redis' | 'postgres';

export interface QueueOver {
  readonly outboxLimit?: number;
  readonly kept?: number;
  readonly reconcileEveryMs?: number;
}

/** A queue as an API process has it, in a hurry, that compares only on request. */
export function makeQueue(database: Database, redisUrl: string | undefined, over: QueueOver = {}): CommandQueue {
  return new CommandQueue({
    pool: database.ingest,
    connection: () => database.connection('queue turn'),
    backend: redisUrl === undefined ? postgresBackend(database.foreignPool) : redisBackend(redisUrl, systemClock),
    clock: systemClock,
    log,
    kept: 10_000,
    outboxLimit: 1_000_000,
    everyMs: 20,
    reconcileEveryMs: 3_600_000,
    ...over,
  });
}

/** The jobs as soon as the queue is open, and so that they are those of now when it is opened again. */
export function openedJobs(queue: CommandQueue): Promise<CommandJobs> {
  return new Promise((resolve) => queue.onOpen(resolve));
}

export async function until<T>(look: () => Promise<T | undefined | false>, ms = 15_000): Promise<T> {
  const end = systemClock.monotonic() + ms;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found as T;
    if (systemClock.monotonic() > end) throw new Error('it does not come to that');
    await wait(20);
  }
}

/** Waits until the job is in this state, and the queue there to be asked. */
export function jobIn(jobs: CommandJobs, id: string, state: string): Promise<Job> {
  return until(async () => {
    const now = await jobs.getJobState(id).catch(() => undefined);
    return now === state ? ((await jobs.getJob(id)) as Job) : undefined;
  });
}

export async function outboxSize(database: Database): Promise<number> {
  const { rows } = await database.ingest.query<{ count: number }>('select count(*) from command_outbox');
  return rows[0]!.count;
}
