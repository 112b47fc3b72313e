export type { CommandEvents } from './batch.ts';
export type { RecordCounter } from './counts.ts';
export { createPartitions } from './partitions.ts';
export type { KnownLimits } from './positions/known.ts';
export { createPushService } from './positions/push.ts';
export { createRecentIds } from './positions/recent-ids.ts';
export { addIngestRoutes, addPushRoutes } from './routes.ts';
export { createIngestService, type IngestService } from './service.ts';
