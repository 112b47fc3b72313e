import type { App } from '../http/server.ts';
import { addConditionRoutes } from './condition-routes.ts';
import type { Movement } from './movement.ts';
import { addTravelledRoutes } from './travelled-routes.ts';
import { addTripRoutes } from './trip-routes.ts';
import { addWayRoutes } from './way-routes.ts';

/** What fleets ask of their positions. */
export function addMovementRoutes(app: App, movement: Movement): void {
  addWayRoutes(app, movement);
  addTripRoutes(app, movement);
  addTravelledRoutes(app, movement);
  addConditionRoutes(app, movement);
}
