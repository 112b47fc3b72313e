export { createCounterReader } from './reader.ts';
export { addCounterRoutes } from './routes.ts';
