import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import * as store from './store.ts';

/** A condition that the operator must correct before the database can be used. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

export interface Login {
  readonly user: string;
  readonly password: string;
}

export interface Migrated {
  readonly app: Login;
  readonly ingest: Login;
  readonly restricted: Login;
  /** versions that were applied now */
  readonly applied: readonly number[];
}

/** The functions and composite types of the schema, as files that are run as a whole whenever one has changed. */
export interface Functions {
  readonly sql: string;
  readonly checksum: string;
}

const MIGRATIONS = join(import.meta.dirname, 'migrations');
/** Each area keeps its functions in `sql/`. */
const AREAS = join(import.meta.dirname, '..');
const MIN_SERVER_VERSION = 150_000;

/** The `.sql` files beside this one, in order: `0001-name.sql`. */
export function readMigrationFiles(folder = MIGRATIONS): readonly Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}-[a-z0-9-]+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const sql = readFileSync(join(folder, file), 'utf8');
      const checksum = digest(sql);
      return { version: Number(file.slice(0, 4)), name: file.slice(5, -4), sql, checksum };
    });
}

/** The `.sql` files of the functions in `sql/` of every area, in the order of their numbers: `10-types.sql`. */
export function readFunctionFiles(areas = AREAS): Functions {
  const folders = readdirSync(areas).map((area) => join(areas, area, 'sql'));
  const files = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => ({ folder, name })))
    .filter(({ name }) => /^\d{2}-[a-z0-9-]+\.sql$/.test(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const sql = files.map(({ folder, name }) => readFileSync(join(folder, name), 'utf8')).join('\n');
  return { sql, checksum: digest(sql) };
}

const digest = (sql: string): string => createHash('sha256').update(sql).digest('hex');

/**
 * Brings the database to the newest version and makes the login roles, all in one transaction under an advisory
 * lock, so that any number of processes may start at once. `functions` are those that belong to the newest of the migrations;
 * absent where an older version of the tables is wanted. The logins' passwords are made once and kept in a table that
 * only the owner reads: every API process finds them there. Throws MigrationError with what to do.
 */
export async function migrate(
  owner: pg.Client,
  migrations: readonly Migration[],
  functions: Functions | undefined,
): Promise<Migrated> {
  await owner.query('begin');
  try {
    await store.lockMigrations(owner);
    const facts = await store.readOwnerFacts(owner);
    await makeGroups(owner, facts);
    await store.makeSchema(owner);
    await store.useSchema(owner);
    const applied = await applyPending(owner, migrations, facts);
    if (functions !== undefined) await replaceFunctions(owner, functions);
    const app = await makeLogin(owner, facts, 'fleetgate_app');
    const ingest = await makeLogin(owner, facts, 'fleetgate_ingest');
    const restricted = await makeLogin(owner, facts, 'fleetgate_restricted');
    await owner.query('commit');
    return { app, ingest, restricted, applied };
  } catch (error) {
    await owner.query('rollback').catch(() => {});
    throw explain(error);
  }
}

async function makeGroups(owner: pg.Client, facts: store.OwnerFacts): Promise<void> {
  if (facts.version < MIN_SERVER_VERSION) {
    throw new MigrationError(`PostgreSQL 15 or later is needed, this is ${Math.floor(facts.version / 10_000)}`);
  }
  for (const group of store.GROUPS) {
    if (await store.readRole(owner, group)) continue;
    if (!facts.mayMakeRoles) throw new MigrationError(mayNot(facts));
    await store.makeRole(owner, group);
  }
  await store.joinGroups(owner);
}

const mayNot = (facts: store.OwnerFacts): string =>
  `The user "${facts.user}" of DATABASE_URL may not make roles. As a superuser: ALTER ROLE "${facts.user}" CREATEROLE;`;

async function applyPending(
  owner: pg.Client,
  migrations: readonly Migration[],
  facts: store.OwnerFacts,
): Promise<number[]> {
  const done = new Map((await store.readMigrations(owner)).map((m) => [m.version, m.checksum]));
  const newest = Math.max(0, ...migrations.map((m) => m.version));
  const ahead = [...done.keys()].filter((version) => version > newest);
  if (ahead.length > 0) {
    throw new MigrationError(
      `The database is of a later version (migration ${Math.max(...ahead)}; known: ${newest}). Start that version again, or restore a backup from before its upgrade`,
    );
  }
  const applied: number[] = [];
  for (const { version, name, sql, checksum } of migrations) {
    const before = done.get(version);
    if (before === checksum) continue;
    if (before !== undefined) throw new MigrationError(`Migration ${version} is not the one that was applied`);
    // Without this, statements of an owner that is no superuser find no rows of any tenant.
    const lifted = facts.bypassesPolicies ? [] : await store.listForced(owner);
    await store.forcePolicies(owner, lifted, false);
    await owner.query(sql);
    await store.forcePolicies(owner, lifted, true);
    await store.recordMigration(owner, version, name, checksum);
    applied.push(version);
  }
  return applied;
}

/**
 * All of them or none: a function whose signature has changed is another one, and a type cannot be replaced while a
 * function uses it. Those that triggers or indexes use stay, and are replaced in place.
 */
async function replaceFunctions(owner: pg.Client, { sql, checksum }: Functions): Promise<void> {
  if ((await store.readFunctionChecksum(owner)) === checksum) return;
  await store.dropFunctions(owner);
  await owner.query(sql);
  await store.recordFunctions(owner, checksum);
}

/** One login a database: passwords belong to the server, and two installations on it must not share one. */
async function makeLogin(owner: pg.Client, facts: store.OwnerFacts, group: store.Group): Promise<Login> {
  const user = `${group}_${createHash('sha256').update(facts.database).digest('hex').slice(0, 8)}`;
  const password = await store.readPassword(owner, user, randomBytes(24).toString('hex'));
  const exists = await store.readRole(owner, user);
  if (exists && !facts.mayMakeRoles) return { user, password };
  if (!facts.mayMakeRoles) throw new MigrationError(mayNot(facts));
  if (!exists) await store.makeRole(owner, user);
  // at each start: the role may remain from an earlier database of this name, or the password come from an import
  await store.grantLogin(owner, user, group, password);
  return { user, password };
}

/** MigrationError if the owner lacks a right, otherwise the error. */
export function explain(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  if (code === '42501') {
    return new MigrationError(
      `The user of DATABASE_URL lacks a right: ${message}. It needs CREATE on the database, CREATEROLE, and where ` +
        `another user has made the roles ${store.GROUPS.join(', ')}, each of them WITH ADMIN OPTION`,
    );
  }
  return error;
}
