export { addCurrentPositionRoutes } from './routes.ts';
export { createCurrentPositionService } from './service.ts';
