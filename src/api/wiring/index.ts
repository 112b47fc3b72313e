export { addCommandSlices, createFileRequests } from './commands.ts';
export type { ApiDeps, ApiSettings, PageServices } from './deps.ts';
export { addFleet } from './fleet.ts';
export { addIdentityRoutes, createIdentity } from './identity.ts';
export { tokenOfOwner } from './report-token.ts';
