import type { Registry } from 'prom-client';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { PollLoop } from '../../../platform/poll-loop.ts';
import type { Samples } from '../../../platform/samples.ts';
import type { Database } from '../../database/index.ts';
import type { Feed } from '../../ingest/feed/index.ts';
import type { App, Cursors } from '../../kernel/http/index.ts';
import { createOutbound, type Outbound } from '../../kernel/outbound/index.ts';
import type { Secrets } from '../../kernel/secrets/index.ts';
import { STREAM_TYPES, type StreamContext, type StreamSender } from '../brokers/index.ts';
import { createSigningSecrets, signatureHeaders } from '../callbacks/index.ts';
import type { InstallationStream } from '../settings.ts';
import { saveInstallationStreams } from './installation.ts';
import { addStreamMetrics } from './metrics.ts';
import { addStreamRoutes } from './routes.ts';
import { createStreamRunner } from './runner.ts';
import { createStreamService } from './service.ts';
import type { StreamRow } from './store.ts';
import { openTarget, withSecrets } from './target.ts';

export interface StreamsDeps {
  readonly database: Database;
  readonly feed: Feed;
  readonly secrets: Secrets;
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly log: Log;
  readonly cursors: Cursors;
  readonly registry: Registry;
  readonly samples: Samples;
  readonly settings: {
    /** installation-wide ones */
    readonly streams: readonly InstallationStream[];
    readonly STREAMS_PER_TENANT: number;
    readonly STREAM_TIMEOUT_MS: number;
    readonly STREAM_BATCH: number;
    readonly STREAM_DEAD_LETTERS: number;
  };
}

const EVERY_MS = 200;
const MAX_PAUSE_MS = 30_000;

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
    mostStreams: settings.STREAMS_PER_TENANT,
  });
  addStreamRoutes(server, service, cursors);
  addStreamMetrics(registry, ingest, deps.samples);
  const runner = createStreamRunner({
    feed,
    ingest,
    app,
    log,
    open,
    settings: {
      everyMs: EVERY_MS,
      longestPauseMs: MAX_PAUSE_MS,
      batchSize: settings.STREAM_BATCH,
      deadLettersKept: settings.STREAM_DEAD_LETTERS,
    },
  });
  return {
    start: runner.start,
    stop: runner.stop,
    prepare: () => saveInstallationStreams(ingest, secrets, settings.streams),
  };
}

/** Opens connections. Streams of tenants cannot connect to private addresses, those of the installation can. */
function createOpen({ database, secrets, outbound, clock, settings }: StreamsDeps) {
  const signingSecrets = createSigningSecrets(database.app, secrets);
  const ofInstallation = createOutbound({ allowsPrivate: true });
  return async (stream: StreamRow): Promise<StreamSender> => {
    const { tenantId } = stream;
    const { resolve, post } = tenantId === null ? ofInstallation : outbound;
    const context: StreamContext = {
      resolve,
      post,
      timeoutMs: settings.STREAM_TIMEOUT_MS,
      sign: async (message) =>
        tenantId === null
          ? { 'webhook-id': message.id }
          : signatureHeaders(await signingSecrets.read(tenantId), { ...message, at: clock.now() }),
    };
    const { url, options } = withSecrets(openTarget(secrets, stream.id, stream.target));
    return STREAM_TYPES[stream.type].open({ url, options, topic: stream.topic ?? undefined }, context);
  };
}
