export { addAppRoutes } from './routes.ts';
