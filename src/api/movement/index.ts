export { createDistanceJob, type DistanceJob } from './days/job.ts';
export { readDistance } from './distance.ts';
export { readFixes } from './fixes/store.ts';
export { fleetVehicles } from './fleet-vehicles/index.ts';
export { addMovementRoutes } from './routes.ts';
export type { Pools } from './trips.ts';
