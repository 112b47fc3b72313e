import type pg from 'pg';
import { AppError } from '../../../platform/errors.ts';
import type { Credentials } from '../../access/index.ts';
import type { Accounts } from '../accounts.ts';
import type { Caller } from '../login/service.ts';
import { readTenantName } from '../store.ts';

export const PAGES_SECONDS = 12 * 3600;
/** All that pages need: whoever gets hold of the cookie gets no further. */
const SCOPES = ['ops', 'ops:write'];

export type Entry = { readonly cookie: string } | { readonly refused: 'wrong' | 'locked' | 'scope' | 'otp' };

/** Lets people in to the pages: users by their password, and whoever has an API key with the scope `ops`. */
export interface LoginPages {
  enter(login: { user: string; password: string; otp: string }, caller: Caller): Promise<Entry>;
  /** The log-in ends, wherever else its cookie may be. */
  leave(cookie: string): Promise<void>;
}

export interface LoginPagesDeps {
  readonly accounts: Accounts;
  readonly credentials: Credentials;
  readonly pool: pg.Pool;
}

/** The cookie is an access token: what it stands on, a session or a key, may end it at any time. */
export function createLoginPages({
  accounts: { logins, sessions, tokens },
  credentials,
  pool,
}: LoginPagesDeps): LoginPages {
  const byKey = async (key: string): Promise<Entry | undefined> => {
    const principal = await credentials.identify(key);
    if (principal?.kind !== 'key' || principal.tenantId === undefined || principal.dependsOn !== undefined)
      return undefined;
    const scopes = SCOPES.filter((scope) => principal.scopes.has(scope));
    if (!scopes.includes('ops')) return { refused: 'scope' };
    const { tenantId, id: keyId } = principal;
    const tenant = await readTenantName(pool, tenantId);
    return { cookie: await tokens.issue({ tenantId, tenant, keyId, scopes, seconds: PAGES_SECONDS }) };
  };
  const byPassword = async (username: string, password: string, otp: string, caller: Caller): Promise<Entry> => {
    const { session } = await logins.login({ username, password, otp }, caller);
    const { user, sessionId, scope } = session;
    const scopes = SCOPES.filter((each) => scope.split(' ').includes(each));
    if (!scopes.includes('ops')) {
      await sessions.end(user.tenantId, { sessionId });
      return { refused: 'scope' };
    }
    const { tenantId, tenant, id: userId } = user;
    return { cookie: await tokens.issue({ tenantId, tenant, userId, sessionId, scopes, seconds: PAGES_SECONDS }) };
  };
  return {
    async enter({ user, password, otp }, caller) {
      try {
        return (await byKey(password)) ?? (await byPassword(user, password, otp, caller));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'invalid-credentials') return { refused: 'wrong' };
        if (error.code === 'otp-required') return { refused: 'otp' };
        if (error.code === 'locked' || error.code === 'rate-limited') return { refused: 'locked' };
        throw error;
      }
    },
    async leave(cookie) {
      const principal = await credentials.identify(cookie);
      if (principal?.tenantId === undefined || principal.sessionId === undefined) return;
      await sessions.end(principal.tenantId, { sessionId: principal.sessionId });
    },
  };
}
