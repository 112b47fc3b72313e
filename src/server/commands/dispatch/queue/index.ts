import { setTimeout as wait } from 'node:timers/promises';
import { Queue } from 'bullmq';
import type pg from 'pg';
import type { Clock } from '../../../../platform/clock.ts';
import type { Log } from '../../../../platform/log.ts';
import { createPollLoop, type PollLoop } from '../../../../platform/poll-loop.ts';
import { type CommandJobs, chunks, type QueueBackend, type Retention } from './backend.ts';
import { type CommandWorker, startWorker } from './handler.ts';
import { QUEUE_NAME } from './job.ts';
import { LeaderLock } from './leader-lock.ts';
import { CHUNK, project } from './projection.ts';
import { rebuild } from './rebuild.ts';
import { findSuspects } from './reconciler.ts';
import * as store from './store.ts';

export type { CommandJobs, QueueBackend } from './backend.ts';
export { postgresBackend, prepareJobTables } from './postgres.ts';
export { redisBackend } from './redis.ts';

const RECONCILE_EVERY_MS = 10_000;
/**
 * After a comparison of rows and jobs it pauses for this multiple of the duration: at a million commands one takes
 * seconds.
 */
const RECONCILE_SHARE = 20;
const CLEAN_UP_EVERY_MS = 60_000;
const BATCH = 2_000;
const OPEN_TIMEOUT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 2_000;
const MAX_PAUSE_MS = 5_000;
const KEPT_S = 86_400;
const COUNTS_MS = 5_000;

export interface CommandQueueDeps {
  /** of the role that may access all tenants */
  readonly pool: pg.Pool;
  /** a connection for the lock that selects the process that publishes */
  readonly connection: () => pg.Client;
  readonly backend: QueueBackend;
  readonly clock: Clock;
  readonly log: Log;
  /** ended jobs of each kind that are kept for a day */
  readonly kept: number;
  /** entries that the outbox may hold while the queue is down */
  readonly outboxLimit: number;
  /** ms between two reads of the outbox and between two comparisons; shorter in tests */
  readonly everyMs?: number;
  readonly reconcileEveryMs?: number;
}

/**
 * The job queue of the dashboard: a job for each command, published from the outbox outside of the delivery path. It is
 * a projection of the rows: while the queue is down, delivery continues and the projection lags behind.
 */
export class CommandQueue {
  readonly #deps: CommandQueueDeps;
  readonly #leaderLock: LeaderLock;
  readonly #stopping = new AbortController();
  readonly #opened = new Set<(jobs: CommandJobs) => void>();
  #jobs: CommandJobs | undefined;
  #worker: CommandWorker | undefined;
  readonly #loop: PollLoop;
  #lastError: string | undefined;
  #counts: { readonly until: number; readonly value: Promise<Record<string, number>> } | undefined;
  #compareAt = 0;
  #cleanUpAt = 0;

