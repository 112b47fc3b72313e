import type { Registry } from 'prom-client';
import type { Job } from '../../platform/jobs.ts';
import type { Samples } from '../../platform/samples.ts';
import { createFeedRetention, type Feed } from '../ingest/feed/index.ts';
import type { App } from '../kernel/http/index.ts';
import type { Outbound } from '../kernel/outbound/index.ts';
import { addLive } from '../live/events/index.ts';
import { addStreams } from '../live/streams/index.ts';
import { addWebhookRoutes, createRelay } from '../live/webhooks/index.ts';
import type { ApiDeps } from './deps.ts';
import type { Identity } from './identity.ts';

export interface LiveSlicesDeps extends ApiDeps {
  readonly feed: Feed;
  readonly outbound: Outbound;
  readonly registry: Registry;
  readonly samples: Samples;
}

export interface LiveSlices {
  readonly jobs: readonly Job[];
  /** event streams of clients */
  readonly clients: Job;
  /** Stores the installation-wide streams of the settings; before the jobs start. */
  prepare(): Promise<void>;
}

/** Adds event streams, webhooks and streams to other systems. */
export function addLiveSlices(app: App, { credentials, cursors }: Identity, deps: LiveSlicesDeps): LiveSlices {
  const { settings, database, log, feed, outbound, shards } = deps;
  const hub = addLive(app, credentials, deps, feed);
  addWebhookRoutes(app, { app: database.app, cursors, checkUrl: (url) => outbound.check(url) });
  const streams = addStreams(app, { ...deps, cursors });
  const relay = createRelay({ feed, ingest: database.ingest, app: database.app, log, shards });
  const feedRetention = createFeedRetention(database.ingest, log, settings.FEED_KEPT_MINUTES);
  return {
    jobs: [relay, streams, feedRetention],
    clients: { stop: () => hub.close() },
    prepare: streams.prepare,
  };
}
