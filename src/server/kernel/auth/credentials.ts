import { hash, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import type { Listener } from '../../database/index.ts';
import { type Credentials, type Principal, SCOPES } from '../access/index.ts';
import type { InternalTokens } from './internal-tokens.ts';
import { verifyKey } from './keys.ts';
import { type AccessTokens, isAccessToken, SETTING } from './tokens/access-tokens.ts';

export interface CredentialsDeps {
  /** the setting API_KEY: tenant `default`, every scope but `internal` */
  readonly apiKey: string | undefined;
  readonly apiKeyTenantId: number;
  readonly tokens: InternalTokens;
  readonly accessTokens: AccessTokens;
  readonly pool: pg.Pool;
  readonly listener: Listener;
  readonly clock: Clock;
}

/** notification channel; the payload is the id of the revoked session, key or user, or `tenant:<id>` */
export const FORGET = 'fleetgate_key';
const CACHE_MS = 30_000;
const MAX_CACHED_TOKENS = 10_000;

export function createCredentials(deps: CredentialsDeps): Credentials {
  const { clock, tokens, accessTokens, pool } = deps;
  const apiKey = deps.apiKey === undefined ? undefined : Buffer.from(digestOf(deps.apiKey));
  const owner: Principal = {
    kind: 'key',
    id: SETTING,
    tenantId: deps.apiKeyTenantId,
    scopes: new Set<string>(SCOPES),
  };
  // keyed by digest, so that the process keeps no credentials in memory
  const cache = new Map<string, Known>();
  const connections = new WeakMap<object, Known & { token: string; revocations: number }>();
  let revocations = 0;
  deps.listener.on(FORGET, (id) => {
    revocations++;
    accessTokens.forget(id);
    for (const [key, { principal }] of cache) {
      const { tenantId, dependsOn: standsOn } = principal;
      if (principal.id === id || `tenant:${tenantId}` === id || standsOn?.includes(id)) cache.delete(key);
    }
  });
  deps.listener.onGap(() => {
    revocations++;
    accessTokens.forgetAll();
    cache.clear();
  });
  async function find(token: string): Promise<Known | undefined> {
    const digest = digestOf(token);
    const now = clock.now();
    const cached = cache.get(digest);
    if (cached !== undefined && cached.until > now) return cached;
    if (apiKey !== undefined && timingSafeEqual(Buffer.from(digest), apiKey)) {
      return { principal: owner, until: now + CACHE_MS };
    }
    const before = revocations;
    const found = token.startsWith('flt_')
      ? await verifyKey(pool, token, now)
      : await (isAccessToken(token) ? accessTokens : tokens).verify(token);
    if (found === undefined) return undefined;
    if (cache.size >= MAX_CACHED_TOKENS) cache.clear();
    const known = { principal: found.principal, until: Math.min(found.until, now + CACHE_MS) };
    if (before === revocations) cache.set(digest, known);
    return known;
  }
  return {
    async identify(token, connection) {
      const before = revocations;
      const known = await find(token);
      if (known !== undefined && connection !== undefined) {
        connections.set(connection, { ...known, token, revocations: before });
      }
      return known?.principal;
    },
    recall(token, connection) {
      const last = connections.get(connection);
      const holds = last?.token === token && last.revocations === revocations && last.until > clock.now();
      return holds ? last.principal : undefined;
    },
  };
}

/** A cached principal and its expiry (epoch ms). */
interface Known {
  readonly principal: Principal;
  readonly until: number;
}

const digestOf = (text: string): string => hash('sha256', text, 'base64');
