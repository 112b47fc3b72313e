export { addUsageRoutes } from './routes.ts';
export { createUsage, foldUsage, type Usage } from './service.ts';
