import type pg from 'pg';
import type { Clock } from '../../../../platform/clock.ts';
import type { Log } from '../../../../platform/log.ts';
import { createPollLoop, type PollLoop } from '../../../../platform/poll-loop.ts';
import { transaction } from '../../../database/index.ts';
import type { StateEvent } from '../change.ts';
import type { Command } from '../command.ts';
import { sendElsewhere } from '../store.ts';
import type { Streams } from '../streams.ts';
import { type ProtocolKnowledge, UnitOfWork } from '../unit-of-work.ts';
import * as store from './store.ts';

const EVERY_MS = 1_000;
const LIMIT = 1_000;
/**
 * A delivery that has not been reported as sent within this time is sent again; the gateway ignores deliveries that it
 * has written.
 */
const UNREPORTED_MS = 3_000;

export interface SweeperDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Log;
  readonly protocols: ProtocolKnowledge;
  readonly streams: Streams;
  claim(deviceIds: readonly number[]): Promise<number>;
  ended(commands: readonly Command[]): void;
}

/**
 * Finds each second, by indexed deadlines, what no event reports: expired commands, missing answers, lost deliveries,
 * idle devices with pending commands. There are no timers for commands.
 */
export class Sweeper {
  readonly #deps: SweeperDeps;
  readonly #loop: PollLoop;

  constructor(deps: SweeperDeps) {
    this.#deps = deps;
    this.#loop = createPollLoop({
      everyMs: EVERY_MS,
      firstAfterMs: EVERY_MS,
      round: async () => {
        await this.sweep();
        return false;
      },
      onError: (error) => deps.log.warn({ reason: error.message }, 'sweep of commands failed'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Sweeps now, or right after the sweep that is running. */
  soon(): void {
    this.#loop.wake();
  }

  /** One sweep. Rejects if the database is unavailable. */
  async sweep(): Promise<void> {
    while ((await this.#expire()) === LIMIT);
    while ((await this.#judgeOverdue()) === LIMIT);
    const { pool, streams } = this.#deps;
    const { gateways } = streams;
    if (gateways.length === 0) return;
    streams.deliver(await store.findUnreported(pool, gateways, UNREPORTED_MS));
    for (const { gateway, conn } of await store.findStuckHolds(pool, gateways)) {
      streams.send(gateway, { type: 'close', conn, reason: 'the answer to a command never came' });
    }
    for (;;) {
      const idle = await store.findIdle(pool, gateways, LIMIT);
      if (idle.length === 0 || (await this.#deps.claim(idle)) === 0 || idle.length < LIMIT) return;
    }
  }

  async #expire(): Promise<number> {
    const { pool, clock, protocols } = this.#deps;
    const now = clock.now();
    const { unit, count } = await transaction(pool, async (tx) => {
      const unit = new UnitOfWork(now, protocols);
      const list = await store.lockExpired(tx, LIMIT);
      unit.add(list);
      for (const command of list) {
        unit.apply(command, { type: 'deadline', at: now, reason: 'time-to-live-over', actor: 'sweeper' });
      }
      await unit.save(tx);
      return { unit, count: list.length };
    });
    this.#deps.ended(unit.ended());
    return count;
  }

  /** Handles commands after their answer time: no answer, or a dead connection. */
  async #judgeOverdue(): Promise<number> {
    const { pool, clock, protocols, streams } = this.#deps;
    const now = clock.now();
    const { unit, overdue, dead } = await transaction(pool, async (tx) => {
      const unit = new UnitOfWork(now, protocols);
      const overdue = await store.lockOverdue(tx, LIMIT);
      unit.add(overdue);
      for (const command of overdue) unit.apply(command, judge(command, now));
      await unit.save(tx);
      const lines = overdue.filter(isLineDead).flatMap(({ gateway, conn }) => {
        if (gateway === null || conn === null) return [];
        return [{ gateway, line: { type: 'close', conn, reason: 'silent after a command' } as const }];
      });
      const held = new Set(streams.gateways);
      // the downlinks of such gateways end in other processes
      await sendElsewhere(
        tx,
        lines.filter(({ gateway }) => !held.has(gateway)),
      );
      return { unit, overdue, dead: lines.filter(({ gateway }) => held.has(gateway)) };
    });
    for (const { gateway, line } of dead) streams.send(gateway, line);
    this.#deps.ended(unit.ended());
    return overdue.length;
  }
}

const isGivenUp = ({ isOnline, isLeaseOver }: store.OverdueCommand): boolean => !isOnline || isLeaseOver;

/** The device has sent nothing since the command. */
const isLineDead = (command: store.OverdueCommand): boolean =>
  !isGivenUp(command) && command.sentAt !== null && command.state === 'sent' && (command.seenAt ?? 0) <= command.sentAt;

function judge(command: store.OverdueCommand, now: number): StateEvent {
  const about = { at: now, actor: 'sweeper' };
  if (isGivenUp(command)) {
    // A gateway that is not connected may still read the delivery and write it.
    const { isConnectionClosed } = command;
    const isStreamApplied = command.isStreamApplied && isConnectionClosed;
    return { ...about, type: 'session-ended', reason: 'session-ended', isStreamApplied, isConnectionClosed };
  }
  if (isLineDead(command)) return { ...about, type: 'session-ended', reason: 'line-dead', isStreamApplied: false };
  // A delivery whose report is overdue may still be on its way to the gateway.
  return { ...about, type: 'late', reason: command.state === 'sent' ? 'no-answer-in-time' : 'delivery-not-reported' };
}
