import type { Queryable } from '../../../database/index.ts';

export interface NewRecovery {
  readonly tokenHash: Buffer;
  readonly codeHash: Buffer;
  readonly tenantId: number;
  readonly userId: string;
  /** epoch ms */
  readonly expiresAt: number;
}

/** Replaces earlier recoveries of the user. */
export async function insertRecovery(db: Queryable, recovery: NewRecovery): Promise<void> {
  await db.query('delete from recovery where user_id = $1', [recovery.userId]);
  await db.query(
    `insert into recovery (token_hash, code_hash, tenant_id, user_id, expires_at)
     values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000))`,
    [recovery.tokenHash, recovery.codeHash, recovery.tenantId, recovery.userId, recovery.expiresAt],
  );
}

export interface RecoveryRow {
  readonly tokenHash: Buffer;
  readonly codeHash: Buffer;
  readonly tenantId: number;
  readonly userId: string;
  readonly wrongCodes: number;
  readonly expiresAt: number;
}

/** Finds a recovery by token or by user; the row is locked until the end of the transaction. */
export async function lockRecovery(
  tx: Queryable,
  by: { readonly tokenHash: Buffer } | { readonly userId: string },
): Promise<RecoveryRow | undefined> {
  const { rows } = await tx.query<RecoveryRow>(
    `select token_hash as "tokenHash", code_hash as "codeHash", tenant_id as "tenantId", user_id as "userId",
            wrong_codes as "wrongCodes", expires_at as "expiresAt"
     from recovery where (token_hash = $1 or user_id = $2) and used_at is null for update`,
    'tokenHash' in by ? [by.tokenHash, null] : [null, by.userId],
  );
  return rows[0];
}

export async function countWrongCode(tx: Queryable, tokenHash: Buffer): Promise<void> {
  await tx.query('update recovery set wrong_codes = wrong_codes + 1 where token_hash = $1', [tokenHash]);
}

export async function endRecovery(tx: Queryable, tokenHash: Buffer): Promise<void> {
  await tx.query('update recovery set used_at = now() where token_hash = $1', [tokenHash]);
}
