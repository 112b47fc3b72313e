export { addProofRoutes } from './claims/proof-routes.ts';
export { addClaimRoutes } from './claims/routes.ts';
export { addTenantRoutes } from './routes.ts';
export { createTenants } from './service.ts';
