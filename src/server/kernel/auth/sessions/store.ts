import { type Queryable, storableText } from '../../../database/index.ts';

export interface NewSession {
  readonly id: string;
  readonly tenantId: number;
  readonly device?: unknown;
  readonly client?: { readonly address: string; readonly userAgent?: string | undefined } | undefined;
  /** epoch ms */
  readonly expiresAt: number;
}

export async function insertSession(
  db: Queryable,
  session: NewSession & ({ readonly userId: string } | { readonly keyId: string }),
): Promise<void> {
  const [userId, keyId] = 'userId' in session ? [session.userId, null] : [null, session.keyId];
  await db.query(
    `insert into auth_session (id, tenant_id, user_id, key_id, device, expires_at, address, user_agent)
     values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000), $7, $8)`,
    [
      session.id,
      session.tenantId,
      userId,
      keyId,
      JSON.stringify(session.device ?? null),
      session.expiresAt,
      session.client?.address ?? null,
      session.client?.userAgent === undefined ? null : storableText(session.client.userAgent),
    ],
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

/** Locks the row until the end of the transaction, so that concurrent uses of one token are serialized. */
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

/** Returns the number of sessions that were open: 0 or 1. */
export async function revokeSession(
  db: Queryable,
  tenantId: number,
  sessionId: string,
  userId?: string,
): Promise<number> {
  const { rowCount } = await db.query(
    `update auth_session set revoked_at = now()
     where tenant_id = $1 and id = $2 and revoked_at is null and ($3::text is null or user_id = $3)`,
    [tenantId, sessionId, userId ?? null],
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

export async function limitSession(db: Queryable, sessionId: string, until: number): Promise<void> {
  await db.query(
    'update auth_session set expires_at = least(expires_at, to_timestamp($2::float8 / 1000)) where id = $1',
    [sessionId, until],
  );
}

export async function touchSession(db: Queryable, sessionId: string): Promise<void> {
  await db.query('update auth_session set used_at = now() where id = $1', [sessionId]);
}

/** Times are epoch ms. */
export interface SessionRow {
  readonly id: string;
  readonly createdAt: number;
  readonly usedAt: number;
  readonly expiresAt: number;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly device: { readonly id?: string; readonly platform?: string; readonly model?: string } | null;
}

const MAX_LISTED_SESSIONS = 500;

export async function listSessions(db: Queryable, tenantId: number, userId: string): Promise<SessionRow[]> {
  const { rows } = await db.query<SessionRow>(
    `select s.id, s.created_at as "createdAt", coalesce(s.used_at, s.created_at) as "usedAt", s.address,
            s.user_agent as "userAgent", s.device, least(s.expires_at, r.until) as "expiresAt"
     from auth_session s
     join lateral (select max(expires_at) as until from refresh_token where session_id = s.id and used_at is null) r
       on r.until > now()
     where s.tenant_id = $1 and s.user_id = $2 and s.revoked_at is null and s.expires_at > now()
     order by s.created_at desc, s.id limit $3`,
    [tenantId, userId, MAX_LISTED_SESSIONS],
  );
  return rows;
}
