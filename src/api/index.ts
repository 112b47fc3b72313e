import { Counter, Registry } from 'prom-client';
import { createFeed, createFeedRetention } from '../feed/index.ts';
import { createBudgets } from '../platform/budgets/index.ts';
import type { CertificateFiles } from '../platform/certificate-files.ts';
import { createOutbound } from '../platform/outbound/index.ts';
import type { Database } from '../platform/postgres/index.ts';
import { sealStored } from '../platform/secrets/index.ts';
import type { CallbackSender } from './callbacks/index.ts';
import { createPendingService } from './commands/index.ts';
import { addTraccarRoutes } from './compat-traccar/index.ts';
import { addCurrentPositionRoutes, createCurrentPositionService } from './current-position/index.ts';
import { createDirectory, deviceList, directoryStore } from './device-directory/index.ts';
import { addDeviceRoutes, createDeviceService, deviceCsvTable } from './devices/index.ts';
import {
  addGatewayRoutes,
  addSetAsideRoutes,
  createDownlinkService,
  createPresenceService,
  createSessionRegistry,
  createSetAsideService,
} from './gateways/index.ts';
import { createHousekeeping, type Housekeeping } from './housekeeping/index.ts';
import { type App, type Cursors, createServer, principalOf, type ReadinessCheck, tenantOf } from './http/index.ts';
import {
  addIngestRoutes,
  addPushRoutes,
  createIngestService,
  createPartitions,
  createPushService,
  createRecentIds,
  type KnownLimits,
  type RecordCounter,
} from './ingest/index.ts';
import { addLive } from './live/index.ts';
import { addLocalDays } from './local-days/index.ts';
import { addMovementRoutes, createDistanceJob, type DistanceJob, fleetVehicles } from './movement/index.ts';
import { addNotifications } from './notifications/index.ts';
import { addPlaceRoutes } from './places/index.ts';
import { addHistoryRoutes, createHistoryService } from './position-history/index.ts';
import { addProtocolRoutes } from './protocols/index.ts';
import { addCsvRoutes } from './records/index.ts';
import { addReportSchedules } from './report-schedules/index.ts';
import { addShareLinkRoutes } from './share-links/index.ts';
import { addStreams } from './streams/index.ts';
import { createTachograph, retentionOf } from './tachograph/index.ts';
import { addTimelineRoutes, createTimelineService } from './timeline/index.ts';
import { addUsageRoutes, createUsage, type Usage } from './usage/index.ts';
import { addWebhookRoutes, createRelay } from './webhooks/index.ts';
import {
  type ApiDeps,
  type ApiSettings,
  addCommandSlices,
  addFleet,
  addIdentityRoutes,
  createFileRequests,
  createIdentity,
  tokenOfOwner,
} from './wiring/index.ts';

export { currentScopes, SCOPES } from './access/index.ts';
export { anchorFile, anchorWebhook, readAnchorFile, verifyAudit, type WriteAnchors } from './audit/index.ts';
export { createKey, listKeys, revokeKey, type SendMail } from './auth/index.ts';
export { createSigningSecrets, signatureHeaders } from './callbacks/index.ts';
export type { ReadinessCheck } from './http/index.ts';
export type { ShownProtocol } from './protocols/index.ts';
export {
  type Applied,
  type ApplyDeps,
  applyRedecoded,
  type PositionDecoder,
  type RedecodeReport,
  redecode,
} from './redecode/index.ts';
export type { FrameDecoder, FrameSpan } from './timeline/index.ts';
export type { ApiDeps, ApiSettings, PageServices } from './wiring/index.ts';

