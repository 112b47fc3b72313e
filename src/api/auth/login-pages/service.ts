import type pg from 'pg';
import { AppError } from '../../../platform/errors.ts';
import type { Credentials } from '../../access/index.ts';
import type { Accounts } from '../accounts.ts';
import type { LoginClient } from '../login/client.ts';
import type { Session } from '../sessions/service.ts';
import { readTenantName } from '../store.ts';

export const PAGES_SECONDS = 12 * 3600;
/** One of them is needed: whoever has neither, such as a driver, has the app and not the console. */
const NEEDED = ['ops', 'positions:read'];

export type Entry =
  | { readonly cookie: string; readonly device?: string }
  | { readonly refused: 'wrong' | 'locked' | 'scope' | 'otp' };

/** Lets people in to the pages: users by their password, and whoever has an API key with the scope `ops`. */
export interface LoginPages {
  enter(login: { user: string; password: string; otp: string }, client: LoginClient): Promise<Entry>;
  /** By a session that has begun elsewhere. */
  admit(session: Session): Promise<Entry>;
  /** The log-in ends, wherever else its cookie may be. Where the browser ends that of a provider, if there is one. */
  leave(cookie: string): Promise<string | undefined>;
}

export interface LoginPagesDeps {
  readonly accounts: Accounts;
  readonly credentials: Credentials;
  readonly pool: pg.Pool;
}

/** The cookie is an access token: what it stands on, a session or a key, may end it at any time. */
export function createLoginPages({
  accounts: { logins, sessions, tokens, singleSignOn },
  credentials,
  pool,
}: LoginPagesDeps): LoginPages {
  const byKey = async (key: string): Promise<Entry | undefined> => {
    const principal = await credentials.identify(key);
    if (principal?.kind !== 'key' || principal.tenantId === undefined || principal.dependsOn !== undefined)
      return undefined;
    const scopes = [...principal.scopes];
    if (!scopes.includes('ops')) return { refused: 'scope' };
    const { tenantId, id: keyId } = principal;
    const tenant = await readTenantName(pool, tenantId);
    const sessionId = await sessions.beginForKey({ tenantId, keyId }, PAGES_SECONDS);
    return { cookie: await tokens.issue({ tenantId, tenant, keyId, sessionId, scopes, seconds: PAGES_SECONDS }) };
  };
  const admit = async ({ user, sessionId, scope }: Session): Promise<Entry> => {
    const scopes = scope.split(' ');
    if (!scopes.some((each) => NEEDED.includes(each))) {
      await sessions.end(user.tenantId, { sessionId });
      return { refused: 'scope' };
    }
    const { tenantId, tenant, id: userId } = user;
    await sessions.limit(sessionId, PAGES_SECONDS);
    return { cookie: await tokens.issue({ tenantId, tenant, userId, sessionId, scopes, seconds: PAGES_SECONDS }) };
  };
  const byPassword = async (username: string, password: string, otp: string, client: LoginClient): Promise<Entry> => {
    const { session, device } = await logins.login({ username, password, otp }, client);
    return { ...(await admit(session)), device };
  };
  return {
    admit,
    async enter({ user, password, otp }, client) {
      try {
        return (await byKey(password)) ?? (await byPassword(user, password, otp, client));
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
      if (principal?.tenantId === undefined || principal.sessionId === undefined) return undefined;
      const { tenantId, sessionId } = principal;
      await sessions.end(tenantId, { sessionId });
      return singleSignOn?.logoutUrl(sessionId);
    },
  };
}
