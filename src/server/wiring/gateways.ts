import { Counter, type Registry } from 'prom-client';
import type { Job } from '../../platform/jobs.ts';
import { createDirectory, type Directory, deviceList, directoryStore } from '../devices/directory/index.ts';
import {
  addGatewayRoutes,
  addSetAsideRoutes,
  createDownlinkService,
  createPresenceService,
  createSessionRegistry,
  createSetAsideService,
} from '../devices/gateways/index.ts';
import {
  addIngestRoutes,
  addPushRoutes,
  createIngestService,
  createPartitions,
  createPushService,
  createRecentIds,
  type RecordCounter,
} from '../ingest/batches/index.ts';
import type { Feed } from '../ingest/feed/index.ts';
import { clockLimitsOf, knownLimitsOf } from '../ingest/settings.ts';
import type { App, Cursors } from '../kernel/http/index.ts';
import type { Usage } from '../kernel/usage/index.ts';
import type { ApiDeps } from './deps.ts';

export interface GatewaysDeps extends ApiDeps {
  readonly feed: Feed;
  readonly registry: Registry;
  readonly defaultTenantId: number;
  readonly usage: Usage;
  readonly cursors: Cursors;
}

export interface Gateways {
  readonly directory: Directory;
  addRoutes(app: App): void;
  /** ends the downlinks */
  readonly downlinks: Job;
}

/** Adds the routes of gateways, and of positions that other systems push. */
export function createGateways(deps: GatewaysDeps): Gateways {
  const { settings, database, clock, commands, cursors } = deps;
  const { ingest: pool, listener } = database;
  const limits = { tenantId: deps.defaultTenantId, perHour: settings.autoRegisterPerHour };
  const directory = createDirectory(directoryStore(pool, limits), listener);
  const { ingest, pushes } = createRecordServices(deps, directory);
  const downlink = createDownlinkService({ commands, devices: deviceList(pool), listener, clock });
  const presence = createPresenceService({ pool, directory });
  const registry = createSessionRegistry(pool);
  const setAside = createSetAsideService(pool, listener);
  return {
    directory,
    addRoutes(app) {
      addIngestRoutes(app, ingest, clock);
      addGatewayRoutes(app, { pool, presence, registry, downlink });
      addSetAsideRoutes(app, { pool, service: setAside, cursors });
      addPushRoutes(app, pushes);
    },
    downlinks: { stop: () => downlink.close() },
  };
}

function createRecordServices(deps: GatewaysDeps, directory: Directory) {
  const { settings, database, clock, log, commands, feed, defaultTenantId, usage } = deps;
  const { ingest: pool } = database;
  const stored = new Counter({
    name: 'fleetgate_positions_stored_total',
    help: 'Positions that were not stored before',
    registers: [deps.registry],
  });
  const counter: RecordCounter = {
    countReceived: usage.countReceived,
    countStored(tenantId, positions) {
      stored.inc(positions);
      usage.countStored(tenantId, positions);
    },
  };
  const months = createPartitions(pool, 'position', clock.now);
  const shared = {
    pool,
    directory,
    clock,
    autoRegister: settings.autoRegister,
    clockLimits: clockLimitsOf(settings),
    knownLimits: knownLimitsOf(settings),
    defaultTenantId,
    counter,
    feed,
    recentIds: createRecentIds(),
  };
  return {
    ingest: createIngestService({
      ...shared,
      commands,
      positionMonths: months,
      timelineDays: createPartitions(pool, 'timeline', clock.now),
      onRefused: (refusal) => log.warn(refusal, 'the database refused a record'),
    }),
    pushes: createPushService({ ...shared, months }),
  };
}
