import type { BackendFactory, IQueueBackend, Queue } from 'bullmq';
import type { JobData, JobOutcome, NewJob } from './job.ts';

// biome-ignore lint/suspicious/noExplicitAny: callers do not use connection options and names
export type CommandJobs = Queue<JobData, string | null, string, JobData, string | null, string, IQueueBackend, any>;

/** Storage of the jobs: PostgreSQL or Redis. */
export interface QueueBackend {
  readonly name: 'redis' | 'postgres';
  /** how many jobs a worker ends at a time */
  readonly concurrency: number;
  /** ms between two polls of the outbox */
  readonly everyMs: number;
  /** ms between a change and its projection; a longer delay saves work, since more commands have ended by then */
  readonly lookAfterMs: number;
  /** ms that a command must have been open before it gets a job; 0: every command gets one */
  readonly minAgeMs: number;
  /** Options of a queue or a worker. The worker needs a connection of its own, on which it can wait. */
  connect(purpose: 'queue' | 'worker'): Connected;
  /** States by id; missing jobs are left out. */
  states(jobs: CommandJobs, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Writes many jobs in one call, without a worker: ends parked jobs whose command has ended, and creates missing jobs
   * if `minAgeMs` is 0. Returns the ids of the jobs that are correct now; the others have to be inspected.
   */
  settle(list: readonly DesiredJob[], keep: Retention): Promise<ReadonlySet<string>>;
  /** whether workers limit the number of ended jobs themselves, at low cost */
  readonly trimsEnded: boolean;
  /** Removes what the library leaves behind. */
  cleanUp(now: number, keep: Retention): Promise<void>;
  /** Rejects with the reason if jobs can be read and not written. */
  checkWrites?(): Promise<void>;
  /** Calls back after each reconnection. */
  onBack(listener: () => void): void;
  close(): Promise<void>;
}

/** The job that a command should have. */
export interface DesiredJob {
  readonly job: NewJob;
  readonly outcome: JobOutcome;
  /** epoch ms until which it is parked, or at which it ended */
  readonly at: number;
}

/** Ended jobs of each kind that are kept, and for how many seconds. */
export interface Retention {
  readonly count: number;
  readonly age: number;
}

export interface Connected {
  /** options of the queue or the worker, with the connection */
  // biome-ignore lint/suspicious/noExplicitAny: each backend has connection options of its own type
  readonly options: { readonly connection: any; readonly prefix?: string };
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  readonly factory: BackendFactory<IQueueBackend, any>;
}

/** Splits a list, so that no single call holds up the others for long. */
export function* chunks<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}
