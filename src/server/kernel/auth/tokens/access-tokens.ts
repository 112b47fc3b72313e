import { createHash, randomUUID } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import type pg from 'pg';
import type { Clock } from '../../../../platform/clock.ts';
import { isDatabaseAway } from '../../../database/index.ts';
import { currentScopes, type Principal, type Rights, type Role, SCOPES, scopesOf } from '../../access/index.ts';
import { createCredentialStatusCache } from './credential-status.ts';
import { ALGORITHM, type SigningKeys } from './signing-keys.ts';
import type { CredentialStatus } from './store.ts';

export const USER_TOKEN_SECONDS = 900;
export const KEY_TOKEN_SECONDS = 3_600;
const ISSUER = 'fleetgate';
/** stands in place of a key id for the key of the setting */
export const SETTING = 'API_KEY';

/** What a token is issued for: a user session or an API key, possibly on behalf of a user. */
export interface Grant {
  readonly tenantId: number;
  readonly tenant: string;
  readonly userId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly scopes: readonly string[];
  readonly seconds: number;
}

export interface AccessTokens {
  issue(grant: Grant): Promise<string>;
  /** Principal and expiry (epoch ms); undefined if invalid or revoked. */
  verify(token: string): Promise<{ principal: Principal; until: number } | undefined>;
  /** Drops the cached status of this session, key, user or `tenant:<id>`. */
  forget(id: string): void;
  forgetAll(): void;
}

export interface AccessTokensDeps {
  readonly keys: SigningKeys;
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly ownTenantId: number;
  /** tokens issued for it are invalid without it */
  readonly apiKey: string | undefined;
}

export function createAccessTokens({ keys, pool, clock, ownTenantId, apiKey }: AccessTokensDeps): AccessTokens {
  const print = apiKey === undefined ? undefined : createHash('sha256').update(`print ${apiKey}`).digest('base64url');
  const statusCache = createCredentialStatusCache(pool, clock);
  return {
    forget: statusCache.forget,
    forgetAll: statusCache.forgetAll,
    async issue({ tenantId, tenant, userId, sessionId, keyId, scopes, seconds }) {
      const now = Math.floor(clock.now() / 1000);
      const { kid, key } = await keys.current();
      const claims = { tenant, tid: tenantId, scope: scopes.join(' '), sid: sessionId, client_id: keyId };
      return new SignJWT({ ...claims, ...(keyId === SETTING ? { print } : {}), user: userId !== undefined })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt', kid })
        .setIssuer(ISSUER)
        .setAudience(ISSUER)
        .setSubject(userId ?? keyId!)
        .setJti(randomUUID())
        .setIssuedAt(now)
        .setExpirationTime(now + seconds)
        .sign(key);
    },
    async verify(token) {
      const claims = await readClaims(token, keys, clock);
      if (claims === undefined) return undefined;
      const grants = await readGrants(claims);
      if (grants === undefined) return undefined;
      const standsOn = [claims.sid, claims.client_id, claims.user ? claims.sub : undefined];
      return {
        principal: {
          kind: claims.user ? 'user' : 'key',
          id: claims.sub,
          tenantId: claims.tid,
          scopes: grants.scopes,
          ...(claims.user && claims.client_id !== undefined ? { viaKey: claims.client_id } : {}),
          ...(grants.isRestricted ? { isRestricted: true } : {}),
          ...(claims.sid === undefined ? {} : { sessionId: claims.sid }),
          dependsOn: standsOn.filter((id) => id !== undefined),
        },
        until: Math.min(claims.exp * 1000, grants.until),
      };
    },
  };

  /** The scopes of the token that are still granted, and until when; undefined if revoked. */
  async function readGrants(claims: Claims): Promise<Grants | undefined> {
    const bySetting = claims.client_id === SETTING;
    if (bySetting && (print === undefined || claims.print !== print)) return undefined;
    const { status: found, until } = await statusCache.read({
      tenantId: claims.tid,
      userId: claims.user ? claims.sub : null,
      sessionId: claims.sid ?? null,
      keyId: claims.client_id ?? null,
    });
    if (!found.isTenantActive) return undefined;
    if (claims.user && found.isUserActive !== true) return undefined;
    if (claims.sid !== undefined && found.isSessionActive !== true) return undefined;
    if (claims.client_id !== undefined && !bySetting && found.isKeyActive !== true) return undefined;
    const limits: ReadonlySet<string>[] = [];
    if (claims.user) limits.push(new Set(scopesOf(rightsOf(found), claims.tid === ownTenantId)));
    if (claims.client_id !== undefined) limits.push(new Set(bySetting ? SCOPES : found.keyScopes));
    const granted = currentScopes(claims.scope.split(' ')).filter((scope) => limits.every((limit) => limit.has(scope)));
    return { scopes: new Set(granted), isRestricted: claims.user && found.allVehicles !== true, until };
  }
}

interface Grants {
  readonly scopes: ReadonlySet<string>;
  readonly isRestricted: boolean;
  readonly until: number;
}

const rightsOf = ({ role, allVehicles }: CredentialStatus): Rights => ({
  role: role as Role,
  allVehicles: allVehicles === true,
});

interface Claims {
  readonly sub: string;
  readonly exp: number;
  readonly tid: number;
  readonly scope: string;
  readonly user: boolean;
  readonly sid?: string;
  readonly client_id?: string;
  readonly print?: string;
}

/** Whether the token has the form of an access token; the signature is not verified. */
export function isAccessToken(token: string): boolean {
  try {
    return decodeProtectedHeader(token).alg === ALGORITHM;
  } catch {
    return false;
  }
}

async function readClaims(token: string, keys: SigningKeys, clock: Clock): Promise<Claims | undefined> {
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = kid === undefined ? undefined : await keys.find(kid);
        if (key === undefined) throw new Error('signed with no key of ours');
        return key;
      },
      {
        algorithms: [ALGORITHM],
        typ: 'at+jwt',
        issuer: ISSUER,
        audience: ISSUER,
        requiredClaims: ['sub', 'exp', 'jti', 'tid', 'scope'],
        currentDate: new Date(clock.now()),
      },
    );
    return payload as typeof payload & Claims;
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    return undefined;
  }
}
