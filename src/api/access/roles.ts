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

/** Permissions over the tenant as a whole: a user who is given some vehicles has none of them. */
const OF_WHOLE_TENANT = /^(users|webhooks|streams|ops|tenants|diagnostics|payroll)(:|$)|^(positions|ddd):write$/;

export interface Rights {
  readonly role: Role;
  readonly allVehicles: boolean;
}

/** What this user may do. `ops` and `tenants` are every tenant's affairs: administrators of the operator's. */
export function scopesOf({ role, allVehicles }: Rights, isOperator: boolean): readonly Scope[] {
  const scopes = role === 'admin' && isOperator ? SCOPES : scopesByRole[role];
  return allVehicles ? scopes : scopes.filter((scope) => !OF_WHOLE_TENANT.test(scope));
}

/** Users of these roles are given all vehicles unless a list is given; others none. */
export const seesAllByDefault = (role: Role): boolean => role === 'admin' || role === 'manager';
