import type { BackendFactory, IQueueBackend, Queue } from 'bullmq';
import type { Fate, JobData, NewJob } from './job.ts';

// biome-ignore lint/suspicious/noExplicitAny: connection options and names are of no matter to those who use it
export type CommandJobs = Queue<JobData, string | null, string, JobData, string | null, string, IQueueBackend, any>;

/** Where the jobs lie. What is above it is the same for both. */
export interface QueueBackend {
  readonly name: 'redis' | 'postgres';
  /** how many jobs a worker ends at a time */
  readonly concurrency: number;
  /** ms between two looks at what is to be told */
  readonly everyMs: number;
  /** ms that lie between a change and the look at it: the longer, the more has ended when it is first looked at */
  readonly lookAfterMs: number;
  /** ms that a command must have been open before it gets a job; 0: every command gets one */
  readonly minAgeMs: number;
  /** what a queue is made with; the worker must be able to wait, so it has a connection of its own */
  connect(purpose: 'queue' | 'worker'): Connected;
  /** States of jobs, of those that there are. */
  states(jobs: CommandJobs, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Brings jobs about without a worker, many by one call: those that are parked and should have ended end, and where
   * `minAgeMs` is 0, those that are missing are made. Ids of those that are now right, or were; the others are something
   * else, or nothing, and have to be looked at.
   */
  settle(list: readonly Wanted[], keep: Kept): Promise<ReadonlySet<string>>;
  /** workers keep to the number of ended jobs by themselves, at no cost that matters */
  readonly trimsEnded: boolean;
  /** Removes what the library leaves behind. */
  tidy(now: number, keep: Kept): Promise<void>;
  /** Calls back each time that the connection is there again after it was lost. */
  onBack(listener: () => void): void;
  close(): Promise<void>;
}

/** A job as it should be. */
export interface Wanted {
  readonly job: NewJob;
  readonly fate: Fate;
  /** epoch ms until which it is parked, or at which it ended */
  readonly at: number;
}

/** Ended jobs of each kind that are kept, and for how many seconds. */
export interface Kept {
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
export function* pieces<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}
