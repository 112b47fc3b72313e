import type { Registry } from 'prom-client';
import type { Feed } from '../../feed/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { createOutbound, type Outbound } from '../../platform/outbound/index.ts';
import type { PollLoop } from '../../platform/poll-loop.ts';
import type { Database } from '../../platform/postgres/index.ts';
import type { Secrets } from '../../platform/secrets/index.ts';
import type { InstallationStream } from '../../platform/stream-settings.ts';
import { STREAM_TYPES, type StreamContext, type StreamSender } from '../../streams/index.ts';
import { createSigningSecrets, signatureHeaders } from '../callbacks/index.ts';
import type { App, Cursors } from '../http/index.ts';
import { saveInstallationStreams } from './installation.ts';
import { addStreamMetrics } from './metrics.ts';
import { addStreamRoutes } from './routes.ts';
import { createStreamRunner } from './runner.ts';
import { createStreamService } from './service.ts';
import type { StreamRow } from './store.ts';
import { openTarget } from './target.ts';

export interface StreamsDeps {
  readonly database: Database;
  readonly feed: Feed;
  readonly secrets: Secrets;
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly log: Log;
  readonly cursors: Cursors;
  readonly registry: Registry;
  readonly settings: {
    /** installation-wide ones */
    readonly streams?: readonly InstallationStream[];
    readonly STREAMS_PER_TENANT?: number;
    readonly STREAM_TIMEOUT_MS?: number;
    readonly STREAM_BATCH?: number;
    readonly STREAM_DEAD_LETTERS?: number;
  };
}

const EVERY_MS = 200;
const LONGEST_PAUSE_MS = 30_000;

export interface Streams extends Pick<PollLoop, 'start' | 'stop'> {
  /** Stores the installation-wide streams of the settings. */
  prepare(): Promise<void>;
}

/** Streams to other systems. Nothing is sent before `start`. */
export function addStreams(server: App, deps: StreamsDeps): Streams {
  const { database, feed, secrets, outbound, clock, log, cursors, registry, settings } = deps;
  const { app, ingest } = database;
  const open = createOpen(deps);
  const service = createStreamService({
    app,
    ingest,
    secrets,
    clock,
    open,
    checkUrl: (url) => outbound.check(url),
    mostStreams: settings.STREAMS_PER_TENANT ?? 20,
  });
  addStreamRoutes(server, service, cursors);
  addStreamMetrics(registry, ingest);
  const runner = createStreamRunner({
    feed,
    ingest,
    app,
    log,
    open,
    settings: {
      everyMs: EVERY_MS,
      longestPauseMs: LONGEST_PAUSE_MS,
      batchSize: settings.STREAM_BATCH ?? 1_000,
      deadLettersKept: settings.STREAM_DEAD_LETTERS ?? 10_000,
    },
  });
  return {
    start: runner.start,
    stop: runner.stop,
    prepare: () => saveInstallationStreams(ingest, secrets, settings.streams ?? []),
  };
}

/** Opens connections with the rules for addresses: tenants do not reach private ones, the operator does. */
function createOpen({ database, secrets, outbound, clock, settings }: StreamsDeps) {
  const signingSecrets = createSigningSecrets(database.app, secrets);
  const ofInstallation = createOutbound({ allowsPrivate: true });
  return async (stream: StreamRow): Promise<StreamSender> => {
    const { tenantId } = stream;
    const { resolve, post } = tenantId === null ? ofInstallation : outbound;
    const context: StreamContext = {
      resolve,
      post,
      timeoutMs: settings.STREAM_TIMEOUT_MS ?? 15_000,
      sign: async (message) =>
        tenantId === null
          ? { 'webhook-id': message.id }
          : signatureHeaders(await signingSecrets.read(tenantId), { ...message, at: clock.now() }),
    };
    const { url, options } = openTarget(secrets, stream.id, stream.target);
    return STREAM_TYPES[stream.type].open({ url, options, topic: stream.topic ?? undefined }, context);
  };
}
