export { addDiagnosticsRoutes } from './routes.ts';
