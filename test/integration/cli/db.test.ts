import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { schemaMigrations } from '../../../src/server/database/index.ts';
import { Bench, query } from '../../support/bench.ts';
import { runCommand } from '../../support/command-line.ts';
import { removeDataDir } from '../../support/postgres.ts';

// Real processes and disks: what takes a second on a machine of one's own takes a minute on a crowded one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.clear());

test('export from a running server, import into a new DATA_DIR, without output on stdout', async () => {
  const server = await bench.start();
  await schemaMigrations.migrate(server.url, undefined);
  await query(server.url, `insert into fleetgate.tenant (name) values ('acme')`);
  const file = join(bench.folder, 'fleet.fleetgate');
  const exported = await runCommand(['db', 'export', file], { DATA_DIR: bench.dataDir });
  expect(exported).toMatchObject({ code: 0, stdout: '' });
  expect(exported.stderr).toMatch(/\d+ rows of \d+ tables written to /);

  await query(
    server.url,
    `insert into fleetgate.history_file (tenant_id, bucket, day, path, positions, first_at, last_at, bytes, sha256, format)
     select tenant_id, 0, '2026-03-01', 'tenant=1/day=2026-03-01/a.parquet', 1, now(), now(), 1, '', 1 from fleetgate.tenant limit 1`,
  );
  const again = await runCommand(['db', 'export', `${file}-2`], { DATA_DIR: bench.dataDir });
  expect(again).toMatchObject({ code: 0, stdout: 'tenant=1/day=2026-03-01/a.parquet\n' });

  const refused = await runCommand(['db', 'import', file], { DATA_DIR: bench.dataDir });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('stop it before an import') });

  const other = join(bench.folder, 'other');
  try {
    const imported = await runCommand(['db', 'import', file], { DATA_DIR: other });
    expect(imported).toMatchObject({ code: 0, stdout: '' });
    // It leaves nothing running, so the same again finds rows.
    const twice = await runCommand(['db', 'import', file], { DATA_DIR: other });
    expect(twice).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') });
    const copy = await bench.start(other);
    expect(await query(copy.url, 'select name from fleetgate.tenant')).toEqual([{ name: 'acme' }]);
    await copy.stop();
  } finally {
    removeDataDir(other);
  }
});

test('mistakes are reported in one line', async () => {
  const server = await bench.start();
  await schemaMigrations.migrate(server.url, undefined);
  const settings = { DATABASE_URL: server.url };
  const file = join(bench.folder, 'taken');
  writeFileSync(file, '');
  const lines = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await runCommand(['db', ...args], settings);
    expect(code).toBe(1);
    return stderr.trimEnd();
  };
  expect(await lines('export', file)).toMatch(/^fleetgate: EEXIST[^\n]*$/);
  expect(await lines('import', join(bench.folder, 'nowhere'))).toMatch(/^fleetgate: ENOENT[^\n]*$/);
  expect(await lines('import', file)).toMatch(/^fleetgate: [^\n]*(no archive|cut short)[^\n]*$/);
  expect(existsSync(file)).toBe(true);
});
