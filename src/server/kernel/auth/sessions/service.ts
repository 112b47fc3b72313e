import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '../../../../platform/clock.ts';
import { AppError } from '../../../../platform/errors.ts';
import { transaction } from '../../../database/index.ts';
import { scopesOf } from '../../access/index.ts';
import { findLoginById, type LoginRow } from '../login/store.ts';
import { type AccessTokens, USER_TOKEN_SECONDS } from '../tokens/access-tokens.ts';
import * as store from './store.ts';

const REFRESH_SECONDS = 30 * 86_400;
/** Absolute lifetime of a session; refreshing does not extend it. */
const SESSION_SECONDS = 180 * 86_400;

export interface Session {
  readonly user: LoginRow;
  readonly sessionId: string;
  readonly deviceId: string | null;
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly refreshToken: string;
  readonly refreshExpiresIn: number;
  readonly scope: string;
}

/** The client that began a session. */
export interface SessionClient {
  readonly address: string;
  readonly userAgent?: string | undefined;
}

export interface Sessions {
  begin(user: LoginRow, device?: { readonly id: string }, client?: SessionClient): Promise<Session>;
  /** Shortens the remaining lifetime to at most `seconds`. */
  limit(sessionId: string, seconds: number): Promise<void>;
  /** Open sessions of a user, the newest first. */
  list(tenantId: number, userId: string): Promise<readonly store.SessionRow[]>;
  /** A new access token of a session. The caller has verified a credential for it other than the refresh token. */
  renew(session: {
    readonly tenantId: number;
    readonly userId: string;
    readonly sessionId: string;
  }): Promise<{ readonly accessToken: string; readonly expiresIn: number } | undefined>;
  /** Begins a console session for an API key, without a refresh token. Returns its id. */
  beginForKey(key: { readonly tenantId: number; readonly keyId: string }, seconds: number): Promise<string>;
  /**
   * Exchanges a refresh token for a new pair of tokens. A refresh token is valid once; its reuse indicates theft and
   * revokes the session. Throws AppError `invalid-credentials`.
   */
  refresh(token: string): Promise<Session>;
  /** Revokes sessions; returns how many were open. */
  end(
    tenantId: number,
    which: { sessionId: string; userId?: string } | { sessionId?: undefined; userId: string },
  ): Promise<number>;
  /** Revokes the session of a refresh token, of any user if `userId` is undefined. */
  endByToken(tenantId: number, token: string, userId: string | undefined): Promise<number>;
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

export function createSessions(deps: {
  readonly pool: pg.Pool;
  readonly tokens: AccessTokens;
  readonly clock: Clock;
  readonly ownTenantId: number;
  /** drops the cached tokens of this session or user */
  readonly forget: (id: string) => void;
}): Sessions {
  const { pool, tokens, clock, ownTenantId, forget } = deps;
  const makeToken = () => {
    const token = `rft_${randomBytes(32).toString('base64url')}`;
    return { token, hash: hashOf(token), expiresAt: clock.now() + REFRESH_SECONDS * 1000 };
  };
  const accessTokenOf = (user: LoginRow, sessionId: string): Promise<string> => {
    const { tenantId, tenant, id: userId } = user;
    const scopes = scopesOf(user, tenantId === ownTenantId);
    return tokens.issue({ tenantId, tenant, userId, sessionId, scopes, seconds: USER_TOKEN_SECONDS });
  };
  const present = async (
    user: LoginRow,
    sessionId: string,
    refreshToken: string,
    deviceId: string | null,
  ): Promise<Session> => {
    const scopes = scopesOf(user, user.tenantId === ownTenantId);
    return {
      user,
      sessionId,
      deviceId,
      accessToken: await accessTokenOf(user, sessionId),
      expiresIn: USER_TOKEN_SECONDS,
      refreshToken,
      refreshExpiresIn: REFRESH_SECONDS,
      scope: scopes.join(' '),
    };
  };
  const newId = (): string => `ses_${randomBytes(12).toString('hex')}`;
  const begin: Sessions['begin'] = async (user, device, client) => {
    const id = newId();
    const { token, hash, expiresAt } = makeToken();
    const { tenantId } = user;
    await transaction(pool, async (tx) => {
      const until = clock.now() + SESSION_SECONDS * 1000;
      await store.insertSession(tx, { id, tenantId, userId: user.id, device, client, expiresAt: until });
      await store.insertRefreshToken(tx, { hash, tenantId, sessionId: id, expiresAt });
    });
    return present(user, id, token, device?.id ?? null);
  };
  return {
    async beginForKey(key, seconds) {
      const id = newId();
      await store.insertSession(pool, { id, ...key, expiresAt: clock.now() + seconds * 1000 });
      return id;
    },
    begin,
    limit: (sessionId, seconds) => store.limitSession(pool, sessionId, clock.now() + seconds * 1000),
    list: (tenantId, userId) => store.listSessions(pool, tenantId, userId),
    async renew({ tenantId, userId, sessionId }) {
      const user = await findLoginById(pool, tenantId, userId);
      if (user?.active !== true) return undefined;
      return { accessToken: await accessTokenOf(user, sessionId), expiresIn: USER_TOKEN_SECONDS };
    },
    async refresh(given) {
      const { token, hash, expiresAt } = makeToken();
      const renewed = await transaction(pool, async (tx) => {
        const row = await store.lockRefreshToken(tx, hashOf(given));
        if (row === undefined || row.revokedAt !== null || row.expiresAt <= clock.now()) return undefined;
        if (row.usedAt !== null) {
          await store.revokeSession(tx, row.tenantId, row.sessionId);
          return { stolen: row.sessionId };
        }
        const user = await findLoginById(tx, row.tenantId, row.userId);
        if (user?.active !== true) return undefined;
        await store.spendRefreshToken(tx, hashOf(given));
        await store.touchSession(tx, row.sessionId);
        await store.insertRefreshToken(tx, { hash, tenantId: row.tenantId, sessionId: row.sessionId, expiresAt });
        return { user, row };
      });
      if (renewed !== undefined && 'stolen' in renewed) forget(renewed.stolen);
      if (renewed === undefined || 'stolen' in renewed) {
        throw new AppError('invalid-credentials', 'Invalid or expired refresh token');
      }
      return present(renewed.user, renewed.row.sessionId, token, renewed.row.device?.id ?? null);
    },
    async end(tenantId, which) {
      const ended =
        which.sessionId === undefined
          ? await store.revokeSessionsOf(pool, tenantId, which.userId)
          : await store.revokeSession(pool, tenantId, which.sessionId, which.userId);
      if (which.sessionId === undefined || ended > 0) forget(which.sessionId ?? which.userId);
      return ended;
    },
    async endByToken(tenantId, token, userId) {
      const { ended, sessionId } = await transaction(pool, async (tx) => {
        const row = await store.lockRefreshToken(tx, hashOf(token));
        const isTheirs = row?.tenantId === tenantId && (userId === undefined || row.userId === userId);
        if (row === undefined || !isTheirs) return { ended: 0, sessionId: undefined };
        return { ended: await store.revokeSession(tx, tenantId, row.sessionId), sessionId: row.sessionId };
      });
      if (sessionId !== undefined) forget(sessionId);
      return ended;
    },
  };
}
