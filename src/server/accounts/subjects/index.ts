export { addSubjectRoutes } from './routes.ts';
