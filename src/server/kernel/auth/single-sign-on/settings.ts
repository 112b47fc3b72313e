import { z } from 'zod';
import { flag } from '../../../../platform/setting-types.ts';

const text = z.string().min(1);
const words = z
  .string()
  .default('')
  .transform((list) => list.split(/[\s,]+/).filter(Boolean));
const role = z.enum(['admin', 'manager', 'dispatcher', 'viewer', 'driver']);
type Role = z.output<typeof role>;

const isLocal = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

/** HTTPS, or HTTP on a loopback address. */
const secureUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => url.startsWith('https:') || isLocal(new URL(url).hostname), 'must begin with https://');

/** `fleet-admins=admin, dispatch=dispatcher`: claim values may contain spaces and equal signs. */
const roleMapping = z
  .string()
  .default('')
  .transform((list, context): ReadonlyMap<string, Role> => {
    const pairs = list
      .split(',')
      .map((pair) => pair.trim())
      .filter(Boolean)
      .map(
        (pair) => [pair.slice(0, pair.lastIndexOf('=')).trim(), pair.slice(pair.lastIndexOf('=') + 1).trim()] as const,
      );
    for (const [value, name] of pairs) {
      if (value !== '' && role.safeParse(name).success) continue;
      context.addIssue({ code: 'custom', message: 'must be pairs of a value of the claim and a role: staff=viewer' });
      return z.NEVER;
    }
    return new Map(pairs as readonly (readonly [string, Role])[]);
  });

/** Single sign-on by OpenID Connect (docs/single-sign-on.md). */
export const singleSignOnSettings = {
  PASSWORD_LOGIN: flag
    .default(true)
    .describe(
      'users log in with passwords; `false`: only the administrator of the first start does (or the oldest one of tenant `default`, if that one is disabled or removed), the others use single sign-on',
    ),
  PUBLIC_URL: secureUrl
    .optional()
    .describe(
      'URL under which browsers reach the console, such as https://fleet.example.com; required with OIDC_ISSUER',
    ),
  OIDC_ISSUER: secureUrl
    .optional()
    .describe('issuer URL of the OpenID Connect provider; with it the login page offers single sign-on'),
  OIDC_CLIENT_ID: text.optional().describe('client id at the provider; required with OIDC_ISSUER'),
  OIDC_CLIENT_SECRET: text.optional().describe('client secret at the provider; without it the client is public (PKCE)'),
  OIDC_NAME: text.default('Single sign-on').describe('label of the button on the login page'),
  OIDC_SCOPES: words
    .refine((scopes) => scopes.length === 0 || scopes.includes('openid'), 'must contain openid')
    .describe('scopes that are requested; without it `openid profile email`'),
  OIDC_ROLE_CLAIM: text
    .default('groups')
    .describe('claim with the roles or groups of a user; dots lead into objects: `realm_access.roles`'),
  OIDC_ROLES: roleMapping.describe(
    'roles by values of OIDC_ROLE_CLAIM, such as `fleet-admins=admin,staff=viewer`; of several the first in the order admin, manager, dispatcher, viewer, driver. Without it roles are assigned in Fleetgate',
  ),
  OIDC_DEFAULT_ROLE: role
    .optional()
    .describe(
      'role of users without a role by OIDC_ROLES, and without OIDC_ROLES of users that are created; without it they cannot log in',
    ),
  OIDC_TENANT_CLAIM: text
    .optional()
    .describe('claim with the name of the tenant of a user; without it all users belong to OIDC_TENANT'),
  OIDC_TENANT: z
    .string()
    .regex(/^[a-z0-9-]{1,63}$/)
    .default('default')
    .describe('tenant of the users of the provider, without OIDC_TENANT_CLAIM'),
  OIDC_DOMAINS: words.describe(
    'domains of the verified e-mail addresses of users that may log in, comma-separated; without it all',
  ),
  OIDC_CREATE_USERS: flag.default(false).describe('create users at their first login by single sign-on'),
  OIDC_LINK_BY_EMAIL: flag
    .default(false)
    .describe('link a user of Fleetgate to a login whose verified e-mail address only this user of the tenant has'),
  OIDC_ACR_VALUES: words.describe(
    'authentication contexts (`acr`) that are requested and of which one is required, such as that of two-factor authentication',
  ),
};

const shape = z.object(singleSignOnSettings);
export type SingleSignOnSettings = Readonly<z.output<typeof shape>>;

export function singleSignOnProblems(settings: SingleSignOnSettings): string[] {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, PUBLIC_URL, PASSWORD_LOGIN } = settings;
  if (OIDC_ISSUER === undefined) return PASSWORD_LOGIN ? [] : ['PASSWORD_LOGIN: false requires OIDC_ISSUER'];
  const problems: string[] = [];
  if (OIDC_CLIENT_ID === undefined) problems.push('OIDC_CLIENT_ID: required with OIDC_ISSUER');
  if (PUBLIC_URL === undefined) problems.push('PUBLIC_URL: required with OIDC_ISSUER');
  return problems;
}
