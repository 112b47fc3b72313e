export { addTimelineRoutes } from './routes.ts';
export type { FrameDecoder } from './schema.ts';
export { createTimelineService } from './service.ts';
