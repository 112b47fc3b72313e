import type pg from 'pg';
import { receiverPauseS } from '../../../platform/backoff.ts';
import type { Clock } from '../../../platform/clock.ts';
import { withDeadline } from '../../../platform/deadline.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/durations.ts';
import type { Log } from '../../../platform/log.ts';
import { createPollLoop } from '../../../platform/poll-loop.ts';
import { isDatabaseAway } from '../../database/index.ts';
import type { Leased } from '../../kernel/jobs/index.ts';
import type { Outbound } from '../../kernel/outbound/index.ts';
import type { SigningSecrets } from './secret.ts';
import { signatureHeaders } from './signature.ts';
import * as store from './store.ts';
import { enqueueWakeUps, isStillWanted } from './wake-ups.ts';

export interface CallbackSenderDeps {
  readonly secrets: SigningSecrets;
  readonly ingest: pg.Pool;
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly log: Log;
  /** default URL for wake-ups */
  readonly wakeUpUrl: string | undefined;
  /** the command as the API shows it; undefined if deleted */
  readonly describe: (tenantId: number, commandId: string) => Promise<object | undefined>;
}

/** Calls configured URLs when a command has ended or a device should wake up. */
export interface CallbackSender {
  start(): void;
  /** Requests in flight are aborted, to be retried later. */
  stop(): Promise<void>;
  /** Attempts all due deliveries. */
  run(): Promise<void>;
}

const EVERY_MS = 1_000;
const AT_ONCE = 32;
const PER_HOST = 4;
/** Longer than an attempt takes, so that the lease is not renewed. */
const LEASE_MS = MINUTE_MS;
const TIMEOUT_MS = 10_000;
const GIVE_UP_MS = { 'command-ended': DAY_MS, 'wake-up': HOUR_MS } as const;

export function createCallbackSender(deps: CallbackSenderDeps): CallbackSender {
  const { ingest, log, clock, wakeUpUrl } = deps;
  const inFlight = new Map<Promise<void>, string>();
  const stopping = new AbortController();
  const isStopped = (): boolean => stopping.signal.aborted;

  const busyHosts = (): string[] => {
    const counts = new Map<string, number>();
    for (const host of inFlight.values()) counts.set(host, (counts.get(host) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= PER_HOST).map(([host]) => host);
  };
  const take = async (): Promise<number> => {
    const limit = AT_ONCE - inFlight.size;
    if (limit === 0 || isStopped()) return 0;
    const due = await store.claimDeliveries(ingest, {
      limit,
      perHost: PER_HOST,
      busyHosts: busyHosts(),
      leaseMs: LEASE_MS,
    });
    for (const delivery of due) {
      const work: Promise<void> = deliver(deps, delivery, stopping.signal)
        .then((isHeld) => {
          if (!isHeld) log.warn({ delivery: delivery.id }, 'a callback was claimed by another process before it ended');
        })
        .catch((error: Error) => log.warn({ reason: error.message }, 'a call-back is tried again later'))
        .finally(() => {
          inFlight.delete(work);
          loop.wake();
        });
      inFlight.set(work, hostOf(delivery.url));
    }
    return due.length;
  };
  const loop = createPollLoop({
    everyMs: EVERY_MS,
    firstAfterMs: EVERY_MS,
    async round() {
      while (!isStopped() && (await enqueueWakeUps(ingest, wakeUpUrl, clock.now())));
      return (await take()) > 0;
    },
    onError(error) {
      if (isDatabaseAway(error)) log.warn({ reason: error.message }, 'callbacks wait for the database');
      else log.error({ err: error }, 'callbacks failed');
    },
  });
  return {
    async run() {
      await loop.run();
      while (inFlight.size > 0) {
        await Promise.all(inFlight.keys());
        await loop.run();
      }
    },
    start: () => loop.start(),
    async stop() {
      stopping.abort(new Error('the server is stopping'));
      await loop.stop();
      await Promise.all(inFlight.keys());
    },
  };
}

/** Host and port of a URL, as in SQL. */
const hostOf = (url: string): string => url.split('/', 3)[2] ?? '';

async function deliver(
  deps: CallbackSenderDeps,
  delivery: store.DueDelivery & Leased,
  stopping: AbortSignal,
): Promise<boolean> {
  const { ingest, clock } = deps;
  const { kind, attempts, createdAt } = delivery;
  const body = await bodyOf(deps, delivery);
  if (body === undefined) return store.endDelivery(ingest, delivery, 'given-up', 'no longer needed');
  const error = await attempt(deps, delivery, body, stopping);
  if (error === undefined) return store.endDelivery(ingest, delivery, 'delivered', null);
  const pauseS = receiverPauseS(attempts);
  const isOver = clock.now() + 1000 * pauseS > createdAt + GIVE_UP_MS[kind];
  if (isOver || error === GONE) return store.endDelivery(ingest, delivery, 'given-up', error);
  return store.postponeDelivery(ingest, delivery, pauseS, error);
}

async function bodyOf(
  { describe, ingest, wakeUpUrl }: CallbackSenderDeps,
  { tenantId, kind, commandId }: store.DueDelivery,
): Promise<string | undefined> {
  if (kind === 'wake-up' && !(await isStillWanted(ingest, commandId, wakeUpUrl))) return undefined;
  const command = await describe(tenantId, commandId);
  return command === undefined ? undefined : JSON.stringify({ event: kind, ...command });
}

/** 410: the receiver does not want further requests (RFC 9110, 15.5.11). */
const GONE = 'status 410';

/** Returns the reason of a failure, or undefined. */
async function attempt(
  deps: CallbackSenderDeps,
  delivery: store.DueDelivery,
  body: string,
  stopping: AbortSignal,
): Promise<string | undefined> {
  const secret = await deps.secrets.read(delivery.tenantId);
  const headers = signatureHeaders(secret, { id: `whk_${delivery.id}`, at: deps.clock.now(), body });
  try {
    const status = await withDeadline(TIMEOUT_MS, stopping, (signal) =>
      deps.outbound.post(delivery.url, body, { ...headers, 'user-agent': 'Fleetgate' }, signal),
    );
    return status >= 200 && status < 300 ? undefined : `status ${status}`;
  } catch (error) {
    return (error as Error).message.slice(0, 500);
  }
}
