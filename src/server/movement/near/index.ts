export { createRouter } from './router.ts';
export { addNearRoutes } from './routes.ts';
