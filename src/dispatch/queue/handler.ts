import { DelayedError, type Job, Worker } from 'bullmq';
import { Batcher } from '../../platform/batcher.ts';
import type { Clock } from '../../platform/clock.ts';
import { isDatabaseAway, type Queryable } from '../../platform/postgres/index.ts';
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
 * Ends the jobs that are due or were promoted, by the row and never by the reason for the call: if a user promotes a
 * parked job from a dashboard, it is parked again. No job stays active while something external is awaited.
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
      // Thrown as it is, it would show what may well be acknowledged as failed.
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
