import { doublingMs } from '../../platform/backoff.ts';
import type { Clock } from '../../platform/clock.ts';
import { halveRefused } from '../../platform/halving.ts';
import type { Log } from '../../platform/log.ts';
import { SetAsideFull } from '../spool/errors.ts';
import { replayReadable } from '../spool/operate.ts';
import type { SpoolReader } from '../spool/reader.ts';
import type { Spool } from '../spool/spool.ts';
import { Batch } from './batch.ts';
import { explain, type Refused } from './explain.ts';
import type { PusherStatus, Trouble } from './status.ts';
import type { PushResult, Settled, Target } from './target.ts';
import { Throttle } from './throttle.ts';

const MIN_RETRY_MS = 100;
const MAX_RETRY_MS = 30_000;

export interface PusherOptions {
  readonly spool: Spool;
  readonly target: Target;
  readonly clock: Clock;
  readonly log: Log;
  /** in [0, 1): spreads retries of many gateways */
  readonly random?: () => number;
  /** ms before the first retry, doubled up to `maxRetryMs` */
  readonly minRetryMs?: number;
  /** minimum ms between the starts of two batches, unless the second is full */
  readonly lingerMs?: number;
  readonly maxRetryMs?: number;
}

/** A batch whose request has been sent. */
interface Flight {
  readonly batch: Batch;
  readonly result: Promise<PushResult>;
}

/** Pushes the records that the target has not settled, oldest first. It must be drained before the spool closes. */
export function createPusher(options: PusherOptions): Pusher {
  const pusher = new Pusher(options);
  pusher.start();
  return pusher;
}

export class Pusher {
  readonly target: string;
  readonly #options: PusherOptions;
  readonly #reader: SpoolReader;
  readonly #throttle: Throttle;
  /** the reader's current record did not fit into the last batch */
  #isHeld = false;
  /** buffers of released batches */
  readonly #spare: Buffer[] = [];
  #running: Promise<void> | undefined;
  #state: PusherStatus['state'] = 'stopped';
  #trouble: Trouble | undefined;
  #oldestTime: number | undefined;
  #pushed = 0;
  #draining = false;
  #retriesNow = false;
  /** version of records that the target read at its last answer */
  #reads: number | undefined;
  readonly #stop = new AbortController();
  #wake: () => void = () => undefined;

  constructor(options: PusherOptions) {
    this.target = options.target.name;
    this.#options = options;
    this.#throttle = new Throttle(options.clock, options.lingerMs ?? 0);
    this.#reader = options.spool.reader(this.target);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** The address of the target has changed: requests that fail because of that are sent again without back-off. */
  retryNow(): void {
    this.#retriesNow = true;
    this.#options.target.follow?.();
    this.#wake();
  }

  /** Resolves when the target has settled this record and all before it. */
  delivered(seq: number): Promise<void> {
    return this.#options.spool.cursor(this.target).whenSettled(seq);
  }

  status(): PusherStatus {
    const { spool } = this.#options;
    return {
      target: this.target,
      state: this.#state,
      trouble: this.#trouble,
      lagSeconds: this.#lagSeconds(),
      settledSeq: spool.cursor(this.target).seq,
      pushed: this.#pushed,
      setAside: spool.setAside(this.target).count,
    };
  }

  /** 0 only if all is settled. A record that has not been read yet counts as new, or as old as the trouble. */
  #lagSeconds(): number {
    const { spool, clock } = this.#options;
    if (spool.cursor(this.target).seq >= spool.lastSeq) return 0;
    const since = this.#oldestTime ?? (this.#trouble?.since ?? clock.now()) / 1000;
    return Math.max(0.001, clock.now() / 1000 - since);
  }

  /** Pushes until all is settled, at most for `ms`, then stops. */
  async drain(ms: number): Promise<void> {
    this.#draining = true;
    this.#wake();
    const timer = setTimeout(() => {
      this.#stop.abort();
      this.#wake();
    }, ms);
    await this.#running;
    clearTimeout(timer);
    this.#stop.abort();
    this.#state = 'stopped';
    await this.#options.target.close();
    await this.#reader.close();
  }

