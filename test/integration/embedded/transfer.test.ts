import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import {
  ArchiveError,
  exportDatabase,
  importDatabase,
  type SchemaMigrations,
  TransferRefused,
} from '../../../src/server/database/transfer/index.ts';
import { startTestServer, type TestServer } from '../../support/postgres.ts';

// Real processes and disks: what takes a second on a machine of one's own takes a minute on a crowded one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** Two migrations, the second of which alters rows: what an older archive has to go through. */
const MIGRATIONS: readonly (readonly [string, string])[] = [
  [
    '001',
    `create schema app;
     create table app.owner (id int primary key, name text not null);
     create table app."Odd name" (id bigint generated always as identity primary key, owner_id int references app.owner,
       twice bigint generated always as (id * 2) stored, body jsonb, raw bytea, at timestamptz, x float8, tags text[]);
     create table app.pos (device text, time timestamptz, id text, primary key (device, time, id)) partition by range (time);
     create table app.pos_default partition of app.pos default;
     create function app.shout() returns trigger language plpgsql as $$ begin new.name := upper(new.name); return new; end $$;
     create trigger shout before insert on app.owner for each row execute function app.shout();`,
  ],
  ['002', `alter table app.owner add note text not null default 'old'`],
];

const sql = async (url: string, text: string): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
};

const migrations: SchemaMigrations = {
  ledger: 'public.migration',
  async applied(url) {
    await sql(url, 'create table if not exists public.migration (name text primary key)');
    return (await sql(url, 'select name from public.migration order by name')).rows.map((r) => r.name as string);
  },
  async migrate(url, upTo) {
    const done = await migrations.applied(url);
    for (const [name, text] of MIGRATIONS) {
      if (upTo !== undefined && name > upTo) return;
      if (!done.includes(name))
        await sql(url, `begin; ${text}; insert into public.migration values ('${name}'); commit`);
    }
  },
};

const ALL = `select (select json_agg(o order by id) from app.owner o) as owners,
  (select json_agg(o order by id) from app."Odd name" o) as odd,
  (select json_agg(json_build_object('t', tableoid::regclass::text, 'p', p) order by time) from app.pos p) as positions`;

let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-transfer-'));
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function source(upTo: string): Promise<string> {
  const url = await server.database();
  await migrations.migrate(url, upTo);
  await sql(
    url,
    `insert into app.owner (id, name) values (1, 'àé\t\\n"x'), (2, 'b');
     insert into app."Odd name" (owner_id, body, raw, at, x, tags) values
       (1, '{"a":"\\n\\t"}', '\\x00ff0a5c', '2026-03-01T10:00:00.123456Z', 0.1, '{a,"b c",null}'), (2, null, null, 'infinity', 'NaN', null);
     create table app.pos_2026_03 partition of app.pos for values from ('2026-03-01Z') to ('2026-04-01Z');
     insert into app.pos select 'd' || (i % 7), '2026-03-01Z'::timestamptz + i * interval '1 second', i::text from generate_series(1, 50000) i;
     insert into app.pos values ('d', '1999-01-01Z', 'x')`,
  );
  return url;
}

test('values, partitions and sequences are the same after export and import', async () => {
  const from = await source('002');
  const path = join(folder, 'round.fleetgate');
  const exported = await exportDatabase(from, path, migrations, systemClock);
  expect(exported.rows).toEqual({ 'app.owner': 2, 'app.Odd name': 2, 'app.pos': 50_001 });
  expect(statSync(path).mode & 0o777).toBe(0o600);

  const to = await server.database();
  const imported = await importDatabase(to, path, migrations, { force: false });
  expect(imported).toEqual({ rows: exported.rows, leftOut: [] });
  expect((await sql(to, ALL)).rows).toEqual((await sql(from, ALL)).rows);
  expect((await sql(to, 'select count(*)::int as n from app.pos_2026_03')).rows).toEqual([{ n: 50_000 }]);
  // The sequence goes on after the imported rows, and triggers work again.
  await sql(to, `insert into app."Odd name" default values; insert into app.owner values (3, 'new')`);
  expect((await sql(to, 'select max(id)::int as id from app."Odd name"')).rows).toEqual([{ id: 3 }]);
  expect((await sql(to, 'select name from app.owner where id = 3')).rows).toEqual([{ name: 'NEW' }]);
});

test('an archive of an older version is migrated', async () => {
  const path = join(folder, 'older.fleetgate');
  await exportDatabase(await source('001'), path, migrations, systemClock);
  const to = await server.database();
  await importDatabase(to, path, migrations, { force: false });
  expect(await migrations.applied(to)).toEqual(['001', '002']);
  expect((await sql(to, 'select note from app.owner')).rows).toEqual([{ note: 'old' }, { note: 'old' }]);
});

test('a target with rows is not changed unless forced', async () => {
  const from = await source('002');
  const path = join(folder, 'force.fleetgate');
  await exportDatabase(from, path, migrations, systemClock);
  const to = await server.database();
  await migrations.migrate(to, undefined);
  await sql(to, `insert into app.owner values (9, 'mine')`);
  await expect(importDatabase(to, path, migrations, { force: false })).rejects.toThrow(TransferRefused);
  expect((await sql(to, 'select id from app.owner')).rows).toEqual([{ id: 9 }]);
  await importDatabase(to, path, migrations, { force: true });
  expect((await sql(to, 'select id from app.owner order by id')).rows).toEqual([{ id: 1 }, { id: 2 }]);
});

test('a truncated or invalid file changes nothing', async () => {
  const path = join(folder, 'whole.fleetgate');
  await exportDatabase(await source('002'), path, migrations, systemClock);
  const to = await server.database();
  const whole = readFileSync(path);
  const cut = join(folder, 'cut.fleetgate');
  writeFileSync(cut, whole.subarray(0, Math.floor(whole.length / 2)));
  await expect(importDatabase(to, cut, migrations, { force: false })).rejects.toThrow(ArchiveError);
  writeFileSync(cut, 'something else');
  await expect(importDatabase(to, cut, migrations, { force: false })).rejects.toThrow(ArchiveError);
  expect((await sql(to, 'select count(*)::int as n from app.owner')).rows).toEqual([{ n: 0 }]);
});

test('an existing file is not overwritten', async () => {
  const path = join(folder, 'mine.txt');
  writeFileSync(path, 'mine');
  await expect(exportDatabase(await source('002'), path, migrations, systemClock)).rejects.toThrow(/EEXIST/);
  expect(readFileSync(path, 'utf8')).toBe('mine');
});
