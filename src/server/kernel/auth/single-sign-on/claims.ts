import { ROLES, type Role } from '../../access/index.ts';

export type Claims = Readonly<Record<string, unknown>>;

export interface ClaimRules {
  readonly roleClaim: string;
  readonly roles: ReadonlyMap<string, Role>;
  readonly defaultRole: Role | undefined;
  readonly tenantClaim: string | undefined;
  readonly tenant: string;
  readonly domains: readonly string[];
  readonly acrValues: readonly string[];
}

/** Why a user of the provider is not admitted. */
export type Refusal = 'acr' | 'domain' | 'role' | 'tenant';

export interface Admitted {
  readonly tenant: string;
  /** undefined if the provider does not assign roles */
  readonly role: Role | undefined;
  /** lower case; verified by the provider */
  readonly email: string | undefined;
  readonly name: string | undefined;
  /** lower case, only characters that are allowed in user names */
  readonly username: string | undefined;
}

/** A claim by its name or, if there is none of this name, by its dotted path. */
function read(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let found: unknown = claims;
  for (const key of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const textsOf = (value: unknown): string[] => [value].flat().filter((each) => typeof each === 'string');

/** Maps claims to tenant, role and names by the settings of the installation. */
export function readClaims(claims: Claims, rules: ClaimRules): Admitted | { readonly refused: Refusal } {
  const { roles, acrValues, domains } = rules;
  if (acrValues.length > 0 && !acrValues.includes(textOf(claims['acr']) ?? '')) return { refused: 'acr' };
  const email = claims['email_verified'] === true ? textOf(claims['email'])?.toLowerCase() : undefined;
  const domain = email?.slice(email.lastIndexOf('@') + 1);
  if (domains.length > 0 && !domains.some((allowed) => allowed.toLowerCase() === domain)) return { refused: 'domain' };
  const tenant = rules.tenantClaim === undefined ? rules.tenant : textOf(read(claims, rules.tenantClaim));
  if (tenant === undefined) return { refused: 'tenant' };
  const given = new Set(textsOf(read(claims, rules.roleClaim)).map((value) => roles.get(value)));
  const role = roles.size === 0 ? undefined : (ROLES.find((each) => given.has(each)) ?? rules.defaultRole);
  if (roles.size > 0 && role === undefined) return { refused: 'role' };
  const named = (textOf(claims['preferred_username']) ?? textOf(claims['email']))?.toLowerCase();
  return {
    tenant,
    role,
    email: email !== undefined && email.length <= 320 ? email : undefined,
    name: textOf(claims['name'])?.slice(0, 200),
    username: named
      ?.replace(/[^a-z0-9._@+-]+/g, '-')
      .replace(/^[^a-z0-9]+/, '')
      .slice(0, 90),
  };
}
