import { setTimeout as wait } from 'node:timers/promises';
import { Queue } from 'bullmq';
import type pg from 'pg';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { type CommandJobs, type Kept, pieces, type QueueBackend } from './backend.ts';
import { type CommandWorker, startWorker } from './handler.ts';
import { QUEUE_NAME } from './job.ts';
import { PIECE, project } from './projection.ts';
import { rebuild } from './rebuild.ts';
import { findSuspects } from './reconciler.ts';
import * as store from './store.ts';
import { Turn } from './turn.ts';

export type { CommandJobs, QueueBackend } from './backend.ts';
export { postgresBackend, prepareJobTables } from './postgres.ts';
export { redisBackend } from './redis.ts';

const RECONCILE_EVERY_MS = 10_000;
/** A comparison of a million takes seconds: it then pauses for so many times as long as it took. */
const RECONCILE_SHARE = 20;
const TIDY_EVERY_MS = 60_000;
const BATCH = 2_000;
const OPEN_TIMEOUT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 2_000;
const LONGEST_PAUSE_MS = 5_000;
const KEPT_S = 86_400;
const COUNTS_MS = 5_000;

export interface CommandQueueDeps {
  /** as the role whose work crosses tenants */
  readonly pool: pg.Pool;
  /** a connection for the lock that says which process tells the queue */
  readonly connection: () => pg.Client;
  readonly backend: QueueBackend;
  readonly clock: Clock;
  readonly log: Log;
  /** ended jobs of each kind that are kept for a day */
  readonly kept: number;
  /** entries that the outbox may hold while the queue is down */
  readonly outboxLimit: number;
  /** ms between two looks at the outbox and between two comparisons; tests are in a hurry */
  readonly everyMs?: number;
  readonly reconcileEveryMs?: number;
}

/**
 * The queue that people see: a job for each command, told from the outbox, off the path of delivery. It is a picture of
 * the rows; where it is down, nothing is late but the picture.
 */
export class CommandQueue {
  readonly #deps: CommandQueueDeps;
  readonly #turn: Turn;
  readonly #stopping = new AbortController();
  readonly #opened = new Set<(jobs: CommandJobs) => void>();
  #jobs: CommandJobs | undefined;
  #worker: CommandWorker | undefined;
  #running: Promise<void> | undefined;
  #trouble: string | undefined;
  #counts: { readonly until: number; readonly value: Promise<Record<string, number>> } | undefined;
  #compareAt = 0;
  #tidyAt = 0;

  constructor(deps: CommandQueueDeps) {
    this.#deps = deps;
    this.#turn = new Turn(deps.connection);
    deps.backend.onBack(() => {
      this.#compareAt = 0;
    });
  }

