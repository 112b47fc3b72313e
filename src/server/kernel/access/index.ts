export type { Credentials } from './credentials.ts';
export { type Rights, ROLES, type Role, scopesOf, seesAllByDefault } from './roles.ts';
export { currentScopes, GATEWAY_SCOPES, type Principal, SCOPE_NAMES, SCOPES, type Scope } from './scopes.ts';