export interface Api {
  readonly app: App;
  readonly housekeeping: Housekeeping;
  readonly distanceJob: DistanceJob;
  readonly callbackSender: CallbackSender;
  /** Notifies users of tachograph downloads that are due; also runs every hour. Number of messages. */
  lookForDue(): Promise<number>;
  /** One round of remote downloads of tachographs; also runs every `DDD_REMOTE_SECONDS`. */
  downloadRemotely(): Promise<void>;
  /** Opens the port; where it listens. */
  listen(at: { readonly host: string; readonly port: number }): Promise<string>;
  /** No new requests, held streams ended, the others answered. The database stays open. */
  close(): Promise<void>;
}

/** ms that requests which are being answered get when it closes */
const CLOSE_TIMEOUT_MS = 700;
const FEED_KEPT_MINUTES = 60;
const REPORT_SCHEDULES_PER_TENANT = 100;
const REPORT_ROWS = 10_000;
const USAGE_SECONDS = 10;
const DISTANCE_DAYS = 400;
const SHARE_LINK_DAYS = 31;
const SHARE_LINKS_PER_TENANT = 1_000;

/** Wires the slices to a database and a server. Throws SecretsError where a key is missing. */
export async function createApi(deps: ApiDeps): Promise<Api> {
  const { settings, database, clock, log } = deps;
  const sealed = await sealStored(database.ingest, deps.secrets);
  if (sealed > 0) log.info({ sealed }, 'secrets encrypted with the current key');
  const registry = deps.registry ?? new Registry();
  const defaultTenantId = await database.tenantId(settings.DEFAULT_TENANT);
  const pool = database.ingest;
  const budgets = deps.budgets ?? createBudgets({ pool, log, monotonic: clock.monotonic, peers: { count: () => 0 } });
  const identity = await createIdentity({ ...deps, budgets });
  const { credentials, cursors, audit } = identity;
  const usage = createUsage({
    pools: database,
    clock,
    log,
    cursors,
    everyMs: 1_000 * (settings.USAGE_SECONDS ?? USAGE_SECONDS),
  });
  const app = await createServer({
    log,
    credentials,
    onCaller: usage.countRequest,
    trustProxy: settings.TRUST_PROXY,
    rateLimit: settings.RATE_LIMIT,
    budgets,
    requestTimeoutMs: settings.REQUEST_TIMEOUT_S === undefined ? undefined : settings.REQUEST_TIMEOUT_S * 1000,
    version: deps.version,
    tls: certificateOf(settings),
    pages: {
      checks: () => readiness(database, deps.extraChecks),
      registry,
      extraMetrics: deps.extraMetrics,
      metricsPublic: settings.metricsPublic,
      log,
    },
  });
  const feed = deps.feed ?? createFeed();
  const gateways = gatewayServices({ ...deps, feed }, registry, defaultTenantId, usage);
  addLocalDays(app, database.app);
  await addIdentityRoutes(app, identity, deps);
  const requestFile = createFileRequests(deps, { directory: gateways.directory, defaultTenantId });
  const tachograph = createTachograph(cursors, { ...deps, requestFile });
  await addFleet(app, identity, deps, tachograph.residuals);
  await tachograph.addRoutes(app);
  deps.pages?.(app, {
    tenantOf,
    may: (request, scope) => principalOf(request).scopes.has(scope),
    pending: createPendingService(database.app, cursors, clock),
  });
  addReportRoutes(app, gateways, cursors);
  addUsageRoutes(app, usage);
  addProtocolRoutes(app, deps.protocols ?? []);
  addHistoryRoutes(app, createHistoryService(database.app, cursors, deps.nameElements));
  const devices = createDeviceService(database, cursors, settings.DEVICES_UNSEEN_PER_TENANT);
  await addCsvRoutes(app, deviceCsvTable(devices));
  addDeviceRoutes(app, devices);
  addTimelineRoutes(app, createTimelineService(database.app, cursors, deps.decodeFrame ?? (() => undefined)));
  const outbound = deps.outbound ?? createOutbound({ allowsPrivate: settings.WEBHOOK_PRIVATE });
  const callbackSender = addCommandSlices(
    app,
    { ...deps, outbound },
    { directory: gateways.directory, cursors, defaultTenantId },
  );
  addNotifications(app, { ...deps, cursors, outbound });
  const live = addLive(app, credentials, deps, feed);
  if (settings.COMPAT_TRACCAR === true) {
    await addTraccarRoutes(app, {
      ...identity,
      pools: database,
      clock,
      log,
      version: deps.version,
      commandTypes: commandTypesOf(deps),
      hasAddresses: deps.addressesOf !== undefined,
      onCaller: usage.countRequest,
    });
  }
  addWebhookRoutes(app, { app: database.app, cursors, checkUrl: (url) => outbound.check(url) });
  const streams = addStreams(app, { ...deps, feed, outbound, cursors, registry });
  const feedRetention = createFeedRetention(database.ingest, log, settings.FEED_KEPT_MINUTES ?? FEED_KEPT_MINUTES);
  const relay = createRelay({ feed, ingest: database.ingest, app: database.app, log, shards: deps.shards });
  addCurrentPositionRoutes(app, createCurrentPositionService(database.app, clock, deps.nameElements));
  if (deps.addressesOf !== undefined) addPlaceRoutes(app, deps.addressesOf);
  addShareLinkRoutes(app, {
    app: database.app,
    ingest: database.ingest,
    streams: database.streams,
    clock,
    cursors,
    addressesOf: deps.addressesOf,
    mostDays: settings.SHARE_LINK_DAYS ?? SHARE_LINK_DAYS,
    mostLinks: settings.SHARE_LINKS_PER_TENANT ?? SHARE_LINKS_PER_TENANT,
  });
  const reports = addReportSchedules(app, {
    app: database.app,
    ingest: database.ingest,
    clock,
    log,
    cursors,
    sendMail: deps.sendMail,
    tokenOf: (owner) => tokenOfOwner(identity.accounts.tokens, owner),
    mostSchedules: settings.REPORT_SCHEDULES_PER_TENANT ?? REPORT_SCHEDULES_PER_TENANT,
    mostRows: settings.REPORT_ROWS ?? REPORT_ROWS,
  });
  addMovementRoutes(app, {
    pools: { app: database.app, streams: database.reports },
    addressesOf: deps.addressesOf,
    vehicles: fleetVehicles(database.app),
    cursors,
    now: clock.now,
  });
  const distanceJob = createDistanceJob({
    pools: database,
    clock,
    log,
    mostDays: settings.DISTANCE_DAYS ?? DISTANCE_DAYS,
  });
  const housekeeping = createHousekeeping({
    pool: database.ingest,
    clock,
    log,
    retentionDays: settings.RETENTION_DAYS,
    rawRetentionDays: settings.RAW_RETENTION_DAYS,
    commandRetentionDays: settings.COMMAND_RETENTION_DAYS,
    deviceFileRetentionDays: settings.DEVICE_FILE_RETENTION_DAYS ?? 0,
    knownLimits: knownLimitsOf(settings),
    tachograph: retentionOf(settings),
    history: deps.history,
    movesFrames: deps.movesFrames,
  });
  await app.ready();
  await streams.prepare();
  housekeeping.start();
  audit.start();
  tachograph.start();
  callbackSender.start();
  relay.start();
  streams.start();
  feedRetention.start();
  reports.start();
  usage.start();
  distanceJob.start();
  return {
    app,
    housekeeping,
    distanceJob,
    callbackSender,
    lookForDue: tachograph.lookForDue,
    downloadRemotely: tachograph.downloadRemotely,
    listen: (at) => app.listen(at),
    async close() {
      gateways.downlink.close();
      await live.close();
      await Promise.all([
        housekeeping.stop(),
        callbackSender.stop(),
        relay.stop(),
        streams.stop(),
        feedRetention.stop(),
        reports.stop(),
        distanceJob.stop(),
      ]);
      const cut = setTimeout(() => app.server.closeAllConnections(), CLOSE_TIMEOUT_MS);
      await app.close();
      clearTimeout(cut);
      // what the last requests have counted
      await usage.stop();
      await tachograph.close();
      await identity.close();
    },
  };
}

