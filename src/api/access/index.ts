export type { Credentials } from './credentials.ts';
export { ROLES, type Role, scopesOf } from './roles.ts';
export { currentScopes, GATEWAY_SCOPES, type Principal, SCOPE_NAMES, SCOPES, type Scope } from './scopes.ts';
