import { DelayedError, type Job, UnrecoverableError } from 'bullmq';
import { receiverPauseS } from '../../../platform/backoff.ts';
import type { Clock } from '../../../platform/clock.ts';
import { withDeadline } from '../../../platform/deadline.ts';
import { isDatabaseAway, type Queryable } from '../../database/index.ts';
import { type Send, Undeliverable } from './delivery.ts';
import * as store from './store.ts';

/** What a dashboard shows of a delivery besides its state. */
export interface JobData {
  readonly tenantId: number;
  readonly address: string;
}

export interface HandlerDeps {
  readonly pool: Queryable;
  readonly clock: Clock;
  readonly send: Send;
  /** aborts running attempts when the process stops */
  readonly stopping: AbortSignal;
  /** concurrent attempts to one host; further ones are delayed */
  readonly perHost: number;
}

const TIMEOUT_MS = 15_000;
const BUSY_MS = 1_000;
const DATABASE_AWAY_MS = 5_000;

/**
 * Delivers what the job's row says and stores the result. The row is authoritative: a repeated or rebuilt job delivers
 * nothing that has been delivered.
 */
export function createHandler({ pool, clock, send, stopping, perHost }: HandlerDeps) {
  const hosts = new Map<string, number>();
  const park = async (job: Job, ms: number, token: string | undefined): Promise<never> => {
    await job.moveToDelayed(clock.now() + ms, token);
    throw new DelayedError();
  };
  return async (job: Job<JobData>, token?: string): Promise<string> => {
    const host = hostOf(job.data.address);
    if ((hosts.get(host) ?? 0) >= perHost) return park(job, BUSY_MS, token);
    hosts.set(host, (hosts.get(host) ?? 0) + 1);
    try {
      return await deliver(job.id!);
    } catch (error) {
      if (isDatabaseAway(error)) return await park(job, DATABASE_AWAY_MS, token);
      throw error;
    } finally {
      const left = hosts.get(host)! - 1;
      if (left === 0) hosts.delete(host);
      else hosts.set(host, left);
    }
  };

  async function deliver(id: string): Promise<string> {
    const delivery = await store.findPending(pool, id);
    if (delivery === undefined) return 'nothing left to deliver';
    let receipt: string;
    try {
      receipt = await withDeadline(TIMEOUT_MS, stopping, (signal) => send(delivery, signal));
    } catch (error) {
      return failed(id, delivery.attempts + 1, delivery.giveUpAt, error as Error);
    }
    await store.endDelivery(pool, id, { state: 'delivered', detail: receipt, isGone: false });
    return receipt;
  }

  async function failed(id: string, attempts: number, giveUpAt: number, error: Error): Promise<never> {
    const reason = error.message.slice(0, 500);
    const pauseMs = 1_000 * receiverPauseS(attempts);
    if (error instanceof Undeliverable || clock.now() + pauseMs > giveUpAt) {
      const isGone = error instanceof Undeliverable && error.isGone;
      await store.endDelivery(pool, id, { state: 'failed', detail: reason, isGone });
      throw new UnrecoverableError(reason);
    }
    await store.notePause(pool, id, reason, pauseMs / 1_000);
    throw new Error(reason);
  }
}

/** All e-mail goes to one server, limited by the worker's concurrency. */
const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address);
