export { type CommandStreams, createDownlinkService } from './downlink.ts';
export { createPresenceService } from './presence.ts';
export { createSessionRegistry } from './registry/service.ts';
export { addGatewayRoutes } from './routes.ts';
export { addSetAsideRoutes } from './set-aside/routes.ts';
export { createSetAsideService } from './set-aside/service.ts';
export { pinProtocols, readLeftRecords, type SessionState, upsertSessions } from './store.ts';
