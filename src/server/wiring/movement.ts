import { fleetVehicles } from '../fleet/moving/index.ts';
import type { App, Cursors } from '../kernel/http/index.ts';
import { addMovementRoutes, createDistanceJob, type DistanceJob } from '../movement/api/index.ts';
import { addNearRoutes, createRouter } from '../movement/near/index.ts';
import { readTachograph } from '../tachograph/index.ts';
import type { ApiDeps } from './deps.ts';

/** Trips, routes and distances. Returns the job that calculates distances of past days. */
export function addMovement(app: App, cursors: Cursors, deps: ApiDeps): DistanceJob {
  const { settings, database, clock, log, addressesOf, searchAddress } = deps;
  addNearRoutes(app, { app: database.app, clock, searchAddress, router: createRouter(settings) });
  addMovementRoutes(app, {
    pools: { app: database.app, streams: database.reports },
    addressesOf,
    vehicles: fleetVehicles(database.app),
    readUnitSafety: readTachograph,
    cursors,
    now: clock.now,
  });
  return createDistanceJob({ pools: database, clock, log, mostDays: settings.DISTANCE_DAYS });
}
