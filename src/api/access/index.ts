export type { Credentials } from './credentials.ts';
export { ROLES, type Role, scopesOf } from './roles.ts';
export { GATEWAY_SCOPES, type Principal, SCOPES, type Scope } from './scopes.ts';
