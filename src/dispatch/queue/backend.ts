import type { BackendFactory, IQueueBackend, Queue } from 'bullmq';
import type { JobData, JobOutcome, NewJob } from './job.ts';

// biome-ignore lint/suspicious/noExplicitAny: connection options and names are of no matter to those who use it
export type CommandJobs = Queue<JobData, string | null, string, JobData, string | null, string, IQueueBackend, any>;

/** Where the jobs are stored. Everything above it is the same for both. */
export interface QueueBackend {
  readonly name: 'redis' | 'postgres';
  /** how many jobs a worker ends at a time */
  readonly concurrency: number;
  /** ms between two polls of the outbox */
  readonly everyMs: number;
  /** ms between a change and its projection: the longer, the more commands have ended by then */
  readonly lookAfterMs: number;
  /** ms that a command must have been open before it gets a job; 0: every command gets one */
  readonly minAgeMs: number;
  /** what a queue is made with; the worker must be able to wait, so it has a connection of its own */
  connect(purpose: 'queue' | 'worker'): Connected;
  /** States of jobs, of those that there are. */
  states(jobs: CommandJobs, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Writes jobs without a worker, many in one call: parked jobs whose command has ended are ended, and if `minAgeMs` is
   * 0, missing jobs are made. Returns the ids of the jobs that are now correct, or were; the others have to be inspected.
   */
  settle(list: readonly DesiredJob[], keep: Retention): Promise<ReadonlySet<string>>;
  /** workers keep to the number of ended jobs by themselves, at no cost that matters */
  readonly trimsEnded: boolean;
  /** Removes what the library leaves behind. */
  cleanUp(now: number, keep: Retention): Promise<void>;
  /** Calls back each time that the connection is there again after it was lost. */
  onBack(listener: () => void): void;
  close(): Promise<void>;
}

/** A job as it should be. */
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
