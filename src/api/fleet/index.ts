import { addKeyRoutes } from '../auth/key-routes.ts';
import { addOtpRoutes } from '../auth/otp/routes.ts';
import type { ApiDeps } from '../deps.ts';
import { addDiagnosticsRoutes } from '../diagnostics/routes.ts';
import { principalOf, tenantOf } from '../http/access.ts';
import type { App } from '../http/server.ts';
import type { Identity } from '../identity.ts';
import { addCsvRoutes } from '../records/csv-routes.ts';
import { addRecordRoutes } from '../records/routes.ts';
import { createRecords } from '../records/service.ts';
import { sheetOf } from '../records/sheet.ts';
import { addSubjectRoutes } from '../subjects/routes.ts';
import type { Residuals } from '../tachograph/residual/index.ts';
import { addTenantRoutes } from '../tenants/routes.ts';
import { createTenants } from '../tenants/service.ts';
import { addUserRoutes } from '../users/routes.ts';
import { createUsers } from '../users/service.ts';
import { sheetOfUsers } from '../users/sheet.ts';
import { addAllowanceRoutes, expenseKind } from './allowance/routes.ts';
import { driverKind, geofenceKind, groupKind, vehicleKind } from './kinds.ts';
import { addPairingRoutes } from './pairings/routes.ts';
import { createPairings } from './pairings/service.ts';
import { sheetOfPairings } from './pairings/sheet.ts';
import { addPartnerRoutes } from './partners/routes.ts';
import { addFleetVehicleRoutes } from './vehicles/routes.ts';
import { createFleet } from './vehicles/service.ts';

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
  await addCsvRoutes(app, sheetOf(vehicles));
  addFleetVehicleRoutes(app, {
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
    await addCsvRoutes(app, sheetOf(records));
    addRecordRoutes(app, records);
  }
  const pairings = createPairings(pool, cursors, clock);
  await addCsvRoutes(app, sheetOfPairings(pairings));
  addPairingRoutes(app, pairings);
  await addCsvRoutes(app, sheetOfUsers(users));
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
