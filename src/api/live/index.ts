import { Gauge } from 'prom-client';
import type { Feed } from '../../feed/index.ts';
import type { App } from '../http/server.ts';
import type { ApiDeps } from '../wiring/deps.ts';
import type { Identity } from '../wiring/identity.ts';
import { Hub } from './hub.ts';
import { addLiveRoutes } from './routes.ts';
import { createSource } from './source.ts';
import { readVehiclesOf } from './store.ts';

const CLIENTS = 5_000;

/** Event streams for whoever wants to see what happens. */
export function addLive(app: App, identity: Identity, deps: ApiDeps, feed: Feed): Hub {
  const { database, clock, log, settings } = deps;
  const hub = new Hub({
    ...{ feed, pool: database.ingest, clock, log },
    source: createSource({ feed, ingest: database.ingest, app: database.app }),
    mostClients: settings.LIVE_CLIENTS ?? CLIENTS,
    holds: async (token) => (await identity.credentials.identify(token)) !== undefined,
  });
  new Gauge({
    name: 'fleetgate_live_clients',
    help: 'event streams that this process holds',
    registers: deps.registry === undefined ? [] : [deps.registry],
    collect() {
      this.set(hub.size);
    },
  });
  addLiveRoutes(app, {
    hub,
    vehiclesOf: async (userId) => (await readVehiclesOf(database.ingest, [userId])).get(userId),
  });
  return hub;
}
