import { Worker } from 'node:worker_threads';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import type { Answer, Delivery, JobName, JobRequest, Order } from './jobs.ts';
import { createTurns } from './turns.ts';

/** What reads tachograph files: threads of their own, started when they are needed. */
export interface Reader {
  /**
   * Jobs of one tenant are done in their order; tenants take turns, so that none waits for all files of another. Throws
   * AppError `unavailable` if a job does not come to an end.
   */
  ask<N extends JobName>(name: N, question: JobRequest<N>, tenantId?: number): Promise<Answer<N>>;
  close(): Promise<void>;
}

export interface ReaderOptions {
  readonly threads: number;
  /** root certificates to trust */
  readonly roots: readonly Uint8Array[];
  /** the built worker */
  readonly script?: URL | undefined;
  readonly log: Log;
  /** ms that one job may take */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 120_000;
const HEAP_MB = 1_024;

interface Waiting {
  readonly order: Order;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

export function createReader(options: ReaderOptions): Reader {
  const queue = createTurns<Waiting>();
  const threads: Thread[] = [];
  let made = 0;
  let closed = false;
  const next = (): void => {
    while (queue.size > 0) {
      let free = threads.find((thread) => thread.isFree);
      if (free === undefined && threads.length < options.threads) {
        free = new Thread(options, next, (gone) => threads.splice(threads.indexOf(gone), 1));
        threads.push(free);
      }
      if (free === undefined) return;
      free.take(queue.next()!);
    }
  };
  return {
    ask: (name, question, tenantId) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new AppError('unavailable', 'The server is closing'));
        queue.push(tenantId, {
          order: { id: ++made, name, request: question } as Order,
          resolve: resolve as (answer: unknown) => void,
          reject,
        });
        next();
      }),
    async close() {
      closed = true;
      for (let job = queue.next(); job !== undefined; job = queue.next())
        job.reject(new AppError('unavailable', 'The server is closing'));
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}

/** One thread, which has one job at a time. It ends where a job does not, and another takes its place. */
class Thread {
  readonly #worker: Worker;
  readonly #log: Log;
  readonly #timeoutMs: number;
  readonly #onFree: () => void;
  #job: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isGone = false;

  constructor(options: ReaderOptions, onFree: () => void, onGone: (thread: Thread) => void) {
    this.#log = options.log;
    this.#onFree = onFree;
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.#worker = new Worker(options.script ?? new URL('./worker.js', import.meta.url), {
      workerData: { roots: options.roots },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    this.#worker.unref();
    this.#worker.on('message', (delivery: Delivery) => this.#deliver(delivery));
    this.#worker.on('error', (error) =>
      this.#log.error({ reason: error.message }, 'a reader of tachograph files failed'),
    );
    this.#worker.on('exit', () => {
      this.#isGone = true;
      onGone(this);
      this.#settle()?.reject(new AppError('unavailable', 'The file could not be worked on'));
      onFree();
    });
  }

  get isFree(): boolean {
    return this.#job === undefined && !this.#isGone;
  }

  take(job: Waiting): void {
    this.#job = job;
    this.#worker.ref();
    this.#timer = setTimeout(() => void this.end(), this.#timeoutMs);
    this.#worker.postMessage(job.order);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #deliver(delivery: Delivery): void {
    if (delivery.id !== this.#job?.order.id) return;
    const job = this.#settle();
    if ('answer' in delivery) job?.resolve(delivery.answer);
    else {
      this.#log.error({ reason: delivery.problem }, 'a tachograph job failed');
      job?.reject(new Error('a tachograph job failed'));
    }
    this.#onFree();
  }

  #settle(): Waiting | undefined {
    const job = this.#job;
    this.#job = undefined;
    clearTimeout(this.#timer);
    this.#worker.unref();
    return job;
  }
}
