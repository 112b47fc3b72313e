import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { schemaMigrations } from '../../../src/server/database/index.ts';
import { Bench, query } from '../../support/bench.ts';
import { runCommand } from '../../support/command-line.ts';

// Real processes and disks: what takes a second on a machine of one's own takes a minute on a crowded one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.clear());

test('an older database is reported, upgraded with its data, and then found to be current', async () => {
  const { url } = await bench.start();
  const known = schemaMigrations.known();
  await schemaMigrations.migrate(url, known.at(-3));
  await query(url, `insert into fleetgate.tenant (name) values ('acme')`);
  const BACKUP_URL = join(bench.folder, 'backups');
  const settings = { DATABASE_URL: url, BACKUP_URL, ROLE: 'api', DATA_DIR: join(bench.folder, 'api') };
  const run = (...args: readonly string[]) => runCommand(['upgrade', ...args], settings);

  const check = await run('--check');
  expect(check).toMatchObject({ code: 0, stdout: expect.stringContaining('2 migrations would be applied') });
  expect(check.stdout).toContain(known.at(-1));
  const [before, after] = [known.at(-3)!, known.at(-1)!].map((name) => name.slice(0, 4));
  expect(check.stderr).toBe(`tables of the database: ${before}, of this version: ${after}\n`);
  expect(await schemaMigrations.applied(url)).not.toContain(known.at(-1));

  const done = await run();
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('2 migrations applied') });
  // what the database was before can be restored
  const [, name] = /^Backup (\S+) made\.$/m.exec(done.stdout)!;
  expect(existsSync(join(BACKUP_URL, name!, 'manifest.json'))).toBe(true);
  expect(await run('--check')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The database is that of Fleetgate/),
    stderr: `tables of the database: ${after}, of this version: ${after}\n`,
  });
  expect(await query(url, 'select name from fleetgate.tenant')).toEqual([{ name: 'acme' }]);
});

test('the database of a later version is refused with an explanation, and not changed', async () => {
  const { url } = await bench.start();
  await schemaMigrations.migrate(url, undefined);
  await query(url, `insert into fleetgate.schema_migration (version, name, checksum) values (9999, 'later', 'x')`);
  const { code, stdout } = await runCommand(['upgrade', '--check'], { DATABASE_URL: url });
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /later version: Fleetgate \S+ does not know 9999-later\.\nStart that version again, or restore/,
  );
  const served = await runCommand(['serve'], {
    DATABASE_URL: url,
    ROLE: 'api',
    PORT: '0',
    INTERNAL_KEY: 'x'.repeat(32),
  });
  expect(served.code).not.toBe(0);
  expect(served.stderr).toMatch(/later version \(migration 9999; .*restore a backup from before its upgrade/);
});
