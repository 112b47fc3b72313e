import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type pg from 'pg';
import type { CommandStatus, Enqueued, NewCommand } from '../../../contract/command.ts';
import type { DownlinkLine } from '../../../contract/events.ts';
import { Batcher } from '../../../platform/batcher.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { allSent, type Listener, type Queryable, transaction, withRetry } from '../../database/index.ts';
import type { Command } from './command.ts';
import { createEndAnnouncer, type EndAnnouncer } from './ends.ts';
import { enqueueCommands } from './enqueue/store.ts';
import { addWakeUps } from './hooks/store.ts';
import * as store from './store.ts';
import { Streams } from './streams.ts';
import { findUnreported } from './sweep/store.ts';
import { Sweeper } from './sweep/sweeper.ts';
import {
  applyEvents,
  closeOldSessions,
  type DeviceEvent,
  openUnitOfWork,
  type ProtocolKnowledge,
  type Step,
  type UnitOfWork,
} from './unit-of-work.ts';

/** Maximum number of new commands in one transaction. */
const ENQUEUED_TOGETHER = 500;

export interface EngineDeps {
  /** of the role that may access all tenants */
  readonly pool: pg.Pool;
  readonly listener: Listener;
  readonly clock: Clock;
  readonly log: Log;
  readonly protocols: ProtocolKnowledge;
  /** open commands that a device may have */
  readonly openCommands: number;
  /** wake-ups are sent for the devices of every tenant */
  readonly wakesAll?: boolean;
  /**
   * Whether ends of commands are announced, because clients of other processes may wait for them; true unless given.
   */
  readonly hasPeers?: () => boolean;
  /** called after the commit with the commands that events of gateways have changed */
  readonly watch?: (steps: readonly Step[]) => void;
}

/**
 * Dispatches commands: stores them, claims the next one of each free device, sends it on the downlink of its gateway,
 * and applies the events of gateways. PostgreSQL is the source of truth: a process may end at any point.
 */
export class DispatchEngine {
  readonly streams = new Streams();
  readonly protocols: ProtocolKnowledge;
  readonly #deps: EngineDeps;
  readonly #enqueuing: Batcher<NewCommand, Enqueued>;
  readonly #sweeper: Sweeper;
  readonly #waiters = new Map<string, Set<(end: CommandStatus) => void>>();
  readonly #ends: EndAnnouncer;
  readonly #unsubscribe: () => void;

