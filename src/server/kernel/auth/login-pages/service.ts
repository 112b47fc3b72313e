import type pg from 'pg';
import { AppError } from '../../../../platform/errors.ts';
import type { Credentials } from '../../access/index.ts';
import type { Accounts } from '../accounts.ts';
import type { LoginClient } from '../login/client.ts';
import type { Session } from '../sessions/service.ts';
import { readTenantName } from '../store.ts';

export const PAGES_SECONDS = 12 * 3600;
/** The console needs one of these scopes; drivers have neither and use the app. */
const NEEDED = ['ops', 'positions:read'];

export type Entry =
  | { readonly cookie: string; readonly device?: string }
  | { readonly refused: 'wrong' | 'locked' | 'scope' | 'otp' };

interface PageLogin {
  readonly user: string;
  readonly password: string;
  readonly otp: string;
  /** empty if none was given */
  readonly tenant: string;
}

/** Signs users in to the console by password, or by an API key with the scope `ops`. */
export interface LoginPages {
  enter(login: PageLogin, client: LoginClient): Promise<Entry>;
  /** Signs in with an existing session (single sign-on). */
  admit(session: Session): Promise<Entry>;
  /**
   * Revokes the session, for every browser that has its cookie. Returns the logout URL of the identity provider, or
   * undefined.
   */
  leave(cookie: string): Promise<string | undefined>;
}

export interface LoginPagesDeps {
  readonly accounts: Accounts;
  readonly credentials: Credentials;
  readonly pool: pg.Pool;
}

/** The cookie is an access token; it becomes invalid when its session or key is revoked. */
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
  const byPassword = async ({ user, ...login }: PageLogin, client: LoginClient): Promise<Entry> => {
    const { session, device } = await logins.login({ username: user, ...login }, client);
    return { ...(await admit(session)), device };
  };
  return {
    admit,
    async enter(login, client) {
      try {
        return (await byKey(login.password)) ?? (await byPassword(login, client));
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
