import { createSecretKey, hkdfSync, type KeyObject, randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
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

/** Without INTERNAL_KEY every assertion is refused. */
export function createInternalTokens(internalKey: string | undefined, clock: Clock): InternalTokens {
  if (internalKey === undefined) {
    return {
      exchange: async () => {
        throw new AppError('invalid-assertion');
      },
      verify: async () => undefined,
    };
  }
  const assertionKey = createSecretKey(Buffer.from(internalKey, 'utf8'));
  // assertions and tokens are signed with different keys, so that neither is accepted as the other
  const tokenKey = derive(internalKey, 'fleetgate access token');
  const used = new Map<string, number>();
  return {
    exchange: async (service, assertion) => {
      const gateway = await readAssertion(assertion, assertionKey, clock, used);
      if (service !== 'gateway') throw new AppError('invalid-assertion', `no token is given to a ${service} yet`);
      const now = Math.floor(clock.now() / 1000);
      return new SignJWT({ scope: GATEWAY_SCOPES.join(' ') })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
        .setSubject(gateway)
        .setAudience(AUDIENCE)
        .setJti(randomUUID())
        .setIssuedAt(now)
        .setExpirationTime(now + TOKEN_SECONDS)
        .sign(tokenKey);
    },
    verify: async (token) => {
      try {
        const { payload } = await jwtVerify(token, tokenKey, {
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

async function readAssertion(
  assertion: string,
  key: KeyObject,
  clock: Clock,
  used: Map<string, number>,
): Promise<string> {
  const now = clock.now();
  for (const [jti, until] of used) if (until < now) used.delete(jti);
  try {
    const { payload } = await jwtVerify(assertion, key, {
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
