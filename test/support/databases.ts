import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

let made: string[] = [];

/**
 * Gives the body the URL of a migrated database of its own, on the server that all tests of a run share. Call
 * `dropDatabases` in `afterAll`.
 */
export async function withDatabase<T>(body: (url: string) => Promise<T>): Promise<T> {
  return body(await createDatabase());
}

/** As `withDatabase`, with nothing in it. */
export async function withEmptyDatabase<T>(body: (url: string) => Promise<T>): Promise<T> {
  return body(await createDatabase('template1'));
}

/** The URL of a database as `withDatabase` gives it, or of one that is a copy of another. */
export async function createDatabase(template = inject('migratedDatabase')): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // copied as files: writing a template to the log takes twice as long
  await onSharedServer(`create database "${name}" template "${template}" strategy file_copy`);
  made.push(name);
  return Object.assign(new URL(inject('databaseServer')), { pathname: `/${name}` }).href;
}

/** Removes the databases that this file was given, whoever still uses them. */
export async function dropDatabases(): Promise<void> {
  const names = made;
  made = [];
  for (const name of names) await onSharedServer(`drop database if exists "${name}" with (force)`);
}

/** Removes one of them. */
export async function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  made = made.filter((other) => other !== name);
  await onSharedServer(`drop database "${name}" with (force)`);
}

async function onSharedServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('databaseServer') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Statements as the owner of the tables: policies do not hold. Rows of the last one. */
export async function asOwner<T extends pg.QueryResultRow>(url: string, ...statements: string[]): Promise<T[]> {
  const owner = new pg.Client({ connectionString: url, options: '-c search_path=fleetgate' });
  await owner.connect();
  try {
    let rows: T[] = [];
    for (const statement of statements) ({ rows } = await owner.query<T>(statement));
    return rows;
  } finally {
    await owner.end();
  }
}
