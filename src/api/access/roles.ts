import { SCOPES, type Scope } from './scopes.ts';

export const ROLES = ['admin', 'manager', 'dispatcher', 'viewer', 'driver'] as const;
export type Role = (typeof ROLES)[number];

const VIEWER: readonly Scope[] = [
  'app',
  'commands:read',
  'devices:read',
  'drivers:read',
  'notifications:read',
  'positions:read',
  'routes:read',
  'vehicles:read',
];
const DISPATCHER: readonly Scope[] = [...VIEWER, 'commands:write', 'ddd:read', 'drivers:write', 'notifications:write'];
const TENANTS: readonly Scope[] = SCOPES.filter((scope) => !/^(ops|tenants)(:|$)/.test(scope));

const scopesByRole: Readonly<Record<Role, readonly Scope[]>> = {
  admin: TENANTS,
  manager: TENANTS.filter((scope) => scope !== 'commands:privileged'),
  dispatcher: DISPATCHER,
  viewer: VIEWER,
  driver: ['app', 'notifications:read', 'notifications:write'],
};

/** What a user of this role may do. `ops` and `tenants` are every tenant's affairs: administrators of the operator's. */
export function scopesOf(role: Role, isOperator: boolean): readonly Scope[] {
  return role === 'admin' && isOperator ? SCOPES : scopesByRole[role];
}
