import type { Queryable } from '../../../database/index.ts';

export interface SessionRow {
  readonly tenantId: number;
  readonly userId: string;
  readonly sessionId: string;
  /** the log-in that made it began the session; tokens belong to the session of another log-in */
  readonly ownsSession: boolean;
}

/** Also removes expired sessions of the user. */
export async function insertSession(
  db: Queryable,
  session: SessionRow & { readonly hash: Buffer; readonly expiresAt: number },
): Promise<void> {
  const { hash, tenantId, userId, sessionId, ownsSession, expiresAt } = session;
  await db.query('delete from traccar_session where user_id = $1 and expires_at < now()', [userId]);
  await db.query(
    `insert into traccar_session (hash, tenant_id, user_id, session_id, expires_at, owns_session)
     values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000), $6)`,
    [hash, tenantId, userId, sessionId, expiresAt, ownsSession],
  );
}

export async function findSession(
  db: Queryable,
  hash: Buffer,
): Promise<(SessionRow & { expiresAt: number }) | undefined> {
  const { rows } = await db.query<SessionRow & { expiresAt: number }>({
    name: 'find-traccar-session',
    text: `
      select tenant_id as "tenantId", user_id as "userId", session_id as "sessionId",
             owns_session as "ownsSession", extract(epoch from expires_at)::float8 * 1000 as "expiresAt"
      from traccar_session where hash = $1`,
    values: [hash],
  });
  return rows[0];
}

export async function deleteSession(db: Queryable, hash: Buffer): Promise<void> {
  await db.query('delete from traccar_session where hash = $1', [hash]);
}
