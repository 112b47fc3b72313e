export { addVehicleRoutes } from './routes.ts';
export type { Include } from './schema.ts';
export { createFleet, type Fleet } from './service.ts';
