import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Functions,
  migrate,
  readFunctionFiles,
  readMigrationFiles,
} from '../../../src/server/database/migrate.ts';
import { dropDatabases, withEmptyDatabase } from '../../support/databases.ts';
import { dumpSchema } from '../../support/schema-dump.ts';

afterAll(dropDatabases);

const SCHEMA = '../../../src/server/database/schema.sql';
/** the newest migration that made functions itself */
const LAST_WITH_FUNCTIONS = 34;
const older = readMigrationFiles().filter(({ version }) => version <= LAST_WITH_FUNCTIONS);

/** An empty database, as its owner. */
const withOwner = (body: (owner: pg.Client) => Promise<void>): Promise<void> =>
  withEmptyDatabase(async (url) => {
    const owner = new pg.Client({ connectionString: url });
    await owner.connect();
    try {
      await body(owner);
    } finally {
      await owner.end();
    }
  });

const upgrade = (owner: pg.Client, functions: Functions = readFunctionFiles()) =>
  migrate(owner, readMigrationFiles(), functions);

/**
 * The schema is that of schema.sql, which PostgreSQL 18 has written. Earlier versions name the columns of views otherwise,
 * and their partitions have no identity of their own.
 */
async function expectNewestSchema(owner: pg.Client): Promise<void> {
  const dump = await dumpSchema(owner);
  const { rows } = await owner.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  );
  if (rows[0]!.version >= 180_000) return expect(dump).toMatchFileSnapshot(SCHEMA);
  expect(inEachVersion(dump)).toBe(inEachVersion(readFileSync(join(import.meta.dirname, SCHEMA), 'utf8')));
}

const inEachVersion = (dump: string): string =>
  dump
    .replaceAll(' generated always as identity', '')
    .replace(/^create view [^;]*;/gm, (view) => view.replace(/\b\w+\./g, ''));

