import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isRunning } from '../../../src/platform/processes.ts';
import { gone, query } from '../../support/bench.ts';
import { Supervised } from '../../support/supervised.ts';

// Real processes and disks: what takes a second on a machine of one's own takes a minute on a crowded one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let it: Supervised;
beforeEach(() => {
  it = new Supervised();
});
afterEach(() => it.clear());

const groupOf = (pid: number): string => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[2]!;
/** The environment that a part sees, which the fake parts answer with. */
async function environmentOf(role: string): Promise<Record<string, string>> {
  const port = /ready:(\d+)/.exec(it.lines().findLast((line) => line.startsWith(`${role} ready`))!)![1];
  return (await fetch(`http://127.0.0.1:${port}`)).json() as Promise<Record<string, string>>;
}
const whats = (): string[] => it.lines().map((line) => line.split(' ').slice(0, 2).join(' ').replace(/:\d+/, ''));

test('starts all processes, prints their addresses, and Ctrl-C stops the gateway, the API, then the database', async () => {
  const code = it.start();
  await it.up();
  const api = await it.ready('api');
  const gateway = await it.ready('gateway');
  const database = it.postmaster()!;
  expect(it.stdout).toMatch(/fake api +http:\/\/127\.0\.0\.1:\d+\n +fake gateway +http:\/\/127\.0\.0\.1:\d+/);
  expect(it.stdout).toContain('npm run --silent simulate -- ');

  expect([groupOf(api), groupOf(gateway)]).toEqual([String(it.process!.pid), String(it.process!.pid)]);
  expect(groupOf(database)).not.toBe(String(it.process!.pid));

  // As a terminal does: to the whole process group.
  process.kill(-it.process!.pid!, 'SIGINT');
  expect(await code).toBe(0);
  expect(whats()).toEqual([
    'api ready',
    'gateway ready',
    'gateway stopping',
    'gateway stopped',
    'api stopping',
    'api stopped',
  ]);
  for (const pid of [api, gateway, database]) expect(isRunning(pid)).toBe(false);
});

test('the processes share a secret that is stored', async () => {
  let code = it.start();
  await it.up();
  await it.ready('gateway');
  const [api, gateway] = [await environmentOf('api'), await environmentOf('gateway')];
  expect(gateway['API_URL']).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await fetch(gateway['API_URL']!)).status).toBe(200);
  expect(((await (await fetch(api['GATEWAY_STATUS_URL']!)).json()) as { ROLE: string }).ROLE).toBe('gateway');
  expect(gateway['INTERNAL_KEY']).toBe(api['INTERNAL_KEY']);
  expect(gateway['DATABASE_URL']).toBeUndefined();
  expect(await query(api['DATABASE_URL']!, 'select 1 as n')).toEqual([{ n: 1 }]);
  process.kill(it.process!.pid!, 'SIGTERM');
  await code;

  code = it.start();
  await it.up();
  await it.ready('gateway', 2);
  expect((await environmentOf('gateway'))['INTERNAL_KEY']).toBe(gateway['INTERNAL_KEY']);
  process.kill(it.process!.pid!, 'SIGTERM');
  expect(await code).toBe(0);
});

test('the first run leaves its secrets in a file that only the owner may read, once', async () => {
  const code = it.start();
  await it.up();
  const path = join(it.dataDir, 'first-run.txt');
  expect(it.stdout).toContain(path);
  const text = readFileSync(path, 'utf8');
  const key = /flt_live_[0-9a-f]{12}_[0-9a-f]{64}/.exec(text)![0];
  expect(text).toMatch(/admin password +\S{20}/);
  expect(it.stdout + it.stderr).not.toContain(key);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await it.ready('api');
  const file = (await environmentOf('api'))['FIRST_RUN_KEY']!;
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ id: key.split('_')[2], key });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(it.dataDir, 'keys')).mode & 0o777).toBe(0o700);
  process.kill(it.process!.pid!, 'SIGTERM');
  await code;
  const again = it.start();
  await it.up();
  expect(it.stdout).not.toContain('First start');
  process.kill(it.process!.pid!, 'SIGTERM');
  await again;
});

