export { addPartnerRoutes } from './routes.ts';