  constructor(deps: EngineDeps) {
    this.#deps = deps;
    this.protocols = deps.protocols;
    this.#enqueuing = new Batcher((list) => this.#store(list), { most: ENQUEUED_TOGETHER, splitsFailed: true });
    this.#sweeper = new Sweeper({
      ...deps,
      streams: this.streams,
      claim: (ids) => this.claim(ids),
      ended: (c) => this.#notifyEnded(c),
    });
    const { pool, listener, hasPeers = () => true } = deps;
    this.#ends = createEndAnnouncer({
      pool,
      listener,
      log: deps.log,
      hasPeers,
      isAwaited: (id) => this.#waiters.has(id),
      onEnded: (commands) => this.#notifyWaiters(commands),
    });
    // another process has stored a command for a device whose gateway may be connected here
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
    await this.#ends.stop();
  }

  /** Runs the sweeper now. */
  sweep(): Promise<void> {
    return this.#sweeper.sweep();
  }

  /** Stores a command and sends it at once where its device is free and online here. */
  enqueue(command: NewCommand): Promise<Enqueued> {
    return this.#enqueuing.add(command);
  }

  /** Registers the downlink of a gateway. Commands that were claimed and not reported as sent are sent again. */
  async open(gateway: string, send: (line: DownlinkLine) => void): Promise<() => void> {
    const close = this.streams.open(gateway, send);
    this.streams.deliver(await findUnreported(this.#deps.pool, [gateway], 0));
    this.#sweeper.soon();
    return close;
  }

  /**
   * Loads and locks the commands of a gateway's events in the transaction that stores the events; `touched` are the
   * devices whose sessions the transaction writes. `apply` changes the commands and sends all statements in one write.
   * `afterCommit` delivers and notifies.
   */
  async load(
    tx: Queryable,
    gateway: string,
    events: readonly DeviceEvent[],
    touched?: Iterable<number>,
  ): Promise<{ apply(): Promise<void>; afterCommit(): void }> {
    const unit = await openUnitOfWork(tx, gateway, events, {
      now: this.#deps.clock.now(),
      protocols: this.protocols,
      touched,
    });
    let claimed: Awaited<ReturnType<typeof unit.save>> = [];
    return {
      apply: async () => {
        await closeOldSessions(tx, gateway, events);
        applyEvents(unit, gateway, events);
        claimed = await unit.save(tx, this.streams.gateways);
      },
      afterCommit: () => {
        this.streams.deliver(claimed);
        this.#notifyEnded(unit.ended());
        this.#deps.watch?.(unit.steps());
      },
    };
  }

  /** Claims for devices that may be free. */
  async claim(deviceIds: readonly number[]): Promise<number> {
    const { gateways } = this.streams;
    if (gateways.length === 0 || deviceIds.length === 0) return 0;
    const claimed = await withRetry(() => store.claim(this.#deps.pool, deviceIds, gateways));
    this.streams.deliver(claimed);
    return claimed.length;
  }

  /** Applies a user request to commands, and claims the next commands of their devices. */
  async change<T>(work: (tx: Queryable) => Promise<{ unit: UnitOfWork; result: T }>): Promise<T> {
    const { unit, result, claimed } = await transaction(this.#deps.pool, async (tx) => {
      const done = await work(tx);
      const rearmed = done.unit.rearmed().map((c) => c.id);
      const waking = addWakeUps(tx, rearmed, this.#deps.wakesAll ?? false);
      const saved = done.unit.save(tx, this.streams.gateways);
      await allSent([waking, saved]);
      return { ...done, claimed: await saved };
    });
    this.streams.deliver(claimed);
    this.#notifyEnded(unit.ended());
    await this.#wakeOthers([...unit.free]);
    return result;
  }

  /**
   * Calls back when any process has ended the command; notifications can be lost if the database connection breaks.
   * Returns a function to unsubscribe.
   */
  onEnded(id: string, listener: (end: CommandStatus) => void): () => void {
    const waiters = this.#waiters.get(id) ?? new Set();
    this.#waiters.set(id, waiters.add(listener));
    return () => {
      waiters.delete(listener);
      if (waiters.size === 0 && this.#waiters.get(id) === waiters) this.#waiters.delete(id);
    };
  }

  async #store(list: readonly NewCommand[]): Promise<Enqueued[]> {
    const { pool, openCommands: maxOpen, wakesAll = false } = this.#deps;
    const options = { gateways: this.streams.gateways, maxOpen, wakesAll };
    const { stored, duplicates, outdated, claimed } = await withRetry(() => enqueueCommands(pool, list, options));
    this.streams.deliver(claimed);
    // Deliveries are written before the callers continue, since their code may occupy the event loop.
    await yieldToEventLoop();
    const sent = new Set(claimed.map(({ id }) => id));
    return list.map(({ id }): Enqueued => {
      const expiresAt = stored.get(id);
      if (expiresAt !== undefined) return { type: 'queued', state: sent.has(id) ? 'sending' : 'pending', expiresAt };
      if (outdated.has(id)) return { type: 'outdated' };
      return { type: duplicates.has(id) ? 'duplicate-pending' : 'device-queue-full' };
    });
  }

  /** Notifies the processes that hold the gateways of devices connected elsewhere. */
  async #wakeOthers(deviceIds: readonly number[]): Promise<void> {
    if (deviceIds.length === 0) return;
    const here = this.streams.gateways;
    const elsewhere = (await store.gatewaysOf(this.#deps.pool, deviceIds)).filter((g) => !here.includes(g));
    if (elsewhere.length > 0) await store.wake(this.#deps.pool, elsewhere);
  }

  #notifyEnded(commands: readonly Command[]): void {
    this.#notifyWaiters(commands);
    this.#ends.announce(commands);
  }

  #notifyWaiters(commands: readonly Command[]): void {
    for (const { id, state, expiresAt, ...outcome } of commands) {
      for (const notify of Array.from(this.#waiters.get(id) ?? [])) notify({ state, expiresAt, outcome });
    }
  }
}
