export { fleetVehicles } from './fleet-vehicles/index.ts';
export { addMovementRoutes } from './routes.ts';