/** A command without a name is taken by none: the answer says what is. */
function commandTypesOf({ knowledge }: ApiDeps) {
  const nameless = { type: '', params: {}, deviceId: '', options: {}, isRaw: false };
  return (protocol: string | undefined): readonly string[] => {
    const outcome = knowledge?.check(protocol, nameless);
    return outcome?.type === 'unsupported' ? outcome.takes : [];
  };
}

const certificateOf = ({ API_TLS_CERT: cert, API_TLS_KEY: key }: ApiSettings): CertificateFiles | undefined =>
  cert === undefined || key === undefined ? undefined : { cert, key };

/** What is kept of the state of a device beside its last fix. */
const knownLimitsOf = ({ STATE_ATTRIBUTES, STATE_VALUE_BYTES }: ApiSettings): KnownLimits => ({
  attributes: STATE_ATTRIBUTES ?? 500,
  valueBytes: STATE_VALUE_BYTES ?? 16_384,
});

function gatewayServices(
  { settings, database, clock, log, commands, feed }: ApiDeps,
  registry: Registry,
  defaultTenantId: number,
  usage: Usage,
) {
  const stored = new Counter({
    name: 'fleetgate_positions_stored_total',
    help: 'Positions that were not stored before',
    registers: [registry],
  });
  const { ingest: pool, listener } = database;
  const limits = { tenantId: defaultTenantId, perHour: settings.autoRegisterPerHour };
  const directory = createDirectory(directoryStore(pool, limits), listener);
  const counter: RecordCounter = {
    countReceived: usage.countReceived,
    countStored(tenantId, positions) {
      stored.inc(positions);
      usage.countStored(tenantId, positions);
    },
  };
  const months = createPartitions(pool, 'position', clock.now);
  const { autoRegister } = settings;
  const recentIds = createRecentIds();
  const clockLimits = {
    aheadMs: 1_000 * (settings.CLOCK_AHEAD_SECONDS ?? 300),
    apartMs: 86_400_000 * (settings.CLOCK_APART_DAYS ?? 3),
  };
  const knownLimits = knownLimitsOf(settings);
  const ingest = createIngestService({
    commands,
    pool,
    directory,
    positionMonths: months,
    timelineDays: createPartitions(pool, 'timeline', clock.now),
    clock,
    autoRegister,
    clockLimits,
    knownLimits,
    defaultTenantId,
    counter,
    feed,
    recentIds,
    onRefused: (refusal) => log.warn(refusal, 'the database refused a record'),
  });
  return {
    pool,
    clock,
    directory,
    ingest,
    pushes: createPushService({
      pool,
      directory,
      months,
      clock,
      autoRegister,
      clockLimits,
      knownLimits,
      defaultTenantId,
      counter,
      feed,
      recentIds,
    }),
    presence: createPresenceService({ pool, directory }),
    registry: createSessionRegistry(pool),
    service: createSetAsideService(pool, listener),
    downlink: createDownlinkService({ commands, devices: deviceList(pool), listener, clock }),
  };
}

function addReportRoutes(app: App, gateways: ReturnType<typeof gatewayServices>, cursors: Cursors): void {
  addIngestRoutes(app, gateways.ingest, gateways.clock);
  addGatewayRoutes(app, gateways);
  addSetAsideRoutes(app, { ...gateways, cursors });
  addPushRoutes(app, gateways.pushes);
}

async function readiness(database: Database, extra: ApiDeps['extraChecks']): Promise<readonly ReadinessCheck[]> {
  const own = await database.check().then(
    () => ({ name: 'database', ok: true }),
    (error: Error) => ({ name: 'database', ok: false, detail: error.message }),
  );
  return [own, ...((await extra?.()) ?? [])];
}
