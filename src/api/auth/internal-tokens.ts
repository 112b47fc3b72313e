import { createSecretKey, hkdfSync, type KeyObject, randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { ASSERTION_SECONDS } from '../../contract/internal.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { GATEWAY_SCOPES, type Principal } from '../access/index.ts';

export const TOKEN_SECONDS = 300;
const AUDIENCE = 'fleetgate';
const GATEWAY_NAME = /^[A-Za-z0-9._-]{1,64}$/;

export interface InternalTokens {
  /** Exchanges a gateway's assertion for a short token. Throws AppError `invalid-assertion`. */
  exchange(service: string, assertion: string): Promise<string>;
  /** The bearer of such a token and when it ends (epoch ms), or undefined. */
  verify(token: string): Promise<{ principal: Principal; until: number } | undefined>;
}

/** Without INTERNAL_KEY there are no gateways: no assertion holds. */
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
  // a key of its own: an assertion is no token and a token no assertion
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
          requiredClaims: ['sub', 'exp', 'jti', 'scope'],
          currentDate: new Date(clock.now()),
        });
        const scopes = new Set(String(payload['scope']).split(' '));
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
