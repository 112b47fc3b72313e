import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { verifyKey } from '../../../src/server/kernel/auth/keys.ts';
import { runCommand } from '../../support/command-line.ts';
import { createDatabase, dropDatabases } from '../../support/databases.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let url: string;
const keys = (...args: string[]) => runCommand(['keys', ...args], { DATABASE_URL: url });

/** Whose the API takes the key for. */
async function asked(token: string) {
  const pool = new pg.Pool({ connectionString: url, options: '-c search_path=fleetgate' });
  try {
    return await verifyKey(pool, token, Date.now());
  } finally {
    await pool.end();
  }
}

beforeAll(async () => {
  url = await createDatabase();
});
afterAll(dropDatabases);

test('a key is made, listed and revoked', async () => {
  const made = await keys('create', 'dispatch desk', '--scopes', 'positions:read,devices:read', '--days', '30');
  expect(made.code).toBe(0);
  const [, key, id] = /^(flt_live_([0-9a-f]{12})_\S+)\n$/.exec(made.stdout)!;
  expect([...(await asked(key!))!.principal.scopes].sort()).toEqual(['devices:read', 'positions:read']);

  const listed = await keys('ls');
  expect(listed.stdout).toMatch(new RegExp(`^${id}  good until \\d{4}-\\d\\d-\\d\\d  dispatch desk  \\S+\\n$`));
  expect(listed.stdout).not.toContain(key!.slice(`flt_live_${id}_`.length));

  expect((await keys('revoke', id!)).code).toBe(0);
  expect(await asked(key!)).toBeUndefined();
  expect((await keys('ls')).stdout).toContain(`${id}  revoked `);

  const pool = new pg.Pool({ connectionString: url, options: '-c search_path=fleetgate' });
  const { rows } = await pool.query('select actor, action, object from audit order by id');
  await pool.end();
  const actor = expect.stringMatching(/^cli:./);
  expect(rows).toEqual([
    { actor, action: 'fleetgate keys create', object: id },
    { actor, action: 'fleetgate keys revoke', object: id },
  ]);
});

test('a key of another tenant is out of reach', async () => {
  const { stdout } = await keys('create', 'theirs', '--tenant', 'acme');
  const id = stdout.split('_')[2]!;
  expect((await keys('ls')).stdout).not.toContain(id);
  expect(await keys('revoke', id)).toMatchObject({ code: 1, stderr: `fleetgate: tenant default has no key ${id}\n` });
  expect((await keys('ls', '--tenant', 'acme')).stdout).toContain(`${id}  good for ever  theirs  everything`);
});

test('a scope that is invalid, or that no key may have, is refused', async () => {
  expect(await keys('create', 'x', '--scopes', 'internal')).toMatchObject({ code: 1, stdout: '' });
  expect((await keys('create', 'x', '--scopes', 'positions:red')).stderr).toMatch(/unknown scope: positions:red/);
});
