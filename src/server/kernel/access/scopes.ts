/** The permissions that a credential may have. */
export const SCOPES = [
  'app',
  'commands:privileged',
  'commands:read',
  'commands:write',
  'ddd:read',
  'ddd:write',
  'devices:read',
  'devices:write',
  'diagnostics',
  'drivers:read',
  'drivers:write',
  'notifications:read',
  'notifications:write',
  'ops',
  'ops:write',
  'partner:qora:read',
  'partner:qora:write',
  'payroll:read',
  'positions:read',
  'positions:write',
  'routes:read',
  'streams:write',
  'tenants:read',
  'tenants:write',
  'users:read',
  'users:write',
  'vehicles:read',
  'vehicles:write',
  'webhooks:write',
] as const;

/** Old names of scopes. Deprecated: requests, keys and tokens that use one have the scope of the new name. */
const RENAMED_SCOPES = { 'commands:dangerous': 'commands:privileged' } as const;
type RenamedScope = keyof typeof RENAMED_SCOPES;
type CurrentName<T extends string> = T extends RenamedScope ? (typeof RENAMED_SCOPES)[T] : T;

/** Every name of a scope that requests may use. */
export const SCOPE_NAMES = [...SCOPES, ...(Object.keys(RENAMED_SCOPES) as RenamedScope[])] as const;

/** Scopes by their current names, each once. */
export function currentScopes<T extends string>(scopes: Iterable<T>): CurrentName<T>[] {
  const isRenamed = (scope: string): scope is RenamedScope => Object.hasOwn(RENAMED_SCOPES, scope);
  const names = Array.from(scopes, (scope) => (isRenamed(scope) ? RENAMED_SCOPES[scope] : scope) as CurrentName<T>);
  return [...new Set(names)];
}

/** `internal` and `commands:dispatch` are for gateways only; API keys cannot have them. */
export type Scope = (typeof SCOPES)[number] | 'internal' | 'commands:dispatch';

export const GATEWAY_SCOPES: readonly Scope[] = ['internal', 'positions:write', 'commands:dispatch'];

/** The authenticated caller. Without a tenant: a service of the installation, such as a gateway. */
export interface Principal {
  readonly kind: 'key' | 'service' | 'user';
  /** id of the key or user, or name of the gateway */
  readonly id: string;
  readonly tenantId: number | undefined;
  readonly scopes: ReadonlySet<string>;
  /** id of the key that acts on behalf of this user */
  readonly viaKey?: string;
  /** the user sees only some vehicles */
  readonly isRestricted?: boolean;
  /** set if the caller has logged in */
  readonly sessionId?: string;
  /** ids of the session, key and user whose revocation revokes the credential */
  readonly dependsOn?: readonly string[];
}
