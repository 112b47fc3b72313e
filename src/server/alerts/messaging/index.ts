import { setTimeout as wait } from 'node:timers/promises';
import { type BackendFactory, type IQueueBackend, Queue, Worker } from 'bullmq';
import type pg from 'pg';
import { receiverPauseS } from '../../../platform/backoff.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { createPollLoop } from '../../../platform/poll-loop.ts';
import type { Channel, Send } from './delivery.ts';
import { createHandler } from './handler.ts';
import * as store from './store.ts';

export { emailBy } from './channels/email.ts';
export { fcmBy } from './channels/fcm.ts';
export { webPushBy } from './channels/web-push.ts';
export { webhookBy } from './channels/webhook.ts';
export type { Channel } from './delivery.ts';
export { countDeliveries } from './store.ts';

/** Where jobs are stored: Redis, or the tables of the library. */
export interface JobConnections {
  connect(purpose: 'queue' | 'worker'): {
    // biome-ignore lint/suspicious/noExplicitAny: each has connection options of its own type
    readonly options: { readonly connection: any; readonly prefix?: string };
    // biome-ignore lint/suspicious/noExplicitAny: likewise
    readonly factory: BackendFactory<IQueueBackend, any>;
  };
  close(): Promise<void>;
}

export interface MessagingDeps {
  /** as the role whose work crosses tenants */
  readonly pool: pg.Pool;
  readonly connections: JobConnections;
  readonly clock: Clock;
  readonly log: Log;
  /** channels that are configured */
  readonly sends: Readonly<Partial<Record<Channel, Send>>>;
  /** completed and failed jobs kept for a day, each */
  readonly kept: number;
  readonly everyMs?: number;
}

// biome-ignore lint/suspicious/noExplicitAny: independent of the backend
export type MessageJobs = Queue<any, any, string, any, any, string, IQueueBackend, any>;

/** Delivers messages: one queue and one worker for each channel, so that a channel that hangs does not block others. */
export interface Messaging {
  start(): void;
  stop(): Promise<void>;
  /** Calls back when the queues are open. */
  onOpen(listener: (jobs: readonly MessageJobs[]) => void): void;
}

const EVERY_MS = 500;
const BATCH = 500;
const MAX_PAUSE_MS = 5_000;
const CLOSE_MS = 2_000;
/** after this time a job may be lost and is checked again */
const RECHECK_S = 120;
const KEPT_S = 86_400;
/** a job whose process has died is taken over after this time; a running one renews its lock */
const LOCK_MS = 6_000;
/** ms between two searches for such jobs */
const STALLED_MS = 2_000;
/** more attempts than fit into a delivery's lifetime */
const ATTEMPTS = 100;
const CONCURRENCY: Readonly<Record<Channel, number>> = { email: 4, webhook: 32, web_push: 16, fcm: 16 };
const PER_HOST: Readonly<Record<Channel, number>> = { email: 4, webhook: 4, web_push: 16, fcm: 16 };

interface ChannelQueue {
  readonly jobs: MessageJobs;
  readonly worker: MessageWorker;
}

type MessageWorker = Pick<Worker, 'close'> & { on(event: 'error', listener: (error: Error) => void): unknown };

