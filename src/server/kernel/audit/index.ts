export { anchorFile, anchorWebhook, readAnchorFile, type WriteAnchors } from './anchor.ts';
export { addAuditHook, addAuditRoutes, noteChange, withActingKey } from './routes.ts';
export { type Audit, createAudit } from './service.ts';
export { insertEntries } from './store.ts';
export { verifyAudit } from './verify.ts';
