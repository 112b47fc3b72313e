import type { Queryable } from '../../database/index.ts';
import { currentScopes } from '../access/index.ts';

export interface StoredKey {
  readonly id: string;
  readonly tenantId: number;
  readonly name: string;
  readonly secretHash: Buffer;
  readonly scopes: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

const COLUMNS = `id, tenant_id as "tenantId", name, secret_hash as "secretHash", scopes, created_at as "createdAt",
  expires_at as "expiresAt", revoked_at as "revokedAt"`;

export async function findKey(
  db: Queryable,
  id: string,
): Promise<(StoredKey & { readonly isTenantActive: boolean }) | undefined> {
  const { rows } = await db.query<StoredKey & { isTenantActive: boolean }>({
    name: 'find-key',
    text: `select ${COLUMNS}, is_tenant_active(k.tenant_id) as "isTenantActive"
           from api_key k where id = $1`,
    values: [id],
  });
  const [row] = rows;
  return row && { ...row, scopes: currentScopes(row.scopes) };
}

export async function insertKey(db: Queryable, key: Omit<StoredKey, 'createdAt' | 'revokedAt'>): Promise<void> {
  await db.query(
    `insert into api_key (id, tenant_id, name, secret_hash, scopes, expires_at)
     values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000)) on conflict do nothing`,
    [key.id, key.tenantId, key.name, key.secretHash, key.scopes, key.expiresAt],
  );
}

export async function listKeys(db: Queryable, tenantId: number): Promise<StoredKey[]> {
  const { rows } = await db.query<StoredKey>(
    `select ${COLUMNS} from api_key where tenant_id = $1 order by created_at, id`,
    [tenantId],
  );
  return rows.map((row) => ({ ...row, scopes: currentScopes(row.scopes) }));
}

export async function revokeKey(db: Queryable, tenantId: number, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'update api_key set revoked_at = coalesce(revoked_at, now()) where tenant_id = $1 and id = $2',
    [tenantId, id],
  );
  return rowCount === 1;
}

export async function readTenantName(db: Queryable, tenantId: number): Promise<string> {
  const { rows } = await db.query<{ name: string }>('select name from tenant where tenant_id = $1', [tenantId]);
  return rows[0]!.name;
}
