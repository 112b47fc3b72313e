export { addTimelineRoutes } from './routes.ts';
export type { FrameDecoder, FrameSpan } from './schema.ts';
export { createTimelineService } from './service.ts';
