import { addAllowanceRoutes, expenseKind } from '../allowance/routes.ts';
import { addKeyRoutes } from '../auth/key-routes.ts';
import { addDiagnosticsRoutes } from '../diagnostics/routes.ts';
import { driverKind, geofenceKind, groupKind, vehicleKind } from '../fleet-records/kinds.ts';
import { principalOf, tenantOf } from '../http/access.ts';
import type { App } from '../http/server.ts';
import { pairingCsvTable } from '../pairings/csv-table.ts';
import { addPairingRoutes } from '../pairings/routes.ts';
import { createPairings } from '../pairings/service.ts';
import { addPartnerRoutes } from '../partners/routes.ts';
import { addCsvRoutes } from '../records/csv-routes.ts';
import { csvTableOf } from '../records/csv-table.ts';
import { addRecordRoutes } from '../records/routes.ts';
import { createRecords } from '../records/service.ts';
import { addSubjectRoutes } from '../subjects/routes.ts';
import type { Residuals } from '../tachograph/residual/index.ts';
import { addTenantRoutes } from '../tenants/routes.ts';
import { createTenants } from '../tenants/service.ts';
import { userCsvTable } from '../users/csv-table.ts';
import { addOtpRoutes } from '../users/otp-routes.ts';
import { addUserRoutes } from '../users/routes.ts';
import { createUsers } from '../users/service.ts';
import { addVehicleRoutes } from '../vehicles/routes.ts';
import { createFleet } from '../vehicles/service.ts';
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
  const pairings = createPairings(pool, cursors, clock);
  await addCsvRoutes(app, pairingCsvTable(pairings));
  addPairingRoutes(app, pairings);
  await addCsvRoutes(app, userCsvTable(users));
  addPartnerRoutes(app, { app: pool, cursors, fleet });
  addAllowanceRoutes(app, { pool, clock, residuals });
  addSubjectRoutes(app, pool);
  addUserRoutes(app, users);
  addOtpRoutes(app, { otps: accounts.otps, users });
  addTenantRoutes(
    app,
    createTenants({
      ...{ cursors, users, ownTenantId, pool: database.ingest, forget: identity.forget },
      defaultTenantId: await database.tenantId(settings.DEFAULT_TENANT),
    }),
  );
  addKeyRoutes(app, { pool: database.ingest, clock, forget: identity.forget });
  addDiagnosticsRoutes(app, { isOn: settings.diagnostics ?? false, clock });
}
