export { addAppRoutes } from './routes.ts';
export { mapTypeOf } from './settings.ts';