  /** Opens the queue, now or as soon as it is there, and keeps it as the rows are until `stop`. */
  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#turn.end();
    await this.#close();
    await this.#deps.backend.close();
  }

  /** Calls back with the jobs as soon as they are open, and whenever they have been opened anew. */
  onOpen(listener: (jobs: CommandJobs) => void): void {
    this.#opened.add(listener);
    if (this.#jobs !== undefined) listener(this.#jobs);
  }

  /** Does the queue answer? Rejects with the reason where it does not. */
  async check(): Promise<void> {
    if (this.#jobs === undefined) throw new Error(this.#trouble ?? 'the queue is not open yet');
    await within(ANSWER_TIMEOUT_MS, this.#jobs.isPaused());
  }

  /** Jobs by state; as of some seconds ago, since counting them is not free. */
  async counts(): Promise<Readonly<Record<string, number>>> {
    const jobs = this.#jobs;
    if (jobs === undefined) throw new Error(this.#trouble ?? 'the queue is not open yet');
    const now = this.#deps.clock.monotonic();
    if (this.#counts === undefined || now >= this.#counts.until) {
      const value = within(ANSWER_TIMEOUT_MS, jobs.getJobCounts('delayed', 'waiting', 'active', 'completed', 'failed'));
      this.#counts = { until: now + COUNTS_MS, value };
    }
    return this.#counts.value;
  }

  /** Makes every job anew from the rows. How many there are. */
  async rebuild(progress: (done: number) => void = () => {}): Promise<number> {
    await this.#open();
    const { pool, backend, clock } = this.#deps;
    return rebuild({ pool, backend, clock, keep: this.#keep }, this.#jobs!, progress);
  }

  /** Compares rows and jobs, and mends what differs. How many were looked at closely. */
  async reconcile(): Promise<number> {
    await this.#open();
    const suspects = await findSuspects(this.#deps.pool, this.#jobs!);
    await project({ ...this.#deps, keep: this.#keep }, this.#jobs!, suspects);
    return suspects.length;
  }

  get #keep(): Kept {
    return { count: this.#deps.kept, age: KEPT_S };
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted) {
      let isMore = false;
      try {
        isMore = await this.#round();
        if (this.#trouble !== undefined) {
          this.#deps.log.info('the command queue is told again');
          // what it was told last may have been lost with it
          this.#compareAt = 0;
        }
        this.#trouble = undefined;
        failures = 0;
      } catch (error) {
        const reason = (error as Error).message;
        if (this.#trouble !== reason)
          this.#deps.log.warn({ reason }, 'the command queue cannot be told; commands go on');
        this.#trouble = reason;
        failures++;
      }
      const everyMs = this.#deps.everyMs ?? this.#deps.backend.everyMs;
      const pauseMs = isMore ? 0 : Math.min(everyMs * 2 ** Math.min(failures, 10), LONGEST_PAUSE_MS);
      await this.#pause(pauseMs);
    }
  }

  /** True where there is more to tell. */
  async #round(): Promise<boolean> {
    const { pool, backend, clock } = this.#deps;
    const isMine = await this.#turn.take();
    const now = clock.monotonic();
    if (isMine && now >= this.#tidyAt) {
      this.#tidyAt = now + TIDY_EVERY_MS;
      await this.#tidy();
    }
    await this.#open();
    if (!isMine) return false;
    const entries = await store.readOutbox(pool, backend.lookAfterMs, BATCH);
    const told = await this.#tell(entries);
    const isMore = entries.length === BATCH && told > 0;
    // what has not been told yet would be found to differ; comparing many holds the telling up
    if (now >= this.#compareAt && !isMore) await this.#compare();
    return isMore;
  }

  /** Some at a time, with pauses as long as they took: delivery goes first. How many need not be told again. */
  async #tell(entries: readonly store.OutboxEntry[]): Promise<number> {
    const { pool, clock } = this.#deps;
    const ofCommand = new Map<string, number[]>();
    for (const { id, commandId } of entries) {
      const others = ofCommand.get(commandId);
      if (others === undefined) ofCommand.set(commandId, [id]);
      else others.push(id);
    }
    let told = 0;
    for (const piece of pieces([...ofCommand.keys()], PIECE)) {
      if (this.#stopping.signal.aborted) break;
      const began = clock.monotonic();
      const again = new Set(await project({ ...this.#deps, keep: this.#keep }, this.#jobs!, piece));
      const done = piece.flatMap((id) => (again.has(id) ? [] : ofCommand.get(id)!));
      await store.clearOutbox(pool, done);
      told += done.length;
      await this.#pause(clock.monotonic() - began);
    }
    return told;
  }

  async #pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }

  async #compare(): Promise<void> {
    const { clock } = this.#deps;
    const before = clock.monotonic();
    this.#compareAt = before + (this.#deps.reconcileEveryMs ?? RECONCILE_EVERY_MS);
    await this.reconcile();
    const tookMs = clock.monotonic() - before;
    this.#compareAt = Math.max(this.#compareAt, before + tookMs * RECONCILE_SHARE);
  }

  async #tidy(): Promise<void> {
    const { pool, backend, clock, log, outboxLimit } = this.#deps;
    const forgotten = await store.trimOutbox(pool, outboxLimit);
    if (forgotten > 0)
      log.warn({ forgotten }, 'the outbox of the command queue was full; open commands will be compared');
    if (this.#trouble === undefined) await backend.tidy(clock.now(), this.#keep);
  }

  async #open(): Promise<void> {
    if (this.#jobs !== undefined) return;
    const { pool, clock, backend, log } = this.#deps;
    const { factory, options } = backend.connect('queue');
    const jobs: CommandJobs = new Queue(QUEUE_NAME, options, factory);
    // what goes wrong is told by the call that it goes wrong in
    jobs.on('error', () => {});
    try {
      await within(OPEN_TIMEOUT_MS, jobs.waitUntilReady());
    } catch (error) {
      await within(OPEN_TIMEOUT_MS, jobs.close()).catch(() => {});
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
    // A worker that waits for a queue that is away would never end by itself.
    if (worker !== undefined) {
      await within(ANSWER_TIMEOUT_MS, worker.close()).catch(() =>
        within(ANSWER_TIMEOUT_MS, worker.close(true)).catch(() => {}),
      );
    }
    await within(ANSWER_TIMEOUT_MS, this.#jobs?.close() ?? Promise.resolve()).catch(() => {});
    this.#jobs = undefined;
  }
}

/** Rejects where it takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
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
