import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EVENT, openSpool, type Spool } from '../../../src/gateway/spool/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { schemaMigrations } from '../../../src/server/database/index.ts';
import { Bench, query } from '../../support/bench.ts';
import { runCommand } from '../../support/command-line.ts';
import { removeDataDir, startTestServer } from '../../support/postgres.ts';

// Real processes and disks: what takes a second on a machine of one's own takes a minute on a crowded one.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const HISTORY = 'tenant=1/day=2026-03-01/a.parquet';

let bench: Bench;
let spool: Spool | undefined;
beforeEach(() => {
  bench = new Bench();
});
afterEach(async () => {
  await spool?.close();
  spool = undefined;
  await bench.clear();
});

const openSpoolIn = (dataDir: string): Promise<Spool> =>
  openSpool({
    folder: join(dataDir, 'spool'),
    targets: ['api'],
    syncMs: 0,
    maxBytes: 1024 * 1024,
    minFreeBytes: 0,
    clock: systemClock,
    log: createLog('test', 'silent'),
  });

/** An installation on one machine that runs: rows, a record that waits in the spool, a file of past positions, keys. */
async function startInstallation(): Promise<string> {
  const { url } = await bench.start();
  await schemaMigrations.migrate(url, undefined);
  await query(url, `insert into fleetgate.tenant (name) values ('acme')`);
  await query(
    url,
    `insert into fleetgate.history_file (tenant_id, bucket, day, path, positions, first_at, last_at, bytes, sha256, format)
     select tenant_id, 0, '2026-03-01', '${HISTORY}', 1, now(), now(), 1, '', 1 from fleetgate.tenant where name = 'acme'`,
  );
  const put = (path: string, text: string): void => {
    mkdirSync(join(bench.dataDir, path, '..'), { recursive: true });
    writeFileSync(join(bench.dataDir, path), text);
  };
  put(`history/${HISTORY}`, 'positions of a day');
  put('keys/secrets-key', 'the key of the secrets');
  put('audit-anchor.jsonl', '{}\n');
  put('gateway-id', 'gw-here\n');
  spool = await openSpoolIn(bench.dataDir);
  const event = (at: number) => ({ kind: EVENT, bytes: Buffer.from(`{"type":"clock","at":${at}}`) });
  await spool.append([event(1), event(2), event(3)]);
  spool.settle('api', 1);
  return url;
}

const run = async (args: string[], settings: Record<string, string> = {}) => {
  const ran = await runCommand(args, { DATA_DIR: bench.dataDir, ...settings });
  return { ...ran, name: ran.stdout.trim() };
};

