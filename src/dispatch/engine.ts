import type pg from 'pg';
import type { DownlinkLine } from '../contract/events.ts';
import type { Clock } from '../platform/clock.ts';
import { Gatherer } from '../platform/gatherer.ts';
import type { Log } from '../platform/log.ts';
import { type Listener, type Queryable, transaction } from '../platform/postgres/index.ts';
import type { Command, NewCommand } from './command.ts';
import { countOpen, insertCommands } from './enqueue/store.ts';
import { addWakeUps } from './hooks/store.ts';
import { applyEvents, type Book, type Correlation, type DeviceEvent, type Step } from './ledger.ts';
import * as store from './store.ts';
import { Streams } from './streams.ts';
import { findUnreported } from './sweep/store.ts';
import { Sweeper } from './sweep/sweeper.ts';

/** Open commands that a device may have. */
export const OPEN_COMMANDS = 100;
/** New commands that one transaction stores. */
const GATHER = 500;

export type Enqueued = 'queued' | 'duplicate-pending' | 'device-queue-full';

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
  readonly #waiting = new Map<string, Set<() => void>>();
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
   * Applies events within the transaction that stores them, claims for devices that became free, and returns what is
   * to be done once the transaction is through.
   */
  async apply(tx: Queryable, gateway: string, events: readonly DeviceEvent[]): Promise<() => void> {
    const { free, ended, steps } = await applyEvents(tx, gateway, events, this.#deps.clock.now());
    const claimed = await this.#claimIn(tx, free);
    return () => {
      this.streams.deliver(claimed);
      this.#tellEnded(ended);
      this.#deps.watch?.(steps);
    };
  }

  /** Claims for devices that may be free. */
  async claim(deviceIds: readonly number[]): Promise<number> {
    const claimed = await transaction(this.#deps.pool, (tx) => this.#claimIn(tx, deviceIds));
    this.streams.deliver(claimed);
    return claimed.length;
  }

  /** Changes commands that somebody asks for, by the table, and goes on with their devices. */
  async change<T>(work: (tx: Queryable) => Promise<{ book: Book; result: T }>): Promise<T> {
    const { book, result, claimed } = await transaction(this.#deps.pool, async (tx) => {
      const done = await work(tx);
      await done.book.save(tx);
      const anew = done.book.begunAnew().map((c) => c.id);
      await addWakeUps(tx, anew, this.#deps.wakesAll ?? false);
      return { ...done, claimed: await this.#claimIn(tx, [...done.book.free]) };
    });
    this.streams.deliver(claimed);
    this.#tellEnded(book.ended());
    await this.#wakeOthers([...book.free]);
    return result;
  }

  /** Resolves when the command has ended as far as this process hears of it, or after `ms`. */
  whenEnded(id: string, ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        const waiting = this.#waiting.get(id);
        waiting?.delete(done);
        if (waiting?.size === 0) this.#waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done, { once: true });
      const waiting = this.#waiting.get(id);
      if (waiting === undefined) this.#waiting.set(id, new Set([done]));
      else waiting.add(done);
    });
  }

  async #store(list: readonly NewCommand[]): Promise<Enqueued[]> {
    const devices = [...new Set(list.map((c) => c.deviceId))].sort((a, b) => a - b);
    const { outcomes, claimed } = await transaction(this.#deps.pool, async (tx) => {
      await store.lockSessions(tx, devices);
      const open = await countOpen(tx, devices);
      const most = this.#deps.openCommands ?? OPEN_COMMANDS;
      const fitting = list.filter(({ deviceId }) => {
        const count = (open.get(deviceId) ?? 0) + 1;
        if (count <= most) open.set(deviceId, count);
        return count <= most;
      });
      const stored = await insertCommands(tx, fitting);
      const fits = new Set(fitting);
      const outcomes = list.map((c): Enqueued => {
        if (!fits.has(c)) return 'device-queue-full';
        return stored.has(c.id) ? 'queued' : 'duplicate-pending';
      });
      const queued = list.filter((c) => stored.has(c.id));
      await Promise.all([
        store.addHistory(
          tx,
          queued.map((c) => ({
            commandId: c.id,
            tenantId: c.tenantId,
            at: this.#deps.clock.now(),
            from: null,
            to: 'pending',
            reason: 'enqueued',
            actor: c.createdBy,
          })),
        ),
        store.addToOutbox(tx, [...stored]),
        addWakeUps(tx, [...stored], this.#deps.wakesAll ?? false),
      ]);
      return { outcomes, claimed: await this.#claimIn(tx, devices) };
    });
    this.streams.deliver(claimed);
    const served = new Set(claimed.map((c) => c.deviceId));
    await this.#wakeOthers(devices.filter((id) => !served.has(id)));
    return outcomes;
  }

  /** Devices that are on line through another process's gateways. */
  async #wakeOthers(deviceIds: readonly number[]): Promise<void> {
    if (deviceIds.length === 0) return;
    const here = this.streams.gateways;
    const elsewhere = (await store.gatewaysOf(this.#deps.pool, deviceIds)).filter((g) => !here.includes(g));
    if (elsewhere.length > 0) await store.wake(this.#deps.pool, elsewhere);
  }

  async #claimIn(tx: Queryable, deviceIds: readonly number[]): Promise<store.ClaimedCommand[]> {
    const { gateways } = this.streams;
    if (gateways.length === 0 || deviceIds.length === 0) return [];
    return store.claim(tx, deviceIds, gateways);
  }

  #tellEnded(commands: readonly Command[]): void {
    for (const { id } of commands) for (const tell of [...(this.#waiting.get(id) ?? [])]) tell();
  }
}
