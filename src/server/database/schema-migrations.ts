import type pg from 'pg';
import { migrate, readFunctionFiles, readMigrationFiles } from './migrate.ts';
import { createClient } from './pool.ts';
import { hasSchema, readMigrations } from './store.ts';
import type { SchemaMigrations } from './transfer/index.ts';

/** The migrations, for `upgrade`, `db export` and `db import`. */
export const schemaMigrations: SchemaMigrations & { known(): readonly string[] } = {
  /** those of this version, in order */
  known: () => readMigrationFiles().map(nameOf),
  ledger: 'fleetgate.schema_migration',
  applied: (url) =>
    withOwner(url, async (owner) => ((await hasSchema(owner)) ? (await readMigrations(owner)).map(nameOf) : [])),
  migrate: (url, upTo) =>
    withOwner(url, async (owner) => {
      const files = readMigrationFiles();
      const last = upTo === undefined ? files.length - 1 : files.findIndex((file) => nameOf(file) === upTo);
      const isNewest = last === files.length - 1;
      await migrate(owner, files.slice(0, last + 1), isNewest ? readFunctionFiles() : undefined);
    }),
};

const nameOf = ({ version, name }: { readonly version: number; readonly name: string }): string =>
  `${String(version).padStart(4, '0')}-${name}`;

async function withOwner<T>(url: string, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = createClient({ database: { url }, name: 'migrations' });
  await owner.connect();
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}
