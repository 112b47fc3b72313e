import { randomBytes } from 'node:crypto';
import { Counter, Registry } from 'prom-client';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { createOutbound, type Outbound } from '../platform/outbound/index.ts';
import type { Database } from '../platform/postgres/index.ts';
import { createCredentials } from './auth/credentials.ts';
import { createInternalTokens, derive } from './auth/internal-tokens.ts';
import { enterKey } from './auth/keys.ts';
import { addAuthRoutes } from './auth/routes.ts';
import { SCOPES } from './auth/scopes.ts';
import { addCommands, type CommandDispatcher, type CommandKnowledge } from './commands/index.ts';
import { createDirectory } from './devices/directory/index.ts';
import { deviceList, directoryStore } from './devices/directory/store.ts';
import { addDeviceRoutes } from './devices/routes.ts';
import { createDeviceService } from './devices/service.ts';
import { type CommandStreams, createDownlinkService } from './gateways/downlink.ts';
import { type CommandLedger, createEventService } from './gateways/events.ts';
import { createPresenceService } from './gateways/presence.ts';
import { addGatewayRoutes } from './gateways/routes.ts';
import { addHistoryRoutes } from './history/routes.ts';
import { createHistoryService } from './history/service.ts';
import { createHousekeeping, type Housekeeping } from './housekeeping/index.ts';
import { createCursors } from './http/lists.ts';
import type { ReadinessCheck } from './http/pages.ts';
import { type App, createServer } from './http/server.ts';
import { addIdempotency } from './idempotency/index.ts';
import { createPartitions } from './positions/partitions.ts';
import { createPushService } from './positions/push.ts';
import { addPositionRoutes } from './positions/routes.ts';
import { addTimelineRoutes } from './timeline/routes.ts';
import type { FrameDecoder } from './timeline/schema.ts';
import { createTimelineService } from './timeline/service.ts';
import { addVehicleRoutes } from './vehicles/routes.ts';
import { createVehicleService } from './vehicles/service.ts';

export { createKey, listKeys, revokeKey } from './auth/keys.ts';
export { SCOPES } from './auth/scopes.ts';
export type { ReadinessCheck } from './http/pages.ts';
export type { FrameDecoder } from './timeline/schema.ts';

/** What of the settings the API goes by. */
export interface ApiSettings {
  readonly API_KEY?: string | undefined;
  readonly INTERNAL_KEY?: string | undefined;
  readonly DEFAULT_TENANT: string;
  readonly TRUST_PROXY: boolean;
  readonly RATE_LIMIT: number;
  readonly RETENTION_DAYS: number;
  readonly RAW_RETENTION_DAYS: number;
  readonly WEBHOOK_PRIVATE: boolean;
  readonly autoRegister: boolean;
  readonly autoRegisterPerHour: number;
  readonly metricsPublic: boolean;
}

export interface ApiDeps {
  readonly settings: ApiSettings;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  /** migrated, see openDatabase */
  readonly database: Database;
  readonly registry?: Registry;
  /** what keeps the commands */
  readonly commands?: (CommandLedger & CommandStreams) | undefined;
  /** what moves them when people ask; without it there are no operations on commands */
  readonly dispatcher?: CommandDispatcher | undefined;
  /** what protocols take */
  readonly knowledge?: CommandKnowledge | undefined;
  /** how the server calls URLs that people gave it */
  readonly outbound?: Outbound;
  /** what stored frames mean; without it they are shown as bytes alone */
  readonly decodeFrame?: FrameDecoder;
  /** key of the first run, entered into the key store */
  readonly firstRunKey?: string | undefined;
  /** beside the database's */
  readonly extraChecks?: () => Promise<readonly ReadinessCheck[]>;
  readonly extraMetrics?: () => Promise<string>;
}

export interface Api {
  readonly app: App;
  readonly housekeeping: Housekeeping;
  /** Opens the port; where it listens. */
  listen(at: { readonly host: string; readonly port: number }): Promise<string>;
  /** No new requests, held streams ended, the others answered. The database stays open. */
  close(): Promise<void>;
}

/** ms that requests which are being answered get when it closes */
const CLOSE_PATIENCE_MS = 700;

/** Open commands that a device may have. */
const OPEN_COMMANDS = 100;
/** Tenant that API_KEY and the first run's key belong to. */
const OWN_TENANT = 'default';

