import { addSubjectRoutes } from '../accounts/subjects/index.ts';
import { addClaimRoutes, addProofRoutes, addTenantRoutes, createTenants } from '../accounts/tenants/index.ts';
import { addOtpRoutes, addUserRoutes, createUsers, userCsvTable } from '../accounts/users/index.ts';
import { addCounterRoutes, createCounterReader } from '../fleet/counters/index.ts';
import { createDriverKeys } from '../fleet/driver-keys/index.ts';
import { addMaintenance, createMaintenanceAlarms, type MaintenanceAlarms } from '../fleet/maintenance/index.ts';
import { addPairingRoutes, createPairings, pairingCsvTable } from '../fleet/pairings/index.ts';
import { addPartnerRoutes } from '../fleet/partners/index.ts';
import { createPresence } from '../fleet/presence/index.ts';
import { driverKind, geofenceKind, groupKind, vehicleKind } from '../fleet/records/index.ts';
import { createReported } from '../fleet/reported/index.ts';
import { addShareLinkRoutes } from '../fleet/share-links/index.ts';
import { addVehicleRoutes, createFleet } from '../fleet/vehicles/index.ts';
import type { Feed, Follower } from '../ingest/feed/index.ts';
import { addKeyRoutes } from '../kernel/auth/index.ts';
import { addDiagnosticsRoutes } from '../kernel/diagnostics/index.ts';
import { type App, principalOf, tenantOf } from '../kernel/http/index.ts';
import { addCsvRoutes, addRecordRoutes, createRecords, csvTableOf } from '../kernel/records/index.ts';
import { addAllowanceRoutes, expenseKind } from '../reports/allowance/index.ts';
import type { Residuals } from '../tachograph/index.ts';
import type { ApiDeps } from './deps.ts';
import type { Identity } from './identity.ts';

/** Adds vehicles, drivers and the other records of a fleet, users and tenants. */
export async function addFleet(
  app: App,
  identity: Identity,
  { database, clock, settings, nameElements = () => undefined }: ApiDeps,
  residuals: Residuals,
): Promise<void> {
  const { cursors, ownTenantId, accounts } = identity;
  const pool = database.app;
  const fleet = createFleet(pool, cursors, nameElements);
  const users = createUsers(pool, cursors, ownTenantId, {
    end: (tenantId, userId) => accounts.sessions.end(tenantId, { userId }),
    forget: identity.forget,
  });
  const vehicles = createRecords(pool, vehicleKind, cursors);
  await addCsvRoutes(app, csvTableOf(vehicles));
  addVehicleRoutes(app, {
    fleet,
    records: vehicles,
    async userId(request, name) {
      const principal = principalOf(request);
      tenantOf(request);
      if (name === 'me' && principal.kind !== 'user') return undefined;
      return (await users.find(principal, name)).user.id;
    },
  });
  for (const kind of [groupKind, geofenceKind, driverKind, expenseKind]) {
    const records = createRecords(pool, kind, cursors);
    await addCsvRoutes(app, csvTableOf(records));
    addRecordRoutes(app, records);
  }
  addCounterRoutes(app, { app: pool, clock });
  await addMaintenance(app, { app: pool, clock, cursors });
  const pairings = createPairings(database, cursors, clock);
  await addCsvRoutes(app, pairingCsvTable(pairings));
  addPairingRoutes(app, pairings);
  await addCsvRoutes(app, userCsvTable(users));
  addPartnerRoutes(app, { app: pool, cursors, fleet });
  addAllowanceRoutes(app, { pool, clock, residuals });
  addSubjectRoutes(app, pool);
  addUserRoutes(app, users, accounts.limits);
  addOtpRoutes(app, { otps: accounts.otps, limits: accounts.limits, users });
  addTenantRoutes(
    app,
    createTenants({
      cursors,
      users,
      ownTenantId,
      pool: database.ingest,
      forget: identity.forget,
      defaultTenantId: await database.tenantId(settings.DEFAULT_TENANT),
    }),
  );
  addClaimRoutes(app, { pool: database.ingest, cursors, ownTenantId });
  addProofRoutes(app, { pool: database.ingest, clock, deviceCa: settings.TLS_CLIENT_CA });
  addKeyRoutes(app, { pool: database.ingest, clock, forget: identity.forget });
  addDiagnosticsRoutes(app, { isOn: settings.diagnostics, clock });
}

/** What follows from what devices report: pairings of drivers by their keys, counters, geofences. */
export function createReportedRecords(deps: ApiDeps & { readonly feed: Feed }): Follower {
  const { database, clock, settings, log, feed, shards, notify } = deps;
  const driverKeys = createDriverKeys({
    pool: database.ingest,
    clock,
    logoutSeconds: settings.DRIVER_LOGOUT_SECONDS,
    notify,
  });
  const counters = createCounterReader({
    app: database.app,
    ingest: database.ingest,
    clock,
    recountDays: settings.COUNTER_RECOUNT_DAYS,
  });
  return createReported({
    feed,
    pool: database.ingest,
    log,
    shards,
    monotonic: clock.monotonic,
    readers: [driverKeys, counters, createPresence()],
  });
}

/** Tells users of maintenance that is due. */
export const createMaintenance = ({ database, clock, log, settings, notify }: ApiDeps): MaintenanceAlarms =>
  createMaintenanceAlarms({
    ingest: database.ingest,
    clock,
    log,
    everyMs: 1_000 * settings.MAINTENANCE_SECONDS,
    notify,
  });

export function addShareLinks(app: App, { cursors }: Identity, deps: ApiDeps): void {
  const { settings, database, clock, addressesOf } = deps;
  addShareLinkRoutes(app, {
    app: database.app,
    ingest: database.ingest,
    streams: database.streams,
    clock,
    cursors,
    addressesOf,
    mostDays: settings.SHARE_LINK_DAYS,
    mostLinks: settings.SHARE_LINKS_PER_TENANT,
  });
}
