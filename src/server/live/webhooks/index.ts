export { createRelay } from './relay.ts';
export { addWebhookRoutes } from './routes.ts';
