import { createHash, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { asAppError } from '../../database/index.ts';
import { currentScopes, type Principal, SCOPES, scopesOf } from '../access/index.ts';
import type { Audit } from '../audit/index.ts';
import { verifyKey } from './keys.ts';
import type { Caller } from './login/service.ts';
import { findLoginById } from './login/store.ts';
import { readTenantName } from './store.ts';
import { type AccessTokens, KEY_TOKEN_SECONDS, SETTING } from './tokens/access-tokens.ts';

export interface ExchangeRequest {
  /** `flt_<env>_<id>_<secret>`, or API_KEY */
  readonly apiKey: string;
  /** space-separated; default: all scopes of the key */
  readonly scope?: string | undefined;
  /** id or name of the user that the token represents */
  readonly onBehalfOf?: string | undefined;
}

export interface Exchanged {
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly scope: string;
}

export interface Exchange {
  /** Throws AppError `invalid-client`, `scope-not-granted`. */
  exchange(request: ExchangeRequest, caller: Caller): Promise<Exchanged>;
}

export interface ExchangeDeps {
  readonly pool: pg.Pool;
  readonly tokens: AccessTokens;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly apiKey: string | undefined;
  readonly ownTenantId: number;
}

/** Exchanges API keys for short-lived access tokens (OAuth client credentials), optionally with fewer scopes. */
export function createExchange({ pool, tokens, audit, clock, apiKey, ownTenantId }: ExchangeDeps): Exchange {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const identify = async (key: string): Promise<Principal | undefined> => {
    if (apiKey !== undefined && timingSafeEqual(digest(key), digest(apiKey))) {
      return { kind: 'key', id: SETTING, tenantId: ownTenantId, scopes: new Set(SCOPES) };
    }
    const found = await verifyKey(pool, key, clock.now()).catch((error) => {
      throw asAppError(error);
    });
    return found?.principal;
  };
  return {
    async exchange({ apiKey: key, scope, onBehalfOf }, caller) {
      const client = await identify(key);
      if (client?.tenantId === undefined) throw new AppError('invalid-client');
      const { tenantId } = client;
      let granted = client.scopes;
      let userId: string | undefined;
      if (onBehalfOf !== undefined) {
        // a key that can create users can also act on their behalf
        if (!granted.has('users:write')) throw new AppError('scope-not-granted', 'The scope users:write is needed');
        const user = await findLoginById(pool, tenantId, onBehalfOf);
        if (user?.active !== true) throw new AppError('scope-not-granted', 'No such user');
        userId = user.id;
        granted = new Set(scopesOf(user, tenantId === ownTenantId).filter((each) => client.scopes.has(each)));
      }
      const wanted = scope === undefined ? [...granted] : currentScopes(scope.split(' ').filter(Boolean));
      const missing = wanted.filter((each) => !granted.has(each));
      if (missing.length > 0) throw new AppError('scope-not-granted', `Not granted: ${missing.join(' ')}`);
      const tenant = await readTenantName(pool, tenantId);
      const grant = { tenantId, tenant, userId, keyId: client.id, scopes: wanted, seconds: KEY_TOKEN_SECONDS };
      await audit.write({
        tenantId,
        actor: client.id,
        action: 'key.exchanged',
        object: userId ?? client.id,
        after: { scopes: wanted, ...(userId === undefined ? {} : { onBehalfOf: userId }) },
        ...caller,
      });
      return { accessToken: await tokens.issue(grant), expiresIn: KEY_TOKEN_SECONDS, scope: wanted.join(' ') };
    },
  };
}
