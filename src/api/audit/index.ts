export { addAuditHook, addAuditRoutes, noteChange } from './routes.ts';
export { type Audit, createAudit } from './service.ts';
