import type { App } from '../../kernel/http/index.ts';
import { addConditionRoutes } from './condition-routes.ts';
import type { Movement } from './movement.ts';
import { addPathRoutes } from './path-routes.ts';
import { addPolylineRoutes } from './polyline-routes.ts';
import { addTripRoutes } from './trip-routes.ts';

/** What fleets ask of their positions. */
export function addMovementRoutes(app: App, movement: Movement): void {
  addPolylineRoutes(app, movement);
  addTripRoutes(app, movement);
  addPathRoutes(app, movement);
  addConditionRoutes(app, movement);
}
