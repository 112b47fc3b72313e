import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../support/command-line.ts';
import { freePort } from '../support/ports.ts';
import { startTestServer, type TestServer } from '../support/postgres.ts';
import { KEY, type Part, part } from '../support/processes.ts';

const STOLEN = '860000000000501';
const SOLD = '860000000000502';

let server: TestServer;
let folder: string;
let api: Part;
let gateway: Part;
let port: number;
let databaseUrl: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-blocked-'));
  const DATABASE_URL = await server.database();
  databaseUrl = DATABASE_URL;
  api = await part({ ROLE: 'api', DATABASE_URL, DATA_DIR: join(folder, 'api'), AUTO_REGISTER: 'true' });
  await api.start();
  port = await freePort();
  const DATA_DIR = join(folder, 'gateway');
  const settings = { ROLE: 'gateway', API_URL: api.url, DATA_DIR, AUTO_PORT: String(port), AUTO_REGISTER: 'true' };
  gateway = await part(settings);
  await gateway.start();
}, 300_000);
afterAll(async () => {
  for (const each of [gateway, api]) await each?.kill();
  rmSync(folder, { recursive: true, force: true });
  await server?.stop();
});

async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(api.url + path, {
    method,
    headers: { authorization: `Bearer ${KEY}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { ...((await answer.json()) as object), status: answer.status };
}
const stateOf = async (imei: string) => (await call('GET', `/v1/devices/${imei}`))['state'];

/** What the gateway answers to the login: `#AL#1`: admitted, `#AL#0`: not admitted. */
async function logIn(imei: string): Promise<{ socket: Socket; answer: string }> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`#L#${imei};NA\r\n`);
  const [answer] = (await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])])) as [unknown];
  return { socket, answer: String(answer).trim() };
}

it('a stolen device is blocked: its session ends, it is not admitted, and its records stay', async () => {
  const { socket } = await logIn(STOLEN);
  await expect.poll(() => stateOf(STOLEN), { timeout: 60_000 }).toBe('online');
  const closed = once(socket, 'close');
  expect(await call('PUT', `/v1/devices/${STOLEN}/block`, { note: 'stolen in Turin' })).toMatchObject({
    status: 200,
    blockedAt: expect.any(String),
    blockedNote: 'stolen in Turin',
  });
  await closed;
  await expect.poll(() => stateOf(STOLEN), { timeout: 60_000 }).toBe('offline');
  expect((await logIn(STOLEN)).answer).toBe('#AL#0');
  // also by a gateway that has started since
  await gateway.stop();
  await gateway.start();
  // before the first device list, AUTO_REGISTER admits every device; the list ends its session
  await expect.poll(async () => (await logIn(STOLEN)).answer, { timeout: 60_000 }).toBe('#AL#0');

  expect(await call('DELETE', `/v1/devices/${STOLEN}/block`)).toMatchObject({ status: 200, blockedAt: null });
  await expect.poll(async () => (await logIn(STOLEN)).answer, { timeout: 60_000 }).toBe('#AL#1');
  const host = { DATABASE_URL: databaseUrl };
  expect(await runCommand(['devices', 'block', STOLEN, '--note', 'again'], host)).toMatchObject({ code: 0 });
  await expect.poll(async () => (await logIn(STOLEN)).answer, { timeout: 60_000 }).toBe('#AL#0');
  expect((await call('GET', `/v1/devices/${STOLEN}`))['blockedNote']).toBe('again');
  expect(await runCommand(['devices', 'unblock', STOLEN], host)).toMatchObject({ code: 0 });
  expect(await runCommand(['devices', 'block', 'nobody'], host)).toMatchObject({ code: 1 });
  expect(await call('PUT', '/v1/devices/860000000000999/block', {})).toMatchObject({ code: 'unknown-device' });
});

it('a device that was removed does not register itself again, until it is registered by hand', async () => {
  const { socket } = await logIn(SOLD);
  await expect.poll(() => stateOf(SOLD), { timeout: 60_000 }).toBe('online');
  const closed = once(socket, 'close');
  expect(await call('DELETE', `/v1/devices/${SOLD}`)).toMatchObject({ status: 200 });
  await closed;
  expect((await logIn(SOLD)).answer).toBe('#AL#0');
  // it is listed among the unknown ones, from where a person can register it
  await expect
    .poll(async () => JSON.stringify(await call('GET', '/v1/devices?state=unknown')), { timeout: 60_000 })
    .toContain(SOLD);
  expect(await call('GET', `/v1/devices/${SOLD}`)).toMatchObject({ code: 'unknown-device' });
  await call('POST', '/v1/devices', { imei: SOLD });
  await expect.poll(async () => (await logIn(SOLD)).answer, { timeout: 60_000 }).toBe('#AL#1');
  expect(await gateway.metric('fleetgate_spool_set_aside')).toBe(0);
});