/** Every row of every table, but for the list of migrations. */
async function contents(owner: pg.Client): Promise<Record<string, { row: Record<string, unknown> }[]>> {
  const { rows } = await owner.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'fleetgate'::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition and c.relname <> 'schema_migration' order by 1`,
  );
  const all: Record<string, { row: Record<string, unknown> }[]> = {};
  for (const { name } of rows) {
    all[name] = (await owner.query(`select to_jsonb(t) as row from fleetgate.${name} t order by t::text`)).rows;
  }
  return all;
}

/** A tenant with a device that is online, and commands in several states, stored by the functions of that time. */
async function fill(owner: pg.Client): Promise<void> {
  await owner.query('set search_path = fleetgate, pg_temp');
  await owner.query(`
    insert into tenant (name) values ('acme');
    insert into device (tenant_id, imei, registered_by) values (1, 'device-1', 'api'), (1, 'device-2', 'api');
    insert into session (device_id, tenant_id, gateway, conn, protocol, open, since, changed_at, seen_at)
    values (1, 1, 'g1', 'run.1', 'teltonika', true, now(), now(), now())`);
  for (const [id, device] of [
    ['cmd_sent', 1],
    ['cmd_waiting', 1],
    ['cmd_offline', 2],
  ]) {
    await owner.query(
      `select * from enqueue_commands(array[$1], array[1], array[$2::int8], array[null], array[5], array['custom'],
         array['{"data":"x"}']::json[], array['x'], array['text'], array[false], array[3], array[null]::json[],
         array[null]::timestamptz[], array[60000], array[1000], array[null], array[null], array['test'],
         array[null]::int8[], array[null]::int8[], array[null], array[null], array[null], array[null],
         array[null]::json[], array[null], array['g1'], 100, false)`,
      [id, device],
    );
  }
}

describe('schema.sql', () => {
  it('is what migrations and functions make of an empty database', () =>
    withOwner(async (owner) => {
      await upgrade(owner);
      await expectNewestSchema(owner);
    }));

  it('shows a column, an index, a right or a function that is not in the files', () =>
    withOwner(async (owner) => {
      await upgrade(owner);
      const before = await dumpSchema(owner);
      const changes = [
        'alter table fleetgate.device add column added int',
        'create index added on fleetgate.device (name)',
        'grant truncate on fleetgate.device to fleetgate_app',
        'alter table fleetgate.device disable row level security',
        `create function fleetgate.added() returns int language sql as 'select 1'`,
      ];
      const seen = new Set([before]);
      for (const change of changes) {
        await owner.query(change);
        seen.add(await dumpSchema(owner));
      }
      expect(seen.size).toBe(changes.length + 1);
    }));
});

describe('a database of the last migration with functions', () => {
  it('is upgraded to the same schema, and keeps its rows', () =>
    withOwner(async (owner) => {
      await migrate(owner, older, undefined);
      await fill(owner);
      const before = await contents(owner);
      const { applied } = await upgrade(owner);
      expect(applied[0]).toBeGreaterThan(LAST_WITH_FUNCTIONS);
      const numbered = before['command']!.map(({ row: { given_back: _, ...row } }) => ({
        row: { ...row, deliveries: row['state'] === 'sending' ? row['attempts'] : 1000 },
      }));
      const sessions = before['session']!.map(({ row: { held_since: _, ...row } }) => ({ row }));
      // later migrations add columns and tables
      expect(await contents(owner)).toMatchObject({ ...before, command: numbered, session: sessions });
      await expectNewestSchema(owner);
    }));

  it('goes on with the commands that were stored before', () =>
    withOwner(async (owner) => {
      await migrate(owner, older, undefined);
      await fill(owner);
      await upgrade(owner);
      await owner.query('set search_path = fleetgate, pg_temp');
      const states = async () =>
        (await owner.query('select id, state, attempts from command order by seq')).rows.map((r) => Object.values(r));
      expect(await states()).toEqual([
        ['cmd_sent', 'sending', 1],
        ['cmd_waiting', 'pending', 0],
        ['cmd_offline', 'pending', 0],
      ]);
      await owner.query(`update command set state = 'acknowledged' where id = 'cmd_sent'`);
      const { rows } = await owner.query(`select id, conn, ticket from claim_commands('{1,2}', '{g1}')`);
      expect(rows).toEqual([{ id: 'cmd_waiting', conn: 'run.1', ticket: 3 }]);
      expect((await states())[1]).toEqual(['cmd_waiting', 'sending', 1]);
    }));

  it('is refused by a program that does not know its newest migration', () =>
    withOwner(async (owner) => {
      await upgrade(owner);
      await expect(migrate(owner, older, undefined)).rejects.toThrow('The database is of a later version');
    }));
});

describe('functions', () => {
  const functionIds = async (owner: pg.Client) =>
    (
      await owner.query<{ id: string }>(
        `select oid::text as id from pg_proc where pronamespace = 'fleetgate'::regnamespace order by 1`,
      )
    ).rows.map(({ id }) => id);
  const functions = readFunctionFiles();

  it('stay as they are while the files are the same', () =>
    withOwner(async (owner) => {
      await upgrade(owner);
      const before = await functionIds(owner);
      await upgrade(owner);
      expect(await functionIds(owner)).toEqual(before);
    }));

  it('are replaced when a file has changed, also where a signature or a type has', () =>
    withOwner(async (owner) => {
      await upgrade(owner);
      const sql = `${functions.sql
        .replace('late bool\n);', 'late bool, added int4\n);')
        .replace('gateways text[]) returns bool', 'gateways text[]) returns text')
        .replace('next_command_at <= now(), true), false)', 'next_command_at <= now(), true), false)::text')}
        create function added(a int) returns int language sql as 'select a';`;
      await upgrade(owner, { sql, checksum: 'other' });
      const added = await dumpSchema(owner);
      expect(added).toContain('added integer\n);');
      expect(added).toContain('FUNCTION fleetgate.added(a integer)');
      expect(added).toMatch(/is_ready\(.*\)\n RETURNS text/);
      await upgrade(owner, functions);
      await expectNewestSchema(owner);
    }));

  it('leave the database as it was when a file cannot be run', () =>
    withOwner(async (owner) => {
      await upgrade(owner);
      const before = await functionIds(owner);
      await expect(upgrade(owner, { sql: 'create function broken(', checksum: 'broken' })).rejects.toThrow();
      expect(await functionIds(owner)).toEqual(before);
    }));
});
