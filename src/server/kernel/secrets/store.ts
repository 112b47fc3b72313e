import type { Queryable } from '../../database/index.ts';

/** A column with sealed values: type `text`, or `json` with strings. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** primary key */
  readonly id: string;
  readonly isJson?: true;
  /** what is deleted if no key can open the value */
  readonly discard: 'row' | 'value';
}

/** All columns with secrets. Values are encrypted at startup and re-encrypted after a key rotation. */
export const SEALED_COLUMNS = {
  oneTimePassword: { table: 'user_otp', column: 'secret', id: 'user_id', discard: 'row' },
  signingKey: { table: 'signing_key', column: 'private_jwk', id: 'kid', isJson: true, discard: 'row' },
  auditKey: { table: 'audit_key', column: 'secret', id: 'key_id', discard: 'row' },
  streamTarget: { table: 'stream', column: 'target', id: 'id', discard: 'row' },
  webhookSecret: { table: 'tenant_setting', column: 'webhook_secret', id: 'tenant_id', discard: 'value' },
} as const satisfies Record<string, SealedColumn>;

export interface StoredValue {
  readonly id: string;
  readonly value: string;
}

const textOf = ({ column, isJson }: SealedColumn): string =>
  isJson ? `case json_typeof(${column}) when 'string' then ${column} #>> '{}' else ${column}::text end` : column;

/** Values that do not begin with the prefix, in any order. */
export async function readValuesWithout(db: Queryable, at: SealedColumn, prefix: string): Promise<StoredValue[]> {
  const { rows } = await db.query<StoredValue>(
    `select ${at.id}::text as id, ${textOf(at)} as value from ${at.table}
     where ${at.column} is not null and not starts_with(${textOf(at)}, $1)`,
    [prefix],
  );
  return rows;
}

/** False if the value has changed meanwhile. */
export async function replaceValue(
  db: Queryable,
  at: SealedColumn,
  before: StoredValue,
  value: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update ${at.table} set ${at.column} = ${at.isJson ? 'to_json($3::text)' : '$3'}
     where ${at.id}::text = $1 and ${textOf(at)} = $2`,
    [before.id, before.value, value],
  );
  return rowCount === 1;
}

export async function discardValue(db: Queryable, at: SealedColumn, { id, value }: StoredValue): Promise<void> {
  const change = at.discard === 'row' ? `delete from ${at.table}` : `update ${at.table} set ${at.column} = null`;
  await db.query(`${change} where ${at.id}::text = $1 and ${textOf(at)} = $2`, [id, value]);
}