  constructor(deps: CommandQueueDeps) {
    this.#deps = deps;
    this.#leaderLock = new LeaderLock(deps.connection);
    this.#loop = createPollLoop({
      everyMs: deps.everyMs ?? deps.backend.everyMs,
      longestPauseMs: MAX_PAUSE_MS,
      round: async () => {
        const isMore = await this.#round();
        this.#succeeded();
        return isMore;
      },
      onError: (error) => this.#failed(error),
    });
    deps.backend.onBack(() => {
      this.#compareAt = 0;
    });
  }

  /** Opens the queue, now or as soon as it is reachable, and keeps jobs consistent with rows until `stop`. */
  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop.stop();
    await this.#leaderLock.release();
    await this.#close();
    await this.#deps.backend.close();
  }

  /** Calls back with the jobs as soon as they are open, and whenever they have been opened again. */
  onOpen(listener: (jobs: CommandJobs) => void): void {
    this.#opened.add(listener);
    if (this.#jobs !== undefined) listener(this.#jobs);
  }

  /** Rejects with the reason if the queue does not answer, or takes no jobs. */
  async check(): Promise<void> {
    if (this.#jobs === undefined) throw new Error(this.#lastError ?? 'the queue is not open yet');
    const { backend } = this.#deps;
    await withTimeout(ANSWER_TIMEOUT_MS, Promise.all([this.#jobs.isPaused(), backend.checkWrites?.()]));
  }

  /** Jobs by state; as of some seconds ago, since counting them is not free. */
  async counts(): Promise<Readonly<Record<string, number>>> {
    const jobs = this.#jobs;
    if (jobs === undefined) throw new Error(this.#lastError ?? 'the queue is not open yet');
    const now = this.#deps.clock.monotonic();
    if (this.#counts === undefined || now >= this.#counts.until) {
      const value = withTimeout(
        ANSWER_TIMEOUT_MS,
        jobs.getJobCounts('delayed', 'waiting', 'active', 'completed', 'failed'),
      );
      this.#counts = { until: now + COUNTS_MS, value };
    }
    return this.#counts.value;
  }

  /** Rebuilds all jobs from the rows. Returns their number. */
  async rebuild(progress: (done: number) => void = () => {}): Promise<number> {
    await this.#open();
    const { pool, backend, clock } = this.#deps;
    return rebuild({ pool, backend, clock, keep: this.#keep }, this.#jobs!, progress);
  }

  /** Compares rows and jobs, and corrects differences. Returns how many jobs were inspected. */
  async reconcile(): Promise<number> {
    await this.#open();
    const suspects = await findSuspects(this.#deps.pool, this.#jobs!);
    await project({ ...this.#deps, keep: this.#keep }, this.#jobs!, suspects);
    return suspects.length;
  }

  get #keep(): Retention {
    return { count: this.#deps.kept, age: KEPT_S };
  }

  #failed(error: Error): void {
    const reason = error.message;
    if (this.#lastError !== reason)
      this.#deps.log.warn({ reason }, 'the command queue is unavailable; delivery of commands goes on');
    this.#lastError = reason;
  }

  #succeeded(): void {
    if (this.#lastError !== undefined) {
      this.#deps.log.info('the command queue is available again');
      // the last published jobs may have been lost in the outage
      this.#compareAt = 0;
    }
    this.#lastError = undefined;
  }

  /** True if there is more to publish. */
  async #round(): Promise<boolean> {
    const { pool, backend, clock } = this.#deps;
    const isLeader = await this.#leaderLock.acquire();
    const now = clock.monotonic();
    if (isLeader && now >= this.#cleanUpAt) {
      this.#cleanUpAt = now + CLEAN_UP_EVERY_MS;
      await this.#cleanUp();
    }
    await this.#open();
    if (!isLeader) return false;
    const entries = await store.readOutbox(pool, backend.lookAfterMs, BATCH);
    const published = await this.#publish(entries);
    const isMore = entries.length === BATCH && published > 0;
    // only when the outbox is empty: unpublished changes would count as differences, and a long comparison delays
    // publishing
    if (now >= this.#compareAt && !isMore) await this.#compareDue();
    return isMore;
  }

  /**
   * Publishes in chunks, with pauses as long as the chunks took, since delivery has priority. Returns the number of
   * entries that are done.
   */
  async #publish(entries: readonly store.OutboxEntry[]): Promise<number> {
    const { pool, clock } = this.#deps;
    const ofCommand = new Map<string, number[]>();
    for (const { id, commandId } of entries) {
      const others = ofCommand.get(commandId);
      if (others === undefined) ofCommand.set(commandId, [id]);
      else others.push(id);
    }
    let published = 0;
    for (const chunk of chunks([...ofCommand.keys()], CHUNK)) {
      if (this.#stopping.signal.aborted) break;
      const began = clock.monotonic();
      const retry = new Set(await project({ ...this.#deps, keep: this.#keep }, this.#jobs!, chunk));
      const done = chunk.flatMap((id) => (retry.has(id) ? [] : ofCommand.get(id)!));
      await store.clearOutbox(pool, done);
      published += done.length;
      await this.#pause(clock.monotonic() - began);
    }
    return published;
  }

  async #pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }

  async #compareDue(): Promise<void> {
    const { clock } = this.#deps;
    const before = clock.monotonic();
    this.#compareAt = before + (this.#deps.reconcileEveryMs ?? RECONCILE_EVERY_MS);
    await this.reconcile();
    const tookMs = clock.monotonic() - before;
    this.#compareAt = Math.max(this.#compareAt, before + tookMs * RECONCILE_SHARE);
  }

  async #cleanUp(): Promise<void> {
    const { pool, backend, clock, log, outboxLimit } = this.#deps;
    const dropped = await store.trimOutbox(pool, outboxLimit);
    if (dropped > 0) log.warn({ dropped }, 'the outbox of the command queue was full; open commands will be compared');
    if (this.#lastError === undefined) await backend.cleanUp(clock.now(), this.#keep);
  }

  async #open(): Promise<void> {
    if (this.#jobs !== undefined) return;
    const { pool, clock, backend, log } = this.#deps;
    const { factory, options } = backend.connect('queue');
    const jobs: CommandJobs = new Queue(QUEUE_NAME, options, factory);
    // errors are reported by the call that fails
    jobs.on('error', () => {});
    try {
      await withTimeout(OPEN_TIMEOUT_MS, jobs.waitUntilReady());
    } catch (error) {
      await withTimeout(OPEN_TIMEOUT_MS, jobs.close()).catch(() => {});
      await backend.close();
      throw error;
    }
    const worker = startWorker({ pool, clock, backend, keep: this.#keep });
    worker.on('error', (error) => log.debug({ reason: error.message }, 'worker of the command queue'));
    this.#jobs = jobs;
    this.#worker = worker;
    this.#compareAt = 0;
    for (const listener of this.#opened) listener(jobs);
  }

  async #close(): Promise<void> {
    const worker = this.#worker;
    // close() of a worker never resolves while the queue is unreachable
    if (worker !== undefined) {
      await withTimeout(ANSWER_TIMEOUT_MS, worker.close()).catch(() =>
        withTimeout(ANSWER_TIMEOUT_MS, worker.close(true)).catch(() => {}),
      );
    }
    await withTimeout(ANSWER_TIMEOUT_MS, this.#jobs?.close() ?? Promise.resolve()).catch(() => {});
    this.#jobs = undefined;
  }
}

/** Rejects if it takes longer. */
async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the queue does not answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}
