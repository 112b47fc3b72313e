import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Database } from '../../database/index.ts';
import type { Feed } from '../../ingest/feed/index.ts';
import type { Credentials } from '../../kernel/access/index.ts';
import type { App } from '../../kernel/http/index.ts';
import { Hub } from './hub.ts';
import { addLiveRoutes } from './routes.ts';
import { createSource } from './source.ts';

export { sees, type View, wants } from './client.ts';
export { EVENT_TYPES, type EventType, idOf, type LiveEvent } from './event.ts';
export { createSource, type EventSource } from './source.ts';
export { readVehiclesOf } from './store.ts';

export interface LiveDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly registry?: Registry;
  readonly settings: { readonly LIVE_CLIENTS: number };
}

/** Adds the event streams to clients. */
export function addLive(app: App, credentials: Credentials, deps: LiveDeps, feed: Feed): Hub {
  const { database, clock, log, settings } = deps;
  const hub = new Hub({
    feed,
    pool: database.ingest,
    clock,
    log,
    source: createSource({ feed, ingest: database.ingest, app: database.app }),
    mostClients: settings.LIVE_CLIENTS,
    holds: async (token) => (await credentials.identify(token)) !== undefined,
  });
  new Gauge({
    name: 'fleetgate_live_clients',
    help: 'event streams that this process holds',
    registers: deps.registry === undefined ? [] : [deps.registry],
    collect() {
      this.set(hub.size);
    },
  });
  addLiveRoutes(app, hub);
  return hub;
}