describe('a backup of one machine, made while it runs', () => {
  test('is encrypted, verified by a restore, and brings back everything on another machine', async () => {
    await startInstallation();
    const place = join(bench.folder, 'backups');
    const identity = join(bench.folder, 'secret.txt');
    const made = await run(['backup', 'keygen', identity]);
    expect(made.stdout).toMatch(/^age1[a-z0-9]+\n$/);
    expect(statSync(identity).mode & 0o077).toBe(0);
    const settings = { BACKUP_URL: place, BACKUP_RECIPIENTS: made.stdout.trim() };

    const taken = await run(['backup', '--verify', '--identity', identity], settings);
    expect(taken).toMatchObject({ code: 0, name: expect.stringMatching(/^fleetgate-\d{8}T\d{9}Z$/) });
    expect(taken.stderr).toMatch(/rows restored into a scratch database/);
    // the key of the secrets is in it, and not readable
    const key = readFileSync(join(place, taken.name, 'keys/secrets-key.age'));
    expect(key.toString('latin1')).toMatch(/^age-encryption\.org\/v1\n/);
    expect(key.includes('the key of the secrets')).toBe(false);

    const other = join(bench.folder, 'other');
    const elsewhere = { ...settings, DATA_DIR: other };
    try {
      expect(await run(['restore'], elsewhere)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('--identity'),
      });
      const restored = await run(['restore', 'latest', '--identity', identity], elsewhere);
      expect(restored).toMatchObject({ code: 0, stdout: '' });
      expect(restored.stderr).toMatch(/restored, [\d.]+ s/);
      // it does not mix with what is there
      expect(await run(['restore', 'latest', '--identity', identity], elsewhere)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('has spool, keys, gateway-id, audit-anchor.jsonl already'),
      });
      expect(readFileSync(join(other, 'keys/secrets-key'), 'utf8')).toBe('the key of the secrets');
      expect(readFileSync(join(other, 'history', HISTORY), 'utf8')).toBe('positions of a day');
      expect(readFileSync(join(other, 'gateway-id'), 'utf8')).toBe('gw-here\n');
      const copy = await openSpoolIn(other);
      // the cursor is stored when segments are removed: at worst all three are sent again
      expect(copy.lastSeq).toBe(3);
      expect(copy.cursor('api').seq).toBeLessThanOrEqual(1);
      await copy.close();
      const database = await bench.start(other);
      expect(await query(database.url, `select name from fleetgate.tenant where name = 'acme'`)).toHaveLength(1);
      await database.stop();
    } finally {
      removeDataDir(other);
    }
  });

  test('stores files of past positions once, keeps as many backups as it is told, and refuses a damaged one', async () => {
    const url = await startInstallation();
    const settings = { BACKUP_URL: join(bench.folder, 'backups') };
    const first = await run(['backup'], settings);
    expect(first.stderr).toContain('DATA_DIR/keys is not part of it');
    expect(first.stderr).toContain('1 files of past positions, 0 of them stored before');
    const second = await run(['backup', 'take', '--keep', '2'], settings);
    expect(second.stderr).toContain('1 files of past positions, 1 of them stored before');
    const third = await run(['backup', '--keep', '2'], settings);
    const names = (await run(['backup', 'list'], settings)).stdout.split('\n').map((line) => line.split(' ')[0]);
    expect(names).toEqual([second.name, third.name, '']);
    expect(readdirSync(join(settings.BACKUP_URL, 'history/plain/tenant=1/day=2026-03-01'))).toEqual(['a.parquet']);
    // a changed byte is found before anything is restored
    const damaged = join(settings.BACKUP_URL, third.name, 'database.fleetgate');
    const bytes = readFileSync(damaged);
    expect(await run(['backup', 'verify', '--files-only'], settings)).toMatchObject({ code: 0 });
    bytes[bytes.length - 9]! ^= 1;
    writeFileSync(damaged, bytes);
    expect(await run(['backup', 'verify', '--files-only'], settings)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is damaged'),
    });
    const database = { ...settings, DATABASE_URL: url, DATA_DIR: join(bench.folder, 'untouched') };
    expect(await run(['restore', third.name, '--force'], database)).toMatchObject({ code: 1 });
    expect(await query(url, `select name from fleetgate.tenant where name = 'acme'`)).toHaveLength(1);
    // a file that no backup has any longer
    await query(url, 'delete from fleetgate.history_file');
    expect(await run(['backup', '--keep', '1'], settings)).toMatchObject({ code: 0 });
    expect(readdirSync(join(settings.BACKUP_URL, 'history/plain/tenant=1/day=2026-03-01'))).toEqual([]);
  });
});

test('the user of DATABASE_URL, who is no superuser, backs up every row and restores it', async () => {
  const server = await startTestServer();
  try {
    const admin = Object.assign(new URL(await server.database()), { pathname: '/postgres' }).href;
    await query(admin, `create role plain login password 'plain' nosuperuser createrole nobypassrls`);
    const urlOf = (name: string): string =>
      Object.assign(new URL(admin), { username: 'plain', password: 'plain', pathname: `/${name}` }).href;
    for (const name of ['fleet', 'copy']) await query(admin, `create database ${name} owner plain`);
    await schemaMigrations.migrate(urlOf('fleet'), undefined);
    const asAdmin = (name: string): string => Object.assign(new URL(admin), { pathname: `/${name}` }).href;
    await query(
      asAdmin('fleet'),
      `with acme as (insert into fleetgate.tenant (name) values ('acme') returning tenant_id)
       insert into fleetgate.api_key (id, tenant_id, name, secret_hash, scopes) select 'k-' || n, tenant_id, 'key', '', '{}' from acme, generate_series(1, 5) n`,
    );
    // rows that row-level security hides from the owner of the table
    expect(await query(urlOf('fleet'), 'select * from fleetgate.api_key')).toEqual([]);
    const settings = { BACKUP_URL: join(bench.folder, 'backups'), DATABASE_URL: urlOf('fleet'), ROLE: 'api' };
    expect(await run(['backup', '--verify'], settings)).toMatchObject({ code: 0 });
    const copy = { ...settings, DATABASE_URL: urlOf('copy'), DATA_DIR: join(bench.folder, 'copy') };
    expect(await run(['restore'], copy)).toMatchObject({ code: 0 });
    expect(await query(asAdmin('copy'), 'select id from fleetgate.api_key')).toHaveLength(5);
    expect(await query(urlOf('fleet'), 'select * from fleetgate.api_key')).toEqual([]);
  } finally {
    await server.stop();
  }
});