/** Wires the slices to a database and a server. */
export async function createApi(deps: ApiDeps): Promise<Api> {
  const { settings, database, clock, log } = deps;
  const registry = deps.registry ?? new Registry();
  const ownTenantId = await database.tenantId(OWN_TENANT);
  const defaultTenantId = await database.tenantId(settings.DEFAULT_TENANT);
  if (deps.firstRunKey !== undefined) {
    await enterKey(database.ingest, deps.firstRunKey, { tenantId: ownTenantId, name: 'first run', scopes: SCOPES });
  }
  const tokens = createInternalTokens(settings.INTERNAL_KEY, clock);
  const credentials = createCredentials({
    apiKey: settings.API_KEY,
    apiKeyTenantId: ownTenantId,
    tokens,
    pool: database.ingest,
    listener: database.listener,
    clock,
  });
  const app = await createServer({
    log,
    credentials,
    trustProxy: settings.TRUST_PROXY,
    rateLimit: settings.RATE_LIMIT,
    version: deps.version,
    pages: {
      checks: () => readiness(database, deps.extraChecks),
      registry,
      extraMetrics: deps.extraMetrics,
      metricsPublic: settings.metricsPublic,
      log,
    },
  });
  const gateways = gatewayServices(deps, registry, defaultTenantId);
  const cursors = createCursors(derive(settings.INTERNAL_KEY ?? randomBytes(32).toString('hex'), 'fleetgate cursor'));
  const outbound = deps.outbound ?? createOutbound({ allowsPrivate: settings.WEBHOOK_PRIVATE });
  addAuthRoutes(app, tokens);
  addGatewayRoutes(app, gateways);
  addPositionRoutes(app, gateways.pushes);
  addHistoryRoutes(app, createHistoryService(database.app, cursors));
  addDeviceRoutes(app, createDeviceService(database, cursors));
  addTimelineRoutes(app, createTimelineService(database.app, cursors, deps.decodeFrame ?? (() => undefined)));
  addIdempotency(app, database.app, log);
  if (deps.dispatcher !== undefined && deps.knowledge !== undefined) {
    addCommands(app, {
      app: database.app,
      directory: gateways.directory,
      dispatcher: deps.dispatcher,
      knowledge: deps.knowledge,
      cursors,
      clock,
      autoRegister: settings.autoRegister,
      defaultTenantId,
      openCommands: OPEN_COMMANDS,
      checkUrl: (url) => outbound.check(url),
    });
  }
  addVehicleRoutes(app, createVehicleService(database.app, clock));
  const housekeeping = createHousekeeping({
    pool: database.ingest,
    clock,
    log,
    retentionDays: settings.RETENTION_DAYS,
    rawRetentionDays: settings.RAW_RETENTION_DAYS,
  });
  await app.ready();
  housekeeping.start();
  return {
    app,
    housekeeping,
    listen: (at) => app.listen(at),
    async close() {
      gateways.downlink.close();
      await housekeeping.stop();
      const cut = setTimeout(() => app.server.closeAllConnections(), CLOSE_PATIENCE_MS);
      await app.close();
      clearTimeout(cut);
    },
  };
}

function gatewayServices(
  { settings, database, clock, log, commands }: ApiDeps,
  registry: Registry,
  defaultTenantId: number,
) {
  const stored = new Counter({
    name: 'fleetgate_positions_stored_total',
    help: 'Positions that were not stored before',
    registers: [registry],
  });
  const { ingest: pool, listener } = database;
  const limits = { tenantId: defaultTenantId, perHour: settings.autoRegisterPerHour };
  const directory = createDirectory(directoryStore(pool, limits), listener);
  const onStored = (positions: number): void => stored.inc(positions);
  const months = createPartitions(pool, 'position', clock.now);
  const { autoRegister } = settings;
  const events = createEventService({
    commands,
    pool,
    directory,
    positionMonths: months,
    timelineDays: createPartitions(pool, 'timeline', clock.now),
    clock,
    autoRegister,
    defaultTenantId,
    onStored,
    onRefused: (refusal) => log.warn(refusal, 'the database refused a record'),
  });
  return {
    directory,
    events,
    pushes: createPushService({ pool, directory, months, clock, autoRegister, defaultTenantId, onStored }),
    presence: createPresenceService({ pool, directory }),
    downlink: createDownlinkService({ commands, devices: deviceList(pool), listener, clock }),
  };
}

async function readiness(database: Database, extra: ApiDeps['extraChecks']): Promise<readonly ReadinessCheck[]> {
  const own = await database.check().then(
    () => ({ name: 'database', ok: true }),
    (error: Error) => ({ name: 'database', ok: false, detail: error.message }),
  );
  return [own, ...((await extra?.()) ?? [])];
}
