import type { JWK } from 'jose';
import type { Queryable } from '../../../database/index.ts';
import { currentScopes } from '../../access/index.ts';

export interface StoredSigningKey {
  readonly kid: string;
  /** sealed JSON */
  readonly sealedJwk: string;
  readonly publicJwk: JWK;
  /** epoch ms */
  readonly createdAt: number;
}

/** Newest first. */
export async function listSigningKeys(db: Queryable): Promise<StoredSigningKey[]> {
  const { rows } = await db.query<StoredSigningKey>(
    `select kid, private_jwk #>> '{}' as "sealedJwk", public_jwk as "publicJwk", created_at as "createdAt"
     from signing_key order by created_at desc, kid`,
  );
  return rows;
}

export async function insertSigningKey(db: Queryable, key: Omit<StoredSigningKey, 'createdAt'>): Promise<void> {
  await db.query('insert into signing_key (kid, private_jwk, public_jwk) values ($1, $2, $3)', [
    key.kid,
    JSON.stringify(key.sealedJwk),
    JSON.stringify(key.publicJwk),
  ]);
}

export async function deleteSigningKeys(db: Queryable, createdBeforeMs: number): Promise<void> {
  await db.query('delete from signing_key where created_at < to_timestamp($1::float8 / 1000)', [createdBeforeMs]);
}

export interface CredentialStatus {
  /** null if the token has no user */
  readonly role: string | null;
  readonly allVehicles: boolean | null;
  readonly isUserActive: boolean | null;
  readonly isSessionActive: boolean | null;
  readonly keyScopes: readonly string[] | null;
  readonly isKeyActive: boolean | null;
  readonly isTenantActive: boolean;
  /** epoch ms: when the session or the key ends, whichever is first; null if neither does */
  readonly endsAt: number | null;
}

/** Current status of the tenant, user, session and key of a token. */
export async function readCredentialStatus(
  db: Queryable,
  on: {
    readonly tenantId: number;
    readonly userId: string | null;
    readonly sessionId: string | null;
    readonly keyId: string | null;
  },
): Promise<CredentialStatus> {
  const { rows } = await db.query<CredentialStatus>({
    name: 'read-credential-status',
    text: `
      select u.role, u.all_vehicles as "allVehicles", u.active as "isUserActive", s.revoked_at is null and s.expires_at > now() as "isSessionActive",
             k.scopes as "keyScopes", k.revoked_at is null and coalesce(k.expires_at > now(), true) as "isKeyActive",
             least(s.expires_at, k.expires_at) as "endsAt",
             is_tenant_active(t.tenant_id) as "isTenantActive"
      from (select $1::int as tenant_id) t
      left join app_user u on u.id = $2 and u.tenant_id = t.tenant_id
      left join auth_session s on s.id = $3 and s.tenant_id = t.tenant_id and (s.user_id = $2 or s.key_id = $4)
      left join api_key k on k.id = $4 and k.tenant_id = t.tenant_id`,
    values: [on.tenantId, on.userId, on.sessionId, on.keyId],
  });
  const row = rows[0]!;
  const keyScopes = row.keyScopes === null ? null : currentScopes(row.keyScopes);
  return {
    ...row,
    keyScopes,
    isSessionActive: row.isSessionActive ?? null,
    isKeyActive: row.keyScopes === null ? null : row.isKeyActive,
  };
}