  get #isStopping(): boolean {
    return this.#stop.signal.aborted;
  }

  async #run(): Promise<void> {
    const flights: Flight[] = [];
    let batch = this.#newBatch();
    while (!this.#isStopping) {
      const gathering = batch;
      if (flights.length === 0) {
        if (!(await this.#retryUntilStopped('spool-unreadable', () => this.#gather(gathering)))) return;
        if (batch.count === 0) {
          // sequence numbers without a record at the end are settled too
          this.#settle(this.#reader.seq);
          if (this.#draining) return;
          this.#state = 'idle';
          await this.#untilMore();
          continue;
        }
        if (!batch.isFull && (await this.#throttle.waitIfEarly())) continue;
        batch = this.#launch(batch, flights);
        continue;
      }
      // the next body is built while the target works; an error is reported by the next attempt
      await this.#gather(gathering).catch(() => undefined);
      // a batch that is not full grows until the request before it is answered
      if (batch.isFull && flights.length < this.#options.target.inFlight) {
        batch = this.#launch(batch, flights);
        continue;
      }
      if (!(await this.#land(flights))) return;
      this.#oldestTime = flights[0]?.batch.timeAt(0) ?? (batch.count > 0 ? batch.timeAt(0) : undefined);
    }
  }

  /** Sends a batch after those that have been sent. Returns the batch for the records that follow. */
  #launch(batch: Batch, flights: Flight[]): Batch {
    const { target } = this.#options;
    const before = flights.at(-1)?.batch;
    this.#state = 'pushing';
    if (before === undefined) this.#oldestTime = batch.timeAt(0);
    this.#throttle.began();
    const slice = batch.slice(0, batch.count);
    flights.push({ batch, result: target.send(slice, this.#stop.signal, before?.seqAt(before.count - 1)) });
    return this.#newBatch(batch);
  }

  /**
   * Settles the oldest request. If it was not accepted, it and those behind it are sent one at a time. False if
   * stopped.
   */
  async #land(flights: Flight[]): Promise<boolean> {
    const { batch, result: awaited } = flights[0]!;
    const result = await awaited;
    if (result.type === 'settled') {
      flights.shift();
      if (!(await this.#settleLines(batch, 0, batch.count, result))) return false;
      this.#settle(batch.upTo);
      // the only request has been answered: its body can be reused
      this.#spare.push(batch.release());
      return true;
    }
    // results of the requests behind it are discarded: they may differ once this one has been accepted
    await Promise.all(flights.map((flight) => flight.result));
    let known: PushResult | undefined = result;
    for (const { batch: next } of flights.splice(0)) {
      if (!(await this.#deliver(next, known))) return false;
      this.#settle(next.upTo);
      known = undefined;
    }
    return true;
  }

  #newBatch(before?: Batch): Batch {
    return new Batch(this.#options.target.format, before?.upTo ?? this.#reader.seq, this.#spare.pop());
  }

  /** Fills a batch with the records that are durable now. */
  async #gather(batch: Batch): Promise<void> {
    const reader = this.#reader;
    if (this.#isHeld && !batch.take(reader)) return;
    this.#isHeld = false;
    if (batch.isFull) return;
    do {
      while (reader.next()) {
        if (batch.take(reader)) continue;
        this.#isHeld = true;
        return;
      }
    } while (await reader.fill());
  }

  /** Sends a batch until its lines are settled; the first result is `known` if given. False if stopped before. */
  async #deliver(batch: Batch, known: PushResult | undefined): Promise<boolean> {
    let nextResult = known;
    let isSettled = true;
    await halveRefused(
      Array.from({ length: batch.count }, (_, line) => line),
      async (lines) => {
        const [from, to] = [lines[0]!, lines.at(-1)! + 1];
        const result = isSettled ? await this.#sendUntilAnswered(batch, from, to, nextResult) : undefined;
        nextResult = undefined;
        if (result?.type === 'refused') return result;
        isSettled &&= result !== undefined && (await this.#settleLines(batch, from, to, result));
        return undefined;
      },
      async (line, refused) => {
        const rejected = [{ ...refused, seq: batch.seqAt(line) }];
        isSettled = await this.#settleLines(batch, line, line + 1, { type: 'settled', rejected });
      },
    );
    return isSettled;
  }

  /** Sends lines `[from, to)` until the target settles or refuses them; undefined if stopped before. */
  async #sendUntilAnswered(
    batch: Batch,
    from: number,
    to: number,
    known: PushResult | undefined,
  ): Promise<Extract<PushResult, { type: 'settled' | 'refused' }> | undefined> {
    this.#oldestTime = batch.timeAt(from);
    const slice = batch.slice(from, to);
    let nextResult = known;
    for (;;) {
      if (this.#isStopping) return undefined;
      this.#state = 'pushing';
      const result = nextResult ?? (await this.#options.target.send(slice, this.#stop.signal));
      nextResult = undefined;
      if (result.type === 'settled' || result.type === 'refused') return result;
      if (result.type === 'retry' && !this.#isStopping) {
        await this.#pause(result.code, result.detail, result.retryAfterMs);
      }
    }
  }

  async #settleLines(batch: Batch, from: number, to: number, { rejected, reads }: Settled): Promise<boolean> {
    const refused = new Map(rejected.map((line) => [line.seq, line]));
    let setAside = 0;
    if (refused.size > 0) {
      const lines: Refused[] = [];
      for (let index = from; index < to; index++) {
        const line = refused.get(batch.seqAt(index));
        if (line !== undefined) lines.push(explain({ ...batch.recordAt(index), ...line }, reads));
      }
      setAside = lines.length;
      // a target may not reject them a second time: only setting aside is repeated
      if (!(await this.#retryUntilStopped('set-aside', () => this.#setAside(lines)))) return false;
    }
    this.#pushed += to - from - setAside;
    this.#recovered();
    this.#settle(batch.seqAt(to - 1));
    if (reads !== undefined && reads !== this.#reads) this.#sendAgain(reads);
    return true;
  }

  /** The version of the target has changed: it may read records that its earlier version has rejected. */
  #sendAgain(reads: number): void {
    this.#reads = reads;
    const { spool, log } = this.#options;
    replayReadable(spool, this.target, reads).then(
      (count) => {
        if (count > 0) log.info({ target: this.target, count }, 'records that the target can read now are sent again');
      },
      (error: unknown) => {
        this.#reads = undefined;
        log.error({ err: error, target: this.target }, 'records could not be sent again; they stay set aside');
      },
    );
  }

  async #setAside(lines: readonly Refused[]): Promise<void> {
    const { spool, clock, log } = this.#options;
    const { seq, code, detail } = lines[0]!;
    log.warn({ target: this.target, count: lines.length, seq, code, detail }, 'the target refused records; set aside');
    await spool.setAside(this.target).add(lines, clock.now());
  }

  #settle(seq: number): void {
    if (seq > this.#options.spool.cursor(this.target).seq) this.#options.spool.settle(this.target, seq);
  }

  /** Retries a disk operation until it succeeds; false if the pusher was stopped before. */
  async #retryUntilStopped(code: string, work: () => Promise<void>): Promise<boolean> {
    for (;;) {
      try {
        await work();
        return true;
      } catch (error) {
        if (this.#isStopping) return false;
        this.#options.log.error({ err: error, target: this.target }, 'the pusher is blocked');
        const reason = error instanceof SetAsideFull ? 'set-aside-full' : code;
        await this.#pause(reason, (error as Error).message, undefined);
        if (this.#isStopping) return false;
      }
    }
  }

  async #pause(code: string, detail: string, retryAfterMs: number | undefined): Promise<void> {
    const { clock, log, random = Math.random } = this.#options;
    const { minRetryMs = MIN_RETRY_MS, maxRetryMs = MAX_RETRY_MS } = this.#options;
    const failures = (this.#trouble?.failures ?? 0) + 1;
    const whole = doublingMs(failures, minRetryMs, maxRetryMs);
    const ms = retryAfterMs ?? whole / 2 + (random() * whole) / 2;
    const now = clock.now();
    const since = this.#trouble?.since ?? now;
    if (this.#trouble?.code !== code)
      log.warn({ target: this.target, code, detail }, 'the target does not accept records');
    this.#trouble = { code, detail, since, failures, retryAt: now + ms };
    this.#state = 'waiting';
    if (this.#isStopping) return;
    if (this.#retriesNow) {
      this.#retriesNow = false;
      this.#trouble = { ...this.#trouble, failures: 0, retryAt: now };
      return;
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #recovered(): void {
    this.#retriesNow = false;
    const trouble = this.#trouble;
    this.#trouble = undefined;
    if (trouble === undefined) return;
    const { log, clock } = this.#options;
    log.info(
      { target: this.target, code: trouble.code, ms: clock.now() - trouble.since },
      'the target accepts records again',
    );
  }

  #untilMore(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      void this.#reader.whenMore().then(resolve);
    });
  }
}
