import { createSecretKey, hkdfSync, type KeyObject, randomUUID } from 'node:crypto';
import { errors, type JWTVerifyOptions, type JWTVerifyResult, jwtVerify, SignJWT } from 'jose';
import { ASSERTION_SECONDS } from '../../../contract/internal.ts';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { GATEWAY_SCOPES, type Principal } from '../access/index.ts';

export const TOKEN_SECONDS = 300;
const AUDIENCE = 'fleetgate';
const GATEWAY_NAME = /^[A-Za-z0-9._-]{1,64}$/;

export interface InternalTokens {
  /** Exchanges a gateway's assertion for a short-lived token. Throws AppError `invalid-assertion`. */
  exchange(service: string, assertion: string): Promise<string>;
  /** Principal and expiry (epoch ms); undefined if invalid. */
  verify(token: string): Promise<{ principal: Principal; until: number } | undefined>;
}

/**
 * `internalKeys`: the current one first, then those that are accepted too while the key is replaced. Without INTERNAL_KEY
 * every assertion is refused.
 */
export function createInternalTokens(internalKeys: readonly string[], clock: Clock): InternalTokens {
  const [internalKey] = internalKeys;
  if (internalKey === undefined) {
    return {
      exchange: async () => {
        throw new AppError('invalid-assertion');
      },
      verify: async () => undefined,
    };
  }
  const assertionKeys = internalKeys.map((key) => createSecretKey(Buffer.from(key, 'utf8')));
  // assertions and tokens are signed with different keys, so that neither is accepted as the other
  const tokenKeys = internalKeys.map((key) => derive(key, 'fleetgate access token'));
  const used = new Map<string, number>();
  return {
    exchange: async (service, assertion) => {
      const gateway = await readAssertion(assertion, assertionKeys, clock, used);
      if (service !== 'gateway') throw new AppError('invalid-assertion', `no token is given to a ${service} yet`);
      const now = Math.floor(clock.now() / 1000);
      return new SignJWT({ scope: GATEWAY_SCOPES.join(' ') })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
        .setSubject(gateway)
        .setAudience(AUDIENCE)
        .setJti(randomUUID())
        .setIssuedAt(now)
        .setExpirationTime(now + TOKEN_SECONDS)
        .sign(tokenKeys[0]!);
    },
    verify: async (token) => {
      try {
        const { payload } = await verifyWithAny(token, tokenKeys, {
          algorithms: ['HS256'],
          audience: AUDIENCE,
          requiredClaims: ['sub', 'exp', 'iat', 'jti', 'scope'],
          // a gateway that holds INTERNAL_KEY could sign a token for years, or with any scope
          maxTokenAge: TOKEN_SECONDS,
          // of the clocks of several API processes
          clockTolerance: ASSERTION_SECONDS,
          currentDate: new Date(clock.now()),
        });
        if (payload.exp! - payload.iat! > TOKEN_SECONDS) return undefined;
        const claimed = String(payload['scope']).split(' ');
        const scopes = new Set<string>(GATEWAY_SCOPES.filter((scope) => claimed.includes(scope)));
        return {
          principal: { kind: 'service', id: payload.sub!, tenantId: undefined, scopes },
          until: payload.exp! * 1000,
        };
      } catch {
        return undefined;
      }
    },
  };
}

export function derive(secret: string, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)));
}

/** Verifies with the key that has made the signature. Throws as `jwtVerify` does. */
async function verifyWithAny(
  token: string,
  keys: readonly KeyObject[],
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  for (const key of keys.slice(0, -1)) {
    try {
      return await jwtVerify(token, key, options);
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  return jwtVerify(token, keys.at(-1)!, options);
}

async function readAssertion(
  assertion: string,
  keys: readonly KeyObject[],
  clock: Clock,
  used: Map<string, number>,
): Promise<string> {
  const now = clock.now();
  for (const [jti, until] of used) if (until < now) used.delete(jti);
  try {
    const { payload } = await verifyWithAny(assertion, keys, {
      algorithms: ['HS256'],
      requiredClaims: ['sub', 'exp', 'jti'],
      clockTolerance: ASSERTION_SECONDS,
      currentDate: new Date(now),
    });
    const { sub, exp, jti } = payload as { sub: string; exp: number; jti: string };
    if (exp * 1000 > now + 3 * ASSERTION_SECONDS * 1000) throw new Error('it lives too long');
    if (!GATEWAY_NAME.test(sub)) throw new Error('its subject is no name of a gateway');
    if (used.has(jti)) throw new Error('it was used before');
    used.set(jti, (exp + ASSERTION_SECONDS) * 1000);
    return sub;
  } catch (error) {
    throw new AppError('invalid-assertion', (error as Error).message);
  }
}
