import { Registry } from 'prom-client';
import { type JobStages, startJobs, stopJobs } from '../platform/jobs.ts';
import { createSamples } from '../platform/samples.ts';
import { addNotifications } from './alerts/notifications/index.ts';
import { createPendingService } from './commands/api/index.ts';
import { createFeed, type Follower } from './ingest/feed/index.ts';
import { knownLimitsOf } from './ingest/settings.ts';
import { createBudgets } from './kernel/budgets/index.ts';
import { type App, type Cursors, principalOf, tenantOf } from './kernel/http/index.ts';
import { addLocalDays } from './kernel/local-days/index.ts';
import { createOutbound } from './kernel/outbound/index.ts';
import { sealStored } from './kernel/secrets/index.ts';
import { addUsageRoutes, createUsage } from './kernel/usage/index.ts';
import type { CallbackSender } from './live/callbacks/index.ts';
import type { DistanceJob } from './movement/api/index.ts';
import { createTachograph, retentionOf } from './tachograph/index.ts';
import {
  type ApiDeps,
  addAssistance,
  addCommandSlices,
  addCompatibility,
  addCurrentPositions,
  addDevices,
  addFleet,
  addIdentityRoutes,
  addLiveSlices,
  addMovement,
  addReports,
  addShareLinks,
  createApp,
  createFileRequests,
  createGateways,
  createHousekeeping,
  createIdentity,
  createMaintenance,
  createReportedRecords,
  type Housekeeping,
  requestsOf,
} from './wiring/index.ts';

export type { ShownProtocol } from './devices/protocols/index.ts';
export type { FrameDecoder, FrameSpan } from './devices/timeline/index.ts';
export {
  type Applied,
  type ApplyDeps,
  applyRedecoded,
  type PositionDecoder,
  type RedecodeReport,
  redecode,
} from './ingest/redecode/index.ts';
export { currentScopes, SCOPES } from './kernel/access/index.ts';
export { anchorFile, anchorWebhook, readAnchorFile, verifyAudit, type WriteAnchors } from './kernel/audit/index.ts';
export { createKey, listKeys, revokeKey, type SendMail } from './kernel/auth/index.ts';
export { createSigningSecrets, signatureHeaders } from './live/callbacks/index.ts';
export type { ApiSettings } from './settings.ts';
export { type ApiDeps, databaseCheck, type PageServices } from './wiring/index.ts';

export interface Api {
  readonly app: App;
  readonly housekeeping: Housekeeping;
  readonly distanceJob: DistanceJob;
  readonly callbackSender: CallbackSender;
  /** keeps what follows from reports of devices, such as pairings by the keys of drivers */
  readonly reported: Pick<Follower, 'run' | 'lag'>;
  /** Notifies users of tachograph downloads that are due; also runs every hour. Number of messages. */
  lookForDue(): Promise<number>;
  /** Notifies users of maintenance that is due; also runs every `MAINTENANCE_SECONDS`. Number of messages. */
  lookForMaintenance(): Promise<number>;
  /** One round of remote downloads of tachographs; also runs every `DDD_REMOTE_SECONDS`. */
  downloadRemotely(): Promise<void>;
  /** Opens the port; where it listens. */
  listen(at: { readonly host: string; readonly port: number }): Promise<string>;
  /** No new requests, held streams ended, the others answered. The database stays open. */
  close(): Promise<void>;
}

/** Wires the slices to a database and a server. Throws SecretsError where a key is missing. */
export async function createApi(given: ApiDeps): Promise<Api> {
  const { settings, database, clock, log } = given;
  const sealed = await sealStored(database.ingest, given.secrets, { onlyClear: true });
  if (sealed > 0) log.info({ sealed }, 'secrets that were stored in clear have been encrypted');
  const { monotonic } = clock;
  const deps = {
    ...given,
    registry: given.registry ?? new Registry(),
    samples: given.samples ?? createSamples(given.clock),
    feed: given.feed ?? createFeed(),
    outbound: given.outbound ?? createOutbound({ allowsPrivate: settings.WEBHOOK_PRIVATE }),
    budgets: given.budgets ?? createBudgets({ pool: database.ingest, log, monotonic, peers: { count: () => 0 } }),
  };
  const identity = await createIdentity(deps);
  const { credentials, cursors } = identity;
  const usage = createUsage({ pools: database, clock, log, cursors, everyMs: 1_000 * settings.USAGE_SECONDS });
  const app = await createApp({ ...deps, credentials, usage });
  const defaultTenantId = await database.tenantId(settings.DEFAULT_TENANT);
  const gateways = createGateways({ ...deps, defaultTenantId, usage, cursors });
  const { directory } = gateways;
  const requestFile = createFileRequests(deps, { directory, defaultTenantId });
  const tachograph = createTachograph(cursors, { ...deps, requestFile });
  addLocalDays(app, database.app);
  await addIdentityRoutes(app, identity, deps);
  await addFleet(app, identity, deps, tachograph.residuals);
  await tachograph.addRoutes(app);
  addPages(app, cursors, deps);
  gateways.addRoutes(app);
  addUsageRoutes(app, usage);
  await addDevices(app, cursors, deps);
  const callbackSender = addCommandSlices(app, deps, { directory, cursors, defaultTenantId });
  addNotifications(app, { ...deps, cursors });
  const live = addLiveSlices(app, identity, deps);
  await addCompatibility(app, identity, deps, usage);
  const assistance = addAssistance(app, deps);
  addCurrentPositions(app, deps);
  addShareLinks(app, identity, deps);
  const reports = addReports(app, identity, deps);
  const distanceJob = addMovement(app, cursors, deps);
  const reported = createReportedRecords(deps);
  const maintenance = createMaintenance(deps);
  const housekeeping = housekeepingOf(deps);
  const jobs: JobStages = [
    identity.jobs,
    // usage counts the last requests as well
    [usage, tachograph],
    [requestsOf(app)],
    [housekeeping, callbackSender, ...live.jobs, reports, distanceJob, reported, maintenance],
    // what clients and gateways hold ends before the other requests do
    [live.clients, gateways.downlinks, ...assistance],
  ];
  await app.ready();
  await live.prepare();
  startJobs(jobs);
  return {
    app,
    housekeeping,
    distanceJob,
    callbackSender,
    reported,
    lookForDue: tachograph.lookForDue,
    lookForMaintenance: maintenance.look,
    downloadRemotely: tachograph.downloadRemotely,
    listen: (at) => app.listen(at),
    close: () => stopJobs(jobs),
  };
}

function addPages(app: App, cursors: Cursors, deps: ApiDeps): void {
  deps.pages?.(app, {
    tenantOf,
    may: (request, scope) => principalOf(request).scopes.has(scope),
    pending: createPendingService(deps.database.app, cursors, deps.clock),
  });
}

function housekeepingOf({ settings, database, clock, log, history, movesFrames }: ApiDeps): Housekeeping {
  return createHousekeeping({
    pool: database.ingest,
    clock,
    log,
    retentionDays: settings.RETENTION_DAYS,
    rawRetentionDays: settings.RAW_RETENTION_DAYS,
    commandRetentionDays: settings.COMMAND_RETENTION_DAYS,
    deviceFileRetentionDays: settings.DEVICE_FILE_RETENTION_DAYS,
    knownLimits: knownLimitsOf(settings),
    tachograph: retentionOf(settings),
    history,
    movesFrames,
  });
}
