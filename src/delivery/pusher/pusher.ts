import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { SpoolReader } from '../spool/reader.ts';
import type { Spool } from '../spool/spool.ts';
import { Batch } from './batch.ts';
import type { LineRejection, Target } from './target.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;

export interface PusherOptions {
  readonly spool: Spool;
  readonly target: Target;
  readonly clock: Clock;
  readonly log: Log;
  /** in [0, 1): spreads retries of many gateways */
  readonly random?: () => number;
  /** ms before the first retry, doubled up to `longestPauseMs` */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
}

export interface Trouble {
  readonly code: string;
  readonly detail: string;
  /** epoch ms since which nothing has been settled */
  readonly since: number;
  readonly failures: number;
  /** epoch ms of the next try */
  readonly retryAt: number;
}

export interface PusherStatus {
  readonly target: string;
  readonly state: 'idle' | 'pushing' | 'waiting' | 'stopped';
  /** why the pusher waits */
  readonly trouble: Trouble | undefined;
  /** age of the oldest record that is not settled */
  readonly lagSeconds: number;
  readonly settledSeq: number;
  /** lines settled since the start, without those set aside */
  readonly pushed: number;
  readonly setAside: number;
}

/** Starts to push what the target has not settled, oldest first, one request at a time. Drain it before the spool closes. */
export function createPusher(options: PusherOptions): Pusher {
  const pusher = new Pusher(options);
  pusher.start();
  return pusher;
}

export class Pusher {
  readonly target: string;
  readonly #options: PusherOptions;
  readonly #reader: SpoolReader;
  /** the reader stands on a record that found no place in the last batch */
  #isHeld = false;
  /** the body of a batch that is done with */
  #spare: Buffer | undefined;
  #requests = 0;
  #running: Promise<void> | undefined;
  #state: PusherStatus['state'] = 'stopped';
  #trouble: Trouble | undefined;
  #oldestTime: number | undefined;
  #pushed = 0;
  #draining = false;
  readonly #stop = new AbortController();
  #wake: () => void = () => undefined;

