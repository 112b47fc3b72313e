import type pg from 'pg';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { transaction } from '../../platform/postgres/index.ts';
import type { Occurrence } from '../change.ts';
import type { Command } from '../command.ts';
import { Book, type Correlation } from '../ledger.ts';
import { holdConnections } from '../store.ts';
import type { Streams } from '../streams.ts';
import * as store from './store.ts';

const EVERY_MS = 1_000;
const LIMIT = 1_000;
/** A delivery that has not been reported as sent for so long is told again; the gateway ignores what it has written. */
const UNREPORTED_MS = 3_000;
/** How long a late answer is waited for before the connection is closed. */
const HOLD_MS = 60_000;

export interface SweeperDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Log;
  readonly correlation: Correlation;
  readonly streams: Streams;
  claim(deviceIds: readonly number[]): Promise<number>;
  ended(commands: readonly Command[]): void;
}

/**
 * Finds, each second and by indexed deadlines, what nobody tells of: the expired, the late, the lost delivery, the
 * idle device with something pending. There are no time-out jobs.
 */
export class Sweeper {
  readonly #deps: SweeperDeps;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(deps: SweeperDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => this.soon(), EVERY_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Sweeps now, or right after the sweep that runs. */
  soon(): void {
    if (this.#stopped) return;
    if (this.#running !== undefined) {
      this.#again = true;
      return;
    }
    this.#running = this.sweep()
      .catch((error: Error) => this.#deps.log.warn({ reason: error.message }, 'sweep of commands failed'))
      .finally(() => {
        this.#running = undefined;
        if (this.#again) {
          this.#again = false;
          this.soon();
        }
      });
  }

  /** One sweep. Rejects where the database is away. */
  async sweep(): Promise<void> {
    while ((await this.#expire()) === LIMIT);
    while ((await this.#judgeOverdue()) === LIMIT);
    const { pool, streams } = this.#deps;
    const { gateways } = streams;
    if (gateways.length === 0) return;
    streams.deliver(await store.findUnreported(pool, gateways, UNREPORTED_MS));
    for (const { gateway, conn } of await store.findStuckHolds(pool, gateways, HOLD_MS)) {
      streams.send(gateway, { type: 'close', conn, reason: 'the answer to a command never came' });
    }
    for (;;) {
      const idle = await store.findIdle(pool, gateways, LIMIT);
      if (idle.length === 0 || (await this.#deps.claim(idle)) === 0 || idle.length < LIMIT) return;
    }
  }

  async #expire(): Promise<number> {
    const { pool, clock } = this.#deps;
    const now = clock.now();
    const { book, count } = await transaction(pool, async (tx) => {
      const book = new Book(now);
      const list = await store.lockExpired(tx, LIMIT);
      book.add(list);
      for (const command of list) {
        book.apply(command, { happening: 'deadline', at: now, reason: 'time-to-live-over', actor: 'sweeper' });
      }
      await book.save(tx);
      return { book, count: list.length };
    });
    this.#deps.ended(book.ended());
    return count;
  }

  /** Those past their answer time: late, or on a line that is dead. */
  async #judgeOverdue(): Promise<number> {
    const { pool, clock, streams } = this.#deps;
    const now = clock.now();
    const { book, overdue, dead } = await transaction(pool, async (tx) => {
      const book = new Book(now);
      const overdue = await store.lockOverdue(tx, LIMIT);
      book.add(overdue);
      const judged = overdue.map((command) => this.#judge(command, now));
      for (const { command, occurrence } of judged) if (occurrence !== undefined) book.apply(command, occurrence);
      const held = judged.filter((j) => j.holds).map((j) => j.command.deviceId);
      if (held.length > 0) await holdConnections(tx, held);
      await book.save(tx);
      return { book, overdue, dead: judged.filter((j) => j.occurrence?.isDeadLine).map((j) => j.command) };
    });
    for (const { gateway, conn } of dead) {
      if (gateway !== null && conn !== null)
        streams.send(gateway, { type: 'close', conn, reason: 'silent after a command' });
    }
    this.#deps.ended(book.ended());
    // What is only waited for stays overdue and is not counted, or the sweep would never end.
    return overdue.length === LIMIT && book.changed().length > 0 ? LIMIT : 0;
  }

  #judge(
    command: store.OverdueCommand,
    now: number,
  ): { command: store.OverdueCommand; occurrence: Occurrence | undefined; holds: boolean } {
    const about = { at: now, actor: 'sweeper' };
    if (command.state === 'sending' && command.isOnline && !command.isLeaseOver) {
      // The delivery was lost on its way; it is told again as the same attempt.
      return { command, occurrence: undefined, holds: false };
    }
    if (!command.isOnline || command.isLeaseOver) {
      const { isStreamApplied } = command;
      const occurrence = { ...about, happening: 'session-ended', reason: 'session-ended', isStreamApplied } as const;
      return { command, occurrence, holds: false };
    }
    const isSilent = command.sentAt !== null && (command.seenAt ?? 0) <= command.sentAt;
    if (isSilent) {
      const occurrence = { ...about, happening: 'session-ended', reason: 'line-dead', isDeadLine: true } as const;
      return { command, occurrence, holds: true };
    }
    const occurrence = { ...about, happening: 'late', reason: 'no-answer-in-time' } as const;
    return { command, occurrence, holds: this.#deps.correlation(command.protocol) === 'in-order' };
  }
}
