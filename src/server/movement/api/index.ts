export { createDistanceJob, type DistanceJob } from './days/job.ts';
export { readDistance } from './distance.ts';
export { readFixes } from './fixes/store.ts';
export type { Interval } from './interval.ts';
export { addMovementRoutes } from './routes.ts';
export type { Pools } from './trips.ts';
export { devicesAsVehicles, type MovingVehicle, type VehicleLookup } from './vehicle-lookup.ts';
