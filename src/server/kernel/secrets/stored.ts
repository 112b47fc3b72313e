import type { Queryable } from '../../database/index.ts';
import { isSealed, keyIdOf, type Secrets, SecretsError } from './keyring.ts';
import { discardValue, readValuesWithout, replaceValue, SEALED_COLUMNS, type SealedColumn } from './store.ts';

/** The `owner` of a sealed value. */
const ownerOf = ({ table, column }: SealedColumn, id: string | number): string => `${table}.${column}:${id}`;

type Column = keyof typeof SEALED_COLUMNS;

/** Seals the value of a column for the row with this id. */
export const sealValue = (secrets: Secrets, column: Column, id: string | number, plain: string): string =>
  secrets.seal(plain, ownerOf(SEALED_COLUMNS[column], id));

/** Throws SecretsError. */
export const openValue = (secrets: Secrets, column: Column, id: string | number, sealed: string): string =>
  secrets.open(sealed, ownerOf(SEALED_COLUMNS[column], id));

export interface SealOptions {
  /** values of an older key that is known stay as they are: other processes may know that one only */
  readonly onlyClear?: boolean;
  /** after each table: values that have been encrypted, of how many that had to be */
  progress?(table: string, done: number, of: number): void;
}

/**
 * Encrypts values that are plain text or encrypted with an older key. Safe to run in several processes concurrently, and
 * to be repeated after an interruption. Returns the number of values; throws SecretsError after processing all others if
 * one has an unknown key.
 */
export async function sealStored(db: Queryable, secrets: Secrets, options: SealOptions = {}): Promise<number> {
  let count = 0;
  const unknown = new Set<string>();
  for (const column of Object.values<SealedColumn>(SEALED_COLUMNS)) {
    const values = await readValuesWithout(db, column, secrets.currentPrefix);
    let done = 0;
    for (const stored of values) {
      const owner = ownerOf(column, stored.id);
      const plain = isSealed(stored.value) ? tryOpen(secrets, stored.value, owner) : stored.value;
      if (plain === undefined) unknown.add(keyIdOf(stored.value));
      else if (options.onlyClear && isSealed(stored.value)) continue;
      else if (await replaceValue(db, column, stored, secrets.seal(plain, owner))) done++;
    }
    count += done;
    options.progress?.(column.table, done, values.length);
  }
  if (unknown.size > 0) {
    throw new SecretsError(
      `The database has secrets that are encrypted with another key (${[...unknown].join(', ')}). Set SECRETS_KEY, SECRETS_KEY_NEXT or ` +
        'SECRETS_KEY_PREVIOUS, or restore DATA_DIR/keys/secrets-key; if the key is lost, run `fleetgate secrets discard`',
    );
  }
  return count;
}

/** Removes the values that cannot be decrypted. Returns their number. */
export async function discardUnreadable(db: Queryable, secrets: Secrets): Promise<number> {
  let count = 0;
  for (const column of Object.values<SealedColumn>(SEALED_COLUMNS)) {
    for (const stored of await readValuesWithout(db, column, secrets.currentPrefix)) {
      if (!isSealed(stored.value) || tryOpen(secrets, stored.value, ownerOf(column, stored.id)) !== undefined) continue;
      await discardValue(db, column, stored);
      count++;
    }
  }
  return count;
}

function tryOpen(secrets: Secrets, sealed: string, owner: string): string | undefined {
  try {
    return secrets.open(sealed, owner);
  } catch (error) {
    if (error instanceof SecretsError) return undefined;
    throw error;
  }
}
