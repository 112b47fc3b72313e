import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  api = await part({ ROLE: 'api', DATABASE_URL, DATA_DIR: join(folder, 'api'), AUTO_REGISTER: 'true' });
  await api.start();
  port = await freePort();
  gateway = await part({
    ROLE: 'gateway',
    GATEWAY_ID: 'stopped',
    API_URL: api.url,
    DATA_DIR: join(folder, 'gateway'),
    AUTO_PORT: String(port),
    AUTO_REGISTER: 'true',
  });
  await gateway.start();
}, 300_000);
afterAll(async () => {
  for (const each of [gateway, api]) await each?.kill();
  rmSync(folder, { recursive: true, force: true });
  await server?.stop();
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
});
