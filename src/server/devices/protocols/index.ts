export { addProtocolRoutes, type ShownProtocol } from './routes.ts';
