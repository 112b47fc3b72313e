import { addAllowanceRoutes, expenseKind } from '../allowance/index.ts';
import { addKeyRoutes } from '../auth/index.ts';
import { addDiagnosticsRoutes } from '../diagnostics/index.ts';
import { driverKind, geofenceKind, groupKind, vehicleKind } from '../fleet-records/index.ts';
import { type App, principalOf, tenantOf } from '../http/index.ts';
import { addPairingRoutes, createPairings, pairingCsvTable } from '../pairings/index.ts';
import { addPartnerRoutes } from '../partners/index.ts';
import { addCsvRoutes, addRecordRoutes, createRecords, csvTableOf } from '../records/index.ts';
import { addSubjectRoutes } from '../subjects/index.ts';
import type { Residuals } from '../tachograph/index.ts';
import { addClaimRoutes, addProofRoutes, addTenantRoutes, createTenants } from '../tenants/index.ts';
import { addOtpRoutes, addUserRoutes, createUsers, userCsvTable } from '../users/index.ts';
import { addVehicleRoutes, createFleet } from '../vehicles/index.ts';
import type { ApiDeps } from './deps.ts';
import type { Identity } from './identity.ts';

/** The records of a fleet, who may see them, and what stands beside them. */
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
  addDiagnosticsRoutes(app, { isOn: settings.diagnostics ?? false, clock });
}
