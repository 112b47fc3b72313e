export { addTenantRoutes } from './routes.ts';
export { createTenants } from './service.ts';
