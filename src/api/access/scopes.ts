/** What a credential may be allowed to do. */
export const SCOPES = [
  'app',
  'commands:dangerous',
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
  'tenants:read',
  'tenants:write',
  'users:read',
  'users:write',
  'vehicles:read',
  'vehicles:write',
  'webhooks:write',
] as const;

/** `internal` and `commands:dispatch` are for gateways alone: no key is made with them. */
export type Scope = (typeof SCOPES)[number] | 'internal' | 'commands:dispatch';

export const GATEWAY_SCOPES: readonly Scope[] = ['internal', 'positions:write', 'commands:dispatch'];

/** Who asks. Without a tenant: one of the installation's own services. */
export interface Principal {
  readonly kind: 'key' | 'service' | 'user';
  /** id of the key or user, or name of the gateway */
  readonly id: string;
  readonly tenantId: number | undefined;
  readonly scopes: ReadonlySet<string>;
  /** of a log-in */
  readonly sessionId?: string;
  /** ids of the session, key and user whose end is the credential's */
  readonly dependsOn?: readonly string[];
}