  constructor(options: PusherOptions) {
    this.target = options.target.name;
    this.#options = options;
    this.#reader = options.spool.reader(this.target);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when the target has settled this record and all before it. */
  delivered(seq: number): Promise<void> {
    return this.#options.spool.cursor(this.target).whenSettled(seq);
  }

  status(): PusherStatus {
    const { spool, clock } = this.#options;
    const age = this.#oldestTime === undefined ? 0 : clock.now() / 1000 - this.#oldestTime;
    return {
      target: this.target,
      state: this.#state,
      trouble: this.#trouble,
      lagSeconds: Math.max(0, age),
      settledSeq: spool.cursor(this.target).seq,
      pushed: this.#pushed,
      setAside: spool.setAside(this.target).count,
    };
  }

  /** Pushes on until nothing is left or `ms` are over, then stops. */
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
    let batch = this.#newBatch();
    while (!this.#isStopping) {
      const gathering = batch;
      if (!(await this.#insist('spool-unreadable', () => this.#gather(gathering)))) return;
      if (batch.count === 0) {
        this.#settle(batch.upTo);
        if (this.#draining) return;
        this.#state = 'idle';
        await this.#untilMore();
        continue;
      }
      // the next body is built while the target works on this one; an error shows when it is gathered for again
      const next = this.#newBatch(batch);
      const ahead = this.#gather(next).catch(() => undefined);
      const before = this.#requests;
      const isDone = await this.#deliver(batch, 0, batch.count);
      await ahead;
      if (!isDone) return;
      // an answer to the only request there was: nothing reads the body any more
      if (this.#requests === before + 1) this.#spare = batch.release();
      this.#settle(batch.upTo);
      this.#oldestTime = next.count > 0 ? next.timeAt(0) : undefined;
      batch = next;
    }
  }

  #newBatch(before?: Batch): Batch {
    const spare = this.#spare;
    this.#spare = undefined;
    return new Batch(this.#options.target.format, before?.upTo ?? this.#reader.seq, spare);
  }

  /** Fills a batch with what is there; waits for nothing but the disk. */
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

  /** Sends lines `[from, to)` until they are settled; false when the pusher was stopped before. */
  async #deliver(batch: Batch, from: number, to: number): Promise<boolean> {
    this.#oldestTime = batch.timeAt(from);
    const slice = batch.slice(from, to);
    for (;;) {
      if (this.#isStopping) return false;
      this.#state = 'pushing';
      this.#requests++;
      const verdict = await this.#options.target.send(slice, this.#stop.signal);
      if (verdict.type === 'settled') return this.#settleLines(batch, from, to, verdict.rejected);
      if (verdict.type === 'refused') {
        if (to - from === 1) return this.#settleLines(batch, from, to, [{ ...verdict, seq: batch.seqAt(from) }]);
        const middle = (from + to) >>> 1;
        return (await this.#deliver(batch, from, middle)) && this.#deliver(batch, middle, to);
      }
      if (verdict.type === 'retry' && !this.#isStopping) {
        await this.#pause(verdict.code, verdict.detail, verdict.retryAfterMs);
      }
    }
  }

  async #settleLines(batch: Batch, from: number, to: number, rejected: readonly LineRejection[]): Promise<boolean> {
    const refused = new Map(rejected.map((line) => [line.seq, line]));
    let setAside = 0;
    if (refused.size > 0) {
      const lines: (LineRejection & ReturnType<Batch['recordAt']>)[] = [];
      for (let index = from; index < to; index++) {
        const line = refused.get(batch.seqAt(index));
        if (line !== undefined) lines.push({ ...batch.recordAt(index), ...line });
      }
      setAside = lines.length;
      // asked again, a target might no longer name them: only the setting aside is repeated
      if (!(await this.#insist('set-aside', () => this.#setAside(lines)))) return false;
    }
    this.#pushed += to - from - setAside;
    this.#recovered();
    this.#settle(batch.seqAt(to - 1));
    return true;
  }

  async #setAside(lines: readonly (LineRejection & ReturnType<Batch['recordAt']>)[]): Promise<void> {
    const { spool, clock, log } = this.#options;
    const { seq, code, detail } = lines[0]!;
    log.warn({ target: this.target, count: lines.length, seq, code, detail }, 'the target refused records; set aside');
    await spool.setAside(this.target).add(lines, clock.now());
  }

  #settle(seq: number): void {
    if (seq > this.#options.spool.cursor(this.target).seq) this.#options.spool.settle(this.target, seq);
  }

  /** Does something on the own disk until it works; false when the pusher was stopped before. */
  async #insist(code: string, work: () => Promise<void>): Promise<boolean> {
    for (;;) {
      try {
        await work();
        return true;
      } catch (error) {
        if (this.#isStopping) return false;
        this.#options.log.error({ err: error, target: this.target }, 'the pusher cannot go on');
        await this.#pause(code, (error as Error).message, undefined);
        if (this.#isStopping) return false;
      }
    }
  }

  async #pause(code: string, detail: string, retryAfterMs: number | undefined): Promise<void> {
    const { clock, log, random = Math.random } = this.#options;
    const { firstPauseMs = FIRST_PAUSE_MS, longestPauseMs = LONGEST_PAUSE_MS } = this.#options;
    const failures = (this.#trouble?.failures ?? 0) + 1;
    const whole = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 20));
    const ms = retryAfterMs ?? whole / 2 + (random() * whole) / 2;
    const now = clock.now();
    const since = this.#trouble?.since ?? now;
    if (this.#trouble?.code !== code) log.warn({ target: this.target, code, detail }, 'the target takes nothing now');
    this.#trouble = { code, detail, since, failures, retryAt: now + ms };
    this.#state = 'waiting';
    if (this.#isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #recovered(): void {
    const trouble = this.#trouble;
    this.#trouble = undefined;
    if (trouble === undefined) return;
    const { log, clock } = this.#options;
    log.info(
      { target: this.target, code: trouble.code, ms: clock.now() - trouble.since },
      'the target takes records again',
    );
  }

  #untilMore(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      void this.#reader.whenMore().then(resolve);
    });
  }
}
