import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkNode } from '../../../src/cli/doctor/machine.ts';
import { runCommand } from '../../support/command-line.ts';

// Real processes and disks: what takes a second on a machine of one's own takes a minute on a crowded one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let folder: string;
let server: Server | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-doctor-'));
});
afterEach(() => {
  server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** Ports that nothing is asked of. */
const quiet = (): Record<string, string> => ({ DATA_DIR: join(folder, 'data'), PORT: '0', AUTO_PORT: '0' });

async function listening(answer?: string): Promise<number> {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (answer !== undefined) socket.on('data', () => socket.write(answer));
  });
  await new Promise<void>((done) => server!.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

test('a correct setup has no problems', async () => {
  const { code, stdout } = await runCommand(['doctor'], quiet());
  expect(stdout).not.toMatch(/^fail/m);
  expect(stdout).toMatch(/^ok {4}postgres \(PostgreSQL\) \d+\.\d+ runs here$/m);
  expect(code).toBe(0);
});

test('every wrong setting is listed', async () => {
  const { code, stdout } = await runCommand(['doctor'], { ...quiet(), PORT: 'x', ROLE: 'queen' });
  expect(stdout).toMatch(/^fail {2}PORT: /m);
  expect(stdout).toMatch(/^fail {2}ROLE: /m);
  expect(code).toBe(1);
});

test('a port in use is reported, with instructions', async () => {
  const port = await listening();
  const { code, stdout } = await runCommand(['doctor'], { ...quiet(), PORT_GT06: String(port) });
  expect(stdout).toMatch(
    new RegExp(`^fail  PORT_GT06: 127\\.0\\.0\\.1:${port} cannot be opened .*\\n +→ .*another PORT_GT06`, 'm'),
  );
  expect(code).toBe(1);
});

test('a database and a Redis that do not answer are reported', async () => {
  const nobody = 'redis://127.0.0.1:1';
  const settings = { ...quiet(), DATABASE_URL: 'postgresql://u:hunter2@127.0.0.1:1/x', REDIS_URL: nobody };
  const { code, stdout, stderr } = await runCommand(['doctor'], settings);
  expect(stdout).toMatch(/^fail {2}the database does not answer: .*ECONNREFUSED/m);
  expect(stdout).toMatch(/^fail {2}Redis does not answer: .*ECONNREFUSED/m);
  expect(stdout + stderr).not.toContain('hunter2');
  expect(code).toBe(1);
});

test('an available Redis is reported, and one that requires another password', async () => {
  const port = await listening('+PONG\r\n');
  expect((await runCommand(['doctor'], { ...quiet(), REDIS_URL: `redis://127.0.0.1:${port}` })).stdout).toMatch(
    /^ok {4}Redis answers$/m,
  );
  server!.close();
  const strict = await listening('-NOAUTH Authentication required.\r\n');
  const { stdout } = await runCommand(['doctor'], { ...quiet(), REDIS_URL: `redis://127.0.0.1:${strict}` });
  expect(stdout).toMatch(/^fail {2}Redis answers -NOAUTH/m);
});

test('keys that others can read are reported', async () => {
  const data = join(folder, 'data');
  mkdirSync(join(data, 'keys'), { recursive: true });
  chmodSync(join(data, 'keys'), 0o755);
  const { code, stdout } = await runCommand(['doctor'], quiet());
  expect(stdout).toMatch(/^fail .*keys is open to other users\n +→ chmod -R go-rwx/m);
  expect(code).toBe(1);
});

test('a DATA_DIR that is a file is reported', async () => {
  writeFileSync(join(folder, 'data'), '');
  const { code, stdout } = await runCommand(['doctor'], quiet());
  expect(stdout).toMatch(/^fail {2}DATA_DIR .* is no folder/m);
  expect(code).toBe(1);
});

test('a Node that is too old is reported', () => {
  expect(checkNode('20.18.3').level).toBe('fail');
  expect(checkNode('18.20.0').level).toBe('fail');
  expect(checkNode('20.19.0').level).toBe('ok');
  expect(checkNode('24.1.0').level).toBe('ok');
});
