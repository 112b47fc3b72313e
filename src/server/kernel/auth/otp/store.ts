import type { Queryable } from '../../../database/index.ts';

export interface OtpRow {
  /** base32, sealed */
  readonly sealedSecret: string;
  readonly confirmed: boolean;
  readonly recoveryCodes: number;
}

export async function readOtp(db: Queryable, userId: string): Promise<OtpRow | undefined> {
  const { rows } = await db.query<OtpRow>({
    name: 'read-otp',
    text: `select secret as "sealedSecret", confirmed_at is not null as confirmed, cardinality(recovery_codes) as "recoveryCodes"
           from user_otp where user_id = $1`,
    values: [userId],
  });
  return rows[0];
}

/** Replaces an unconfirmed secret. False if a confirmed one exists. */
export async function insertOtp(
  db: Queryable,
  user: { readonly id: string; readonly tenantId: number },
  sealedSecret: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into user_otp (user_id, tenant_id, secret) values ($1, $2, $3)
     on conflict (user_id) do update set secret = excluded.secret, created_at = now(), last_period = 0
     where user_otp.confirmed_at is null`,
    [user.id, user.tenantId, sealedSecret],
  );
  return rowCount === 1;
}

/** False if it is already confirmed or was replaced by another secret. */
export async function confirmOtp(
  db: Queryable,
  userId: string,
  with_: { readonly sealedSecret: string; readonly period: number; readonly recoveryCodes: readonly Buffer[] },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update user_otp set confirmed_at = now(), last_period = $3, recovery_codes = $4::bytea[]
     where user_id = $1 and secret = $2 and confirmed_at is null`,
    [userId, with_.sealedSecret, with_.period, with_.recoveryCodes],
  );
  return rowCount === 1;
}

/** False if this period or a later one was used before (replay). */
export async function spendPeriod(db: Queryable, userId: string, period: number): Promise<boolean> {
  const { rowCount } = await db.query(
    'update user_otp set last_period = $2 where user_id = $1 and last_period < $2 and confirmed_at is not null',
    [userId, period],
  );
  return rowCount === 1;
}

/** False if it is not one of the unused codes. */
export async function spendRecoveryCode(db: Queryable, userId: string, hash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query(
    `update user_otp set recovery_codes = array_remove(recovery_codes, $2)
     where user_id = $1 and $2 = any(recovery_codes) and confirmed_at is not null`,
    [userId, hash],
  );
  return rowCount === 1;
}

export async function deleteOtp(db: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from user_otp where user_id = $1', [userId]);
  return rowCount === 1;
}
