import type { Queryable } from '../../../platform/postgres/index.ts';

export interface NewSession {
  readonly id: string;
  readonly tenantId: number;
  readonly device?: unknown;
  /** epoch ms */
  readonly expiresAt: number;
}

export async function insertSession(
  db: Queryable,
  session: NewSession & ({ readonly userId: string } | { readonly keyId: string }),
): Promise<void> {
  const [userId, keyId] = 'userId' in session ? [session.userId, null] : [null, session.keyId];
  await db.query(
    `insert into auth_session (id, tenant_id, user_id, key_id, device, expires_at)
     values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000))`,
    [session.id, session.tenantId, userId, keyId, JSON.stringify(session.device ?? null), session.expiresAt],
  );
}

export async function insertRefreshToken(
  db: Queryable,
  token: { readonly hash: Buffer; readonly tenantId: number; readonly sessionId: string; readonly expiresAt: number },
): Promise<void> {
  await db.query(
    `insert into refresh_token (hash, tenant_id, session_id, expires_at)
     values ($1, $2, $3, to_timestamp($4::float8 / 1000))`,
    [token.hash, token.tenantId, token.sessionId, token.expiresAt],
  );
}

export interface RefreshRow {
  readonly tenantId: number;
  readonly userId: string;
  readonly sessionId: string;
  readonly device: { readonly id?: string } | null;
  readonly expiresAt: number;
  readonly usedAt: number | null;
  readonly revokedAt: number | null;
}

/** Held until the end of the transaction: of two that come at once, one is the second. */
export async function lockRefreshToken(tx: Queryable, hash: Buffer): Promise<RefreshRow | undefined> {
  const { rows } = await tx.query<RefreshRow>(
    `select s.tenant_id as "tenantId", s.user_id as "userId", s.id as "sessionId", s.device,
            least(r.expires_at, s.expires_at) as "expiresAt", r.used_at as "usedAt", s.revoked_at as "revokedAt"
     from refresh_token r join auth_session s on s.id = r.session_id where r.hash = $1 for update`,
    [hash],
  );
  return rows[0];
}

export async function spendRefreshToken(tx: Queryable, hash: Buffer): Promise<void> {
  await tx.query('update refresh_token set used_at = now() where hash = $1', [hash]);
}

/** Sessions that were open. */
export async function revokeSession(db: Queryable, tenantId: number, sessionId: string): Promise<number> {
  const { rowCount } = await db.query(
    'update auth_session set revoked_at = now() where tenant_id = $1 and id = $2 and revoked_at is null',
    [tenantId, sessionId],
  );
  return rowCount ?? 0;
}

export async function revokeSessionsOf(db: Queryable, tenantId: number, userId: string): Promise<number> {
  const { rowCount } = await db.query(
    `update auth_session set revoked_at = now()
     where tenant_id = $1 and user_id = $2 and revoked_at is null and expires_at > now()`,
    [tenantId, userId],
  );
  return rowCount ?? 0;
}
