export { addHistoryRoutes } from './routes.ts';
export { createHistoryService, type TrackRequest } from './service.ts';
export { readTrack } from './store.ts';
