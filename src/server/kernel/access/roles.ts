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

/** Scopes that concern the whole tenant: not granted to a user who is limited to some vehicles. */
const OF_WHOLE_TENANT = /^(users|webhooks|streams|ops|tenants|diagnostics|payroll)(:|$)|^(positions|ddd):write$/;

export interface Rights {
  readonly role: Role;
  readonly allVehicles: boolean;
}

/**
 * Scopes of a user. `ops` and `tenants` concern all tenants and are granted to administrators of the operator's
 * tenant only.
 */
export function scopesOf({ role, allVehicles }: Rights, isOperator: boolean): readonly Scope[] {
  const scopes = role === 'admin' && isOperator ? SCOPES : scopesByRole[role];
  return allVehicles ? scopes : scopes.filter((scope) => !OF_WHOLE_TENANT.test(scope));
}

/** New users of these roles see all vehicles unless a list is given; others see none. */
export const seesAllByDefault = (role: Role): boolean => role === 'admin' || role === 'manager';
