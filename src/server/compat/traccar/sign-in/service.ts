import { createHash, createHmac, randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '../../../../platform/clock.ts';
import { AppError } from '../../../../platform/errors.ts';
import type { Credentials, Principal } from '../../../kernel/access/index.ts';
import type { Accounts } from '../../../kernel/auth/index.ts';
import * as store from './store.ts';

/** The caller, and the bearer credential for operations on behalf of the caller. */
export interface Caller {
  readonly token: string;
  readonly principal: Principal;
  readonly tenantId: number;
  readonly address: string;
}

export interface LoginAttempt {
  /** user name or e-mail address; `tenant/name` where the user belongs to another tenant than the default one */
  readonly email: string;
  readonly password: string;
  readonly otp?: string | undefined;
}

interface Remote {
  readonly address: string;
  readonly requestId: string;
}

export interface SignIn {
  /** Throws what a log-in throws. */
  login(attempt: LoginAttempt, remote: Remote): Promise<{ secret: string; caller: Caller }>;
  /** The session of HTTP Basic is kept for a while, so that not every request compares a password. */
  basic(attempt: LoginAttempt, remote: Remote): Promise<Caller>;
  /** By cookie, token of `session/token`, API key or access token; undefined if it is not valid. */
  find(secret: string, address: string): Promise<Caller | undefined>;
  /** A token for the session of the caller, a user who has logged in: it ends with that session. */
  makeToken(caller: Caller, expiresAt: number): Promise<string>;
  /** Revokes a cookie or token; the cookie of a log-in ends its session. */
  end(secret: string): Promise<void>;
}

export interface SignInDeps {
  readonly accounts: Pick<Accounts, 'logins' | 'sessions'>;
  readonly credentials: Credentials;
  readonly pool: pg.Pool;
  readonly clock: Clock;
}

const PREFIX = 'trc_';
export const COOKIE_SECONDS = 30 * 86_400;
/** sessions end after so long in any case */
export const MAX_TOKEN_SECONDS = 180 * 86_400;
const BASIC_MS = 600_000;
const MAX_CACHED_TOKENS = 10_000;
/** access tokens are replaced so long before they expire */
const EARLY_MS = 60_000;

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export function createSignIn({ accounts, credentials, pool, clock }: SignInDeps): SignIn {
  const { logins, sessions } = accounts;
  const accessTokens = new Map<string, { token: string; until: number }>();
  const basics = new Map<string, { session: store.SessionRow; until: number }>();
  const basicKey = randomBytes(32);

  const keep = <V>(map: Map<string, V>, key: string, value: V): void => {
    map.delete(key);
    if (map.size >= MAX_CACHED_TOKENS) map.delete(map.keys().next().value!);
    map.set(key, value);
  };

  async function callerOf(token: string, address: string): Promise<Caller | undefined> {
    const principal = await credentials.identify(token);
    if (principal?.tenantId === undefined) return undefined;
    return { token, principal, tenantId: principal.tenantId, address };
  }

  async function callerOfSession(session: store.SessionRow, address: string): Promise<Caller | undefined> {
    const now = clock.now();
    const kept = accessTokens.get(session.sessionId);
    if (kept !== undefined && kept.until > now) return callerOf(kept.token, address);
    const renewed = await sessions.renew(session);
    if (renewed === undefined) return undefined;
    keep(accessTokens, session.sessionId, {
      token: renewed.accessToken,
      until: now + renewed.expiresIn * 1000 - EARLY_MS,
    });
    return callerOf(renewed.accessToken, address);
  }

  async function begin(attempt: LoginAttempt, remote: Remote): Promise<{ session: store.SessionRow; caller: Caller }> {
    const [, tenant, name] = /^([a-z0-9-]{1,63})\/(.+)$/s.exec(attempt.email) ?? [];
    const username = name ?? attempt.email;
    const { session } = await logins.login({ username, password: attempt.password, otp: attempt.otp, tenant }, remote);
    const row = {
      tenantId: session.user.tenantId,
      userId: session.user.id,
      sessionId: session.sessionId,
      ownsSession: true,
    };
    const caller = await callerOfSession(row, remote.address);
    if (caller === undefined) throw new AppError('unauthorized');
    return { session: row, caller };
  }

  async function write(session: store.SessionRow, expiresAt: number): Promise<string> {
    const secret = PREFIX + randomBytes(32).toString('base64url');
    await store.insertSession(pool, { ...session, hash: hashOf(secret), expiresAt });
    return secret;
  }

  return {
    async login(attempt, remote) {
      const { session, caller } = await begin(attempt, remote);
      return { secret: await write(session, clock.now() + COOKIE_SECONDS * 1000), caller };
    },
    async basic(attempt, remote) {
      const key = createHmac('sha256', basicKey)
        .update(JSON.stringify([attempt.email, attempt.password, remote.address]))
        .digest('base64');
      const kept = basics.get(key);
      if (kept !== undefined && kept.until > clock.now()) {
        const caller = await callerOfSession(kept.session, remote.address);
        if (caller !== undefined) return caller;
      }
      basics.delete(key);
      const { session, caller } = await begin(attempt, remote);
      keep(basics, key, { session, until: clock.now() + BASIC_MS });
      return caller;
    },
    async find(secret, address) {
      if (!secret.startsWith(PREFIX)) return callerOf(secret, address);
      const session = await store.findSession(pool, hashOf(secret));
      if (session === undefined || session.expiresAt <= clock.now()) return undefined;
      return callerOfSession(session, address);
    },
    async makeToken({ principal, tenantId }, expiresAt) {
      const { kind, viaKey, sessionId } = principal;
      if (kind !== 'user' || viaKey !== undefined || sessionId === undefined) {
        throw new AppError('missing-scope', 'Tokens are made for users who have logged in');
      }
      const latest = clock.now() + MAX_TOKEN_SECONDS * 1000;
      return write({ tenantId, userId: principal.id, sessionId, ownsSession: false }, Math.min(expiresAt, latest));
    },
    async end(secret) {
      const session = await store.findSession(pool, hashOf(secret));
      if (session === undefined) return;
      await store.deleteSession(pool, hashOf(secret));
      if (!session.ownsSession) return;
      accessTokens.delete(session.sessionId);
      await sessions.end(session.tenantId, { sessionId: session.sessionId });
    },
  };
}
