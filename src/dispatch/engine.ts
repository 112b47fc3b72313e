import { setImmediate as turn } from 'node:timers/promises';
import type pg from 'pg';
import type { Enqueued, NewCommand, Standing } from '../contract/command.ts';
import type { DownlinkLine } from '../contract/events.ts';
import type { Clock } from '../platform/clock.ts';
import { Gatherer } from '../platform/gatherer.ts';
import type { Log } from '../platform/log.ts';
import { allSent, insist, type Listener, type Queryable, transaction } from '../platform/postgres/index.ts';
import type { Command } from './command.ts';
import { enqueueCommands } from './enqueue/store.ts';
import { addWakeUps } from './hooks/store.ts';
import { applyEvents, type Book, type Correlation, type DeviceEvent, openBook, type Step } from './ledger.ts';
import * as store from './store.ts';
import { Streams } from './streams.ts';
import { findUnreported } from './sweep/store.ts';
import { Sweeper } from './sweep/sweeper.ts';

/** Open commands that a device may have. */
export const OPEN_COMMANDS = 100;
/** New commands that one transaction stores. */
const GATHER = 500;

export interface EngineDeps {
  /** as the role whose work crosses tenants */
  readonly pool: pg.Pool;
  readonly listener: Listener;
  readonly clock: Clock;
  readonly log: Log;
  readonly correlation: Correlation;
  readonly openCommands?: number;
  /** somebody wakes up the devices of every tenant */
  readonly wakesAll?: boolean;
  /** hears what gateways' reports have made of commands, once that is stored */
  readonly watch?: (steps: readonly Step[]) => void;
}

/**
 * What moves commands: stores them, claims the next of each free device, sends it down the stream of its gateway,
 * and applies what gateways tell. PostgreSQL holds the truth; this process may die at any point.
 */
export class DispatchEngine {
  readonly streams = new Streams();
  readonly #deps: EngineDeps;
  readonly #enqueuing: Gatherer<NewCommand, Enqueued>;
  readonly #sweeper: Sweeper;
  readonly #waiting = new Map<string, Set<(end: Standing) => void>>();
  readonly #unsubscribe: () => void;

  constructor(deps: EngineDeps) {
    this.#deps = deps;
    this.#enqueuing = new Gatherer((list) => this.#store(list), GATHER);
    this.#sweeper = new Sweeper({
      ...deps,
      streams: this.streams,
      claim: (ids) => this.claim(ids),
      ended: (c) => this.#tellEnded(c),
    });
    // Another process has stored something for a device of a gateway that may be ours.
    this.#unsubscribe = deps.listener.on('fleetgate_claim', (gateway) => {
      if (this.streams.gateways.includes(gateway)) this.#sweeper.soon();
    });
  }

  start(): void {
    this.#sweeper.start();
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#sweeper.stop();
  }

  /** Looks after what nobody tells of, now. */
  sweep(): Promise<void> {
    return this.#sweeper.sweep();
  }

  /** Stores a command and sends it at once where its device is free and on line here. */
  enqueue(command: NewCommand): Promise<Enqueued> {
    return this.#enqueuing.add(command);
  }

  /** A gateway's stream begins: what was claimed and not reported as sent is told again. */
  async open(gateway: string, send: (line: DownlinkLine) => void): Promise<() => void> {
    const close = this.streams.open(gateway, send);
    this.streams.deliver(await findUnreported(this.#deps.pool, [gateway], 0));
    this.#sweeper.soon();
    return close;
  }

  /**
   * Loads what a gateway's events are about, locked, within the transaction that stores them; `touched` are devices
   * whose sessions it writes. What is returned applies them: all of its statements leave in one turn, and it resolves
   * with what is to be done once the transaction is through.
   */
  async load(
    tx: Queryable,
    gateway: string,
    events: readonly DeviceEvent[],
    touched?: Iterable<number>,
  ): Promise<() => Promise<() => void>> {
    const book = await openBook(tx, gateway, events, this.#deps.clock.now(), touched);
    return async () => {
      applyEvents(book, gateway, events);
      const claimed = await book.save(tx, this.streams.gateways);
      return () => {
        this.streams.deliver(claimed);
        this.#tellEnded(book.ended());
        this.#deps.watch?.(book.steps());
      };
    };
  }

  /** Claims for devices that may be free. */
  async claim(deviceIds: readonly number[]): Promise<number> {
    const { gateways } = this.streams;
    if (gateways.length === 0 || deviceIds.length === 0) return 0;
    const claimed = await insist(() => store.claim(this.#deps.pool, deviceIds, gateways));
    this.streams.deliver(claimed);
    return claimed.length;
  }

  /** Changes commands that somebody asks for, by the table, and goes on with their devices. */
  async change<T>(work: (tx: Queryable) => Promise<{ book: Book; result: T }>): Promise<T> {
    const { book, result, claimed } = await transaction(this.#deps.pool, async (tx) => {
      const done = await work(tx);
      const anew = done.book.begunAnew().map((c) => c.id);
      const waking = addWakeUps(tx, anew, this.#deps.wakesAll ?? false);
      const saved = done.book.save(tx, this.streams.gateways);
      await allSent([waking, saved]);
      return { ...done, claimed: await saved };
    });
    this.streams.deliver(claimed);
    this.#tellEnded(book.ended());
    await this.#wakeOthers([...book.free]);
    return result;
  }

  /** Calls back when the command has ended, as far as this process hears of it. Returns how to hear no more. */
  onEnded(id: string, heard: (end: Standing) => void): () => void {
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting.add(heard));
    return () => {
      waiting.delete(heard);
      if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
    };
  }

  async #store(list: readonly NewCommand[]): Promise<Enqueued[]> {
    const { pool, openCommands: most = OPEN_COMMANDS, wakesAll = false } = this.#deps;
    const options = { gateways: this.streams.gateways, most, wakesAll };
    const { stored, duplicates, outdated, claimed } = await insist(() => enqueueCommands(pool, list, options));
    this.streams.deliver(claimed);
    // It leaves before anybody is answered: whoever hears of it wakes up, and may take the core.
    await turn();
    const sent = new Set(claimed.map(({ id }) => id));
    return list.map(({ id }): Enqueued => {
      const expiresAt = stored.get(id);
      if (expiresAt !== undefined) return { type: 'queued', state: sent.has(id) ? 'sending' : 'pending', expiresAt };
      if (outdated.has(id)) return { type: 'outdated' };
      return { type: duplicates.has(id) ? 'duplicate-pending' : 'device-queue-full' };
    });
  }

  /** Devices that are on line through another process's gateways. */
  async #wakeOthers(deviceIds: readonly number[]): Promise<void> {
    if (deviceIds.length === 0) return;
    const here = this.streams.gateways;
    const elsewhere = (await store.gatewaysOf(this.#deps.pool, deviceIds)).filter((g) => !here.includes(g));
    if (elsewhere.length > 0) await store.wake(this.#deps.pool, elsewhere);
  }

  #tellEnded(commands: readonly Command[]): void {
    for (const { id, state, expiresAt } of commands) {
      for (const tell of [...(this.#waiting.get(id) ?? [])]) tell({ state, expiresAt });
    }
  }
}