test('a process that is killed is started again, on the same port', async () => {
  const code = it.start();
  await it.up();
  const gateway = await it.ready('gateway');
  const api = await it.ready('api');
  process.kill(gateway, 'SIGKILL');
  expect(await it.ready('gateway', 2)).not.toBe(gateway);
  const ports = it
    .lines()
    .filter((line) => line.startsWith('gateway ready'))
    .map((line) => /:\d+/.exec(line)![0]);
  expect(ports[1]).toBe(ports[0]);
  expect(isRunning(api)).toBe(true);
  process.kill(it.process!.pid!, 'SIGTERM');
  expect(await code).toBe(0);
});

test('a process that receives SIGTERM stops in order and is started again', async () => {
  const code = it.start();
  await it.up();
  process.kill(await it.ready('gateway'), 'SIGTERM');
  await it.ready('gateway', 2);
  expect(whats()).toContain('gateway stopped');
  process.kill(it.process!.pid!, 'SIGTERM');
  expect(await code).toBe(0);
});

test('a killed database is started again at the same address, and the other processes continue', async () => {
  const code = it.start();
  await it.up();
  const api = await it.ready('api');
  const url = (await environmentOf('api'))['DATABASE_URL']!;
  const before = it.postmaster()!;
  process.kill(before, 'SIGKILL');
  await it.until(() => it.stderr.includes('runs again'));
  expect(it.postmaster()).not.toBe(before);
  expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }]);
  expect(isRunning(api)).toBe(true);
  process.kill(it.process!.pid!, 'SIGTERM');
  expect(await code).toBe(0);
});

test('all processes end if the supervisor is killed, and the next supervisor starts', async () => {
  const first = it.start();
  await it.up();
  const pids = [await it.ready('api'), await it.ready('gateway'), it.postmaster()!];
  process.kill(it.process!.pid!, 'SIGKILL');
  await first;
  for (const pid of pids) await gone(pid);
  const code = it.start();
  await it.up();
  process.kill(it.process!.pid!, 'SIGTERM');
  expect(await code).toBe(0);
});

test('after all four processes are killed at once, the next supervisor starts', async () => {
  const first = it.start();
  await it.up();
  for (const pid of [it.process!.pid!, await it.ready('api'), await it.ready('gateway'), it.postmaster()!]) {
    process.kill(pid, 'SIGKILL');
  }
  await first;
  const code = it.start();
  await it.up();
  process.kill(it.process!.pid!, 'SIGTERM');
  expect(await code).toBe(0);
});

test('a second one on the same DATA_DIR is refused with a reason', async () => {
  const code = it.start();
  await it.up();
  const other = new Supervised();
  try {
    expect(await other.start({ DATA_DIR: it.dataDir })).toBe(1);
    expect(other.stderr).toMatch(/is in use by the Fleetgate that runs as process \d+/);
    expect(other.stderr).toContain(String(it.process!.pid));
  } finally {
    await other.clear();
  }
  process.kill(it.process!.pid!, 'SIGTERM');
  expect(await code).toBe(0);
});

test('a gateway that does not stop is killed, so that all processes end within eight seconds', async () => {
  const code = it.start({ FAKE_STUCK: 'gateway' });
  await it.up();
  const startedAt = performance.now();
  process.kill(it.process!.pid!, 'SIGINT');
  expect(await code).toBe(0);
  // Not a measure of speed: the promise that the contract makes.
  expect(performance.now() - startedAt).toBeLessThan(8_000);
  expect(whats().slice(-2)).toEqual(['api stopping', 'api stopped']);
});

test('a process with invalid settings ends the start', async () => {
  expect(await it.start({ FAKE_SETUP_FAULT: 'gateway' })).toBe(1);
  expect(it.stderr).toContain('the gateway does not start');
  expect(it.postmaster()).toBeUndefined();
});

test('Ctrl-C while the database is being created stops in order as well', async () => {
  const code = it.start();
  await it.until(() => it.stderr.includes('making the database'));
  process.kill(it.process!.pid!, 'SIGINT');
  expect(await code).toBe(0);
  expect(it.lines()).toEqual([]);
  expect(it.postmaster()).toBeUndefined();
});
