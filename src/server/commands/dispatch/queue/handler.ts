import { DelayedError, type Job, Worker } from 'bullmq';
import { Batcher } from '../../../../platform/batcher.ts';
import type { Clock } from '../../../../platform/clock.ts';
import { isDatabaseAway, type Queryable } from '../../../database/index.ts';
import type { QueueBackend, Retention } from './backend.ts';
import { failure, type JobData, type JobSource, outcomeOf, parkedUntil, QUEUE_NAME } from './job.ts';
import { readJobSources } from './store.ts';

const DATABASE_RETRY_MS = 5_000;

export interface HandlerDeps {
  readonly pool: Queryable;
  readonly clock: Clock;
  readonly backend: QueueBackend;
  readonly keep: Retention;
}

export type CommandWorker = Pick<Worker, 'close'> & { on(event: 'error', listener: (error: Error) => void): unknown };

/**
 * Ends jobs that are due or were promoted. The row decides: a parked job that a user promotes in a dashboard is parked
 * again. A job is active only while the row is read.
 */
export function startWorker({ pool, clock, backend, keep }: HandlerDeps): CommandWorker {
  const rows = new Batcher<string, JobSource | undefined>(
    async (ids) => {
      const found = new Map((await readJobSources(pool, ids)).map((command) => [command.id, command]));
      return ids.map((id) => found.get(id));
    },
    { most: 500 },
  );
  const park = async (job: Job, until: number, token: string | undefined): Promise<never> => {
    await job.moveToDelayed(until, token);
    throw new DelayedError();
  };
  const handle = async (job: Job<JobData>, token?: string): Promise<string | null> => {
    let command: JobSource | undefined;
    try {
      command = await rows.add(job.id!);
    } catch (error) {
      // if thrown, the job would be shown as failed although the command may be acknowledged
      if (isDatabaseAway(error)) return park(job, clock.now() + DATABASE_RETRY_MS, token);
      throw error;
    }
    if (command === undefined) throw failure('there is no such command');
    const outcome = outcomeOf(command);
    if (outcome.type === 'parked') return park(job, parkedUntil(command, clock.now()), token);
    if (outcome.type === 'failed') throw failure(outcome.reason);
    return outcome.answer;
  };
  const { factory, options } = backend.connect('worker');
  return new Worker(
    QUEUE_NAME,
    handle,
    {
      ...options,
      concurrency: backend.concurrency,
      ...(backend.trimsEnded ? { removeOnComplete: { ...keep }, removeOnFail: { ...keep } } : {}),
      stalledInterval: 30_000,
      // after the connection was lost
      runRetryDelay: 1_000,
    },
    factory,
  );
}