export function createMessaging(deps: MessagingDeps): Messaging {
  const { pool, connections, log } = deps;
  const channels = Object.keys(deps.sends) as Channel[];
  const stopping = new AbortController();
  const listeners = new Set<(jobs: readonly MessageJobs[]) => void>();
  let channelQueues: Map<Channel, ChannelQueue> | undefined;

  const open = async (): Promise<Map<Channel, ChannelQueue>> => {
    if (channelQueues !== undefined) return channelQueues;
    const opened = new Map<Channel, ChannelQueue>();
    try {
      const shared = connections.connect('queue');
      for (const channel of channels) opened.set(channel, await openChannel(deps, channel, shared, stopping.signal));
    } catch (error) {
      await Promise.all([...opened.values()].map(closeChannel));
      await connections.close();
      throw error;
    }
    channelQueues = opened;
    for (const listener of listeners) listener([...opened.values()].map(({ jobs }) => jobs));
    return opened;
  };
  const round = async (): Promise<boolean> => {
    const unqueued = await store.readUnqueued(pool, channels, BATCH);
    if (unqueued.length === 0 && channelQueues !== undefined) return false;
    const opened = await open();
    for (const channel of channels) {
      const mine = unqueued.filter((one) => one.channel === channel);
      if (mine.length > 0) await enqueue(opened.get(channel)!.jobs, mine);
    }
    const ids = unqueued.map(({ id }) => id);
    if (ids.length > 0) await store.markQueued(pool, ids, RECHECK_S);
    return unqueued.length === BATCH;
  };
  const loop = createPollLoop({
    round,
    everyMs: deps.everyMs ?? EVERY_MS,
    longestPauseMs: MAX_PAUSE_MS,
    onError(error, failures) {
      if (failures === 1) log.warn({ reason: error.message }, 'messages are waiting for the queue or the database');
    },
  });
  return {
    start: () => loop.start(),
    async stop() {
      stopping.abort(new Error('the server is stopping'));
      await loop.stop();
      await Promise.all([...(channelQueues?.values() ?? [])].map(closeChannel));
      await connections.close();
    },
    onOpen(listener) {
      listeners.add(listener);
      if (channelQueues !== undefined) listener([...channelQueues.values()].map(({ jobs }) => jobs));
    },
  };
}

async function openChannel(
  deps: MessagingDeps,
  channel: Channel,
  shared: ReturnType<JobConnections['connect']>,
  stopping: AbortSignal,
): Promise<ChannelQueue> {
  const name = `messages-${channel.replace('_', '-')}`;
  const jobs: MessageJobs = new Queue(name, shared.options, shared.factory);
  // errors are reported by the call that fails
  jobs.on('error', () => {});
  await jobs.waitUntilReady();
  const { options, factory } = deps.connections.connect('worker');
  const handle = createHandler({
    pool: deps.pool,
    clock: deps.clock,
    send: deps.sends[channel]!,
    stopping,
    perHost: PER_HOST[channel],
  });
  const keep = { count: deps.kept, age: KEPT_S };
  const worker: MessageWorker = new Worker(
    name,
    handle,
    {
      ...options,
      concurrency: CONCURRENCY[channel],
      removeOnComplete: { ...keep },
      removeOnFail: { ...keep },
      settings: { backoffStrategy: (attempts: number) => 1_000 * receiverPauseS(attempts) },
      // a job whose process has died is taken over by another worker; that must not fail it
      maxStalledCount: 10,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_MS,
      runRetryDelay: 1_000,
    },
    factory,
  );
  worker.on('error', (error) => deps.log.debug({ reason: error.message, channel }, 'message worker'));
  return { jobs, worker };
}

/** Job ids are delivery ids, so adding a job twice has no effect. */
async function enqueue(jobs: MessageJobs, list: readonly store.UnqueuedDelivery[]): Promise<void> {
  for (const { id, isOld } of list) {
    if (!isOld) continue;
    // a finished job of an unfinished delivery would block the new one
    const state = await jobs.getJobState(id);
    if (state === 'failed' || state === 'completed') await jobs.remove(id);
  }
  await jobs.addBulk(
    list.map(({ id, tenantId, address, channel }) => ({
      name: channel,
      data: { tenantId, address },
      opts: { jobId: id, attempts: ATTEMPTS, backoff: { type: 'custom' } },
    })),
  );
}

async function closeChannel({ jobs, worker }: ChannelQueue): Promise<void> {
  const within = (work: Promise<unknown>): Promise<unknown> =>
    Promise.race([work.catch(() => {}), wait(CLOSE_MS, undefined, { ref: false })]);
  await within(worker.close());
  await within(jobs.close());
}
