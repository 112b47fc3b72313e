import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../support/command-line.ts';
import { freePort } from '../support/ports.ts';
import { startTestServer, type TestServer } from '../support/postgres.ts';
import { KEY, type Part, part } from '../support/processes.ts';

const DEVICES = ['860000000000401', '860000000000402', '860000000000403'];

let server: TestServer;
let folder: string;
let api: Part;
let gateway: Part;
let port: number;

beforeAll(async () => {
  server = await startTestServer();
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-stop-'));
  const DATABASE_URL = await server.database();
  api = await part({
    ROLE: 'api',
    DATABASE_URL,
    DATA_DIR: join(folder, 'api'),
    AUTO_REGISTER: 'true',
    OPEN_COMMANDS: '2',
  });
  await api.start();
  port = await freePort();
  gateway = await part(settings());
  await gateway.start();
}, 300_000);
afterAll(async () => {
  for (const each of [gateway, api]) await each?.kill();
  rmSync(folder, { recursive: true, force: true });
  await server?.stop();
});

const settings = (): Record<string, string> => ({
  ROLE: 'gateway',
  GATEWAY_ID: 'stopped',
  API_URL: api.url,
  DATA_DIR: join(folder, 'gateway'),
  AUTO_PORT: String(port),
  AUTO_REGISTER: 'true',
  INTERNAL_KEY: 'internal-key-of-several-processes',
});

async function get<T>(path: string): Promise<T> {
  const answer = await fetch(api.url + path, { headers: { authorization: `Bearer ${KEY}` } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

const stateOf = async (imei: string): Promise<string | undefined> =>
  (await get<{ items: { imei: string; state: string }[] }>('/v1/devices')).items.find((each) => each.imei === imei)
    ?.state;

async function logIn(imei: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`#L#${imei};NA\r\n`);
  await once(socket, 'data');
  return socket;
}

interface GatewayShown {
  readonly connected: boolean;
  readonly waiting: number | null;
  readonly stoppedAt: string | null;
}

const shown = async (): Promise<GatewayShown> =>
  (await get<{ items: (GatewayShown & { gateway: string })[] }>('/v1/gateways')).items.find(
    (each) => each.gateway === 'stopped',
  )!;

describe('a gateway that stops in order', () => {
  it('has no device online, and nothing waiting, when its process has ended', async () => {
    const sockets = await Promise.all(DEVICES.map(logIn));
    for (const imei of DEVICES) await expect.poll(() => stateOf(imei), { timeout: 60_000 }).toBe('online');
    expect(await shown()).toMatchObject({ connected: true, stoppedAt: null });
    await gateway.stop();
    // asked once: whatever the process had to report has arrived before it ended
    expect(await Promise.all(DEVICES.map(stateOf))).toEqual(DEVICES.map(() => 'offline'));
    expect(await shown()).toMatchObject({ connected: false, waiting: 0, stoppedAt: expect.any(String) });
    for (const socket of sockets) socket.destroy();
  });

  it('is connected again after its next start', async () => {
    await gateway.start();
    await expect.poll(async () => (await shown()).connected, { timeout: 60_000 }).toBe(true);
    expect((await shown()).stoppedAt).toBeNull();
  });

  it('is not ready while it still serves, closes its connections in waves, and then ends', async () => {
    await gateway.stop();
    const draining = await part({ ...settings(), DRAIN_NOTICE_S: '600', DRAIN_CLOSE_S: '2' });
    gateway = draining;
    await draining.start();
    const before = await Promise.all(DEVICES.map(logIn));
    draining.signal('SIGTERM');
    await expect.poll(async () => (await fetch(`${draining.url}/readyz`)).status, { timeout: 60_000 }).toBe(503);
    // new devices are served as before, and so are those that are connected
    const late = await logIn('860000000000404');
    before[0]!.write('#P#\r\n');
    expect(String((await once(before[0]!, 'data'))[0])).toContain('#AP#');
    const closed = Promise.all([...before, late].map((socket) => once(socket, 'close')));
    // asked a second time, it does not wait any longer
    draining.signal('SIGTERM');
    await closed;
    await draining.stop();
    expect(await shown()).toMatchObject({ connected: false, waiting: 0 });
  });

  it('leaves what the API has not got, which is reported, and delivered by spool push', async () => {
    gateway = await part({ ...settings(), DRAIN_PUSH_S: '0' });
    await gateway.start();
    await expect.poll(async () => (await shown()).connected, { timeout: 60_000 }).toBe(true);
    await api.stop();
    const socket = await logIn('860000000000405');
    const drained = await runCommand(['drain'], settings());
    expect(drained).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^stopped after [\d.]+ s, [1-9]\d* records left/),
    });
    socket.destroy();
    await api.start();
    // it could not say that it stops: nobody knows what its spool has
    expect(await shown()).toMatchObject({ connected: expect.any(Boolean), stoppedAt: null });
    const push = () => runCommand(['spool', 'push'], settings());
    const pushed = await push();
    expect(pushed).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^[1-9]\d* records of stopped delivered, 0 left/),
    });
    await expect.poll(() => stateOf('860000000000405'), { timeout: 60_000 }).toBe('offline');
    expect(await shown()).toMatchObject({ connected: false, waiting: 0, stoppedAt: expect.any(String) });
    const metrics = await (await fetch(`${api.url}/metrics`)).text();
    expect(metrics).not.toMatch(/^fleetgate_gateway_left_records\{/m);
  });
});

describe('a command queue that is full', () => {
  it('is counted', async () => {
    const send = (name: string) =>
      fetch(`${api.url}/v1/gprsCommands`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ imei: DEVICES[0], gprsCommand: name }),
      });
    expect(await api.metric('fleetgate_command_queues_full')).toBe(0);
    for (const name of ['getinfo', 'getver']) expect((await send(name)).status).toBeLessThan(300);
    await expect.poll(() => api.metric('fleetgate_command_queues_full'), { timeout: 60_000 }).toBe(1);
  });
});
