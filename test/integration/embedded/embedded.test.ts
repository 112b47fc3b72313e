import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isRunning } from '../../../src/platform/processes.ts';
import { keepFolder } from '../../../src/server/database/embedded/home.ts';
import { LockedError, runningEmbeddedPostgres } from '../../../src/server/database/embedded.ts';
import { Bench, ended, gone, isRoot, query } from '../../support/bench.ts';

// Real processes and disks: what takes a second on a machine of one's own takes a minute on a crowded one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.clear());

describe('one server', () => {
  test('keeps its rows, its port and its password over a restart', async () => {
    const first = await bench.start();
    await query(first.url, 'create table kept as select 1 as n');
    await first.stop();
    expect(isRunning(first.pid)).toBe(false);
    const second = await bench.start();
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  test('listens on the loopback interface only and requires its password', async () => {
    const { url } = await bench.start();
    expect(
      await query(
        url,
        `select current_setting('listen_addresses') as at, current_setting('unix_socket_directories') as sockets,
      current_setting('fsync') as fsync, current_setting('synchronous_commit') as sync`,
      ),
    ).toEqual([{ at: '127.0.0.1', sockets: '', fsync: 'on', sync: 'on' }]);
    const wrong = Object.assign(new URL(url), { password: 'guess' }).href;
    await expect(query(wrong, 'select 1')).rejects.toThrow(/password authentication failed/);
  });

  test('works in a folder with spaces and letters of other scripts', async () => {
    bench.dataDir = join(bench.folder, `dätá ${'x'.repeat(110)} データ 'q'`);
    expect(await query((await bench.start()).url, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  test('uses another port if its own is in use', async () => {
    const first = await bench.start();
    await first.stop();
    const { port } = new URL(first.url);
    const squatter = createServer().listen(Number(port), '127.0.0.1');
    await once(squatter, 'listening');
    const second = await bench.start();
    expect(new URL(second.url).port).not.toBe(port);
    squatter.close();
  });

  test('is refused twice, and can be found by another command', async () => {
    const { url } = await bench.start();
    await expect(bench.start()).rejects.toThrow(LockedError);
    expect(runningEmbeddedPostgres(bench.dataDir)).toBe(url);
  });

  test('reports instructions for a cluster of another major version', async () => {
    await (await bench.start()).stop();
    writeFileSync(join(bench.cluster(), 'PG_VERSION'), '17\n');
    await expect(bench.start()).rejects.toThrow(/made by PostgreSQL 17.*db export/);
  });
});

describe('after a crash', () => {
  test('a killed server restarts with all committed data', async () => {
    const first = await bench.start();
    await query(first.url, 'create table kept as select 1 as n');
    process.kill(first.pid, 'SIGKILL');
    await ended(first);
    expect(await query((await bench.start()).url, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  test('a lock that names an unrelated process is replaced', async () => {
    const first = await bench.start();
    process.kill(first.pid, 'SIGKILL');
    await ended(first);
    const path = join(bench.cluster(), 'postmaster.pid');
    // This very test has taken over the number.
    const other = spawn('sleep', ['60'], isRoot ? { uid: statSync(bench.cluster()).uid } : {});
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^\d+/, String(other.pid)));
    expect(await query((await bench.start()).url, 'select 1 as n')).toEqual([{ n: 1 }]);
    expect(isRunning(other.pid!)).toBe(true);
    other.kill();
  });

  test('a server whose parent process has ended is stopped, then started', async () => {
    const first = await bench.start();
    // As after kill -9 of both starter and watcher: the lock is stale, the server lives.
    const held = join(keepFolder(bench.dataDir), 'lock');
    writeFileSync(held, JSON.stringify({ pid: process.pid, identity: 'of another boot' }));
    const second = await bench.start();
    expect(isRunning(first.pid)).toBe(false);
    expect(await query(second.url, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  test('the server stops when its parent process is killed', async () => {
    const script = `
      import { startEmbeddedPostgres } from ${JSON.stringify(join(process.cwd(), 'dist/src/server/database/embedded.js'))};
      import { systemClock } from ${JSON.stringify(join(process.cwd(), 'dist/src/platform/clock.js'))};
      import { createLog } from ${JSON.stringify(join(process.cwd(), 'dist/src/platform/log.js'))};
      const server = await startEmbeddedPostgres({ dataDir: process.argv[1], log: createLog('t', 'silent'), clock: systemClock });
      console.log(server.pid);
      setInterval(() => {}, 1000);`;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', script, bench.dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(starter.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    expect(isRunning(pid)).toBe(true);
    starter.kill('SIGKILL');
    await gone(pid);
    expect(await query((await bench.start()).url, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  test('an incomplete cluster is created again', async () => {
    await (await bench.start()).stop();
    const cluster = bench.cluster();
    mkdirSync(`${cluster}.new`);
    writeFileSync(join(`${cluster}.new`, 'rest'), '');
    rmSync(cluster, { recursive: true });
    rmSync(join(keepFolder(bench.dataDir), 'password'));
    expect(await query((await bench.start()).url, 'select 1 as n')).toEqual([{ n: 1 }]);
  });
});
