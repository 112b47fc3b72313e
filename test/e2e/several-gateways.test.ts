import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/ports.ts';
import { startTestServer, type TestServer } from '../support/postgres.ts';
import { KEY, type Part, part } from '../support/processes.ts';

const OFFICE = '10.20.0.7';
const ELSEWHERE = '203.0.113.7';

interface RunningGateway {
  readonly name: string;
  readonly port: number;
  readonly part: Part;
}

let server: TestServer;
let folder: string;
let api: Part;
let gateways: readonly RunningGateway[];

beforeAll(async () => {
  server = await startTestServer();
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-gateways-'));
  const DATABASE_URL = await server.database();
  api = await part({ ROLE: 'api', DATABASE_URL, DATA_DIR: join(folder, 'api'), AUTO_REGISTER: 'false' });
  await api.start();
  gateways = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const port = await freePort();
      const gateway = await part({
        ROLE: 'gateway',
        GATEWAY_ID: name,
        API_URL: api.url,
        DATA_DIR: join(folder, name),
        AUTO_PORT: String(port),
        AUTO_REGISTER: 'false',
        PROXY_PROTOCOL: 'true',
        // without an answer in time a gateway admits the device
        SESSION_QUERY_TIMEOUT_MS: '60000',
      });
      await gateway.start();
      return { name, port, part: gateway };
    }),
  );
}, 300_000);
afterAll(async () => {
  for (const each of [...(gateways ?? []).map((gateway) => gateway.part), api]) await each?.kill();
  rmSync(folder, { recursive: true, force: true });
  await server?.stop();
});

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(api.url + path, {
    method,
    headers: { authorization: `Bearer ${KEY}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

interface Connected {
  readonly socket: Socket;
  readonly closed: Promise<unknown>;
  /** `#AL#1`: admitted, `#AL#0`: not admitted */
  readonly answer: string;
}

/** Logs in from an address that a load balancer names. */
async function logIn(gateway: RunningGateway, imei: string, from: string): Promise<Connected> {
  const socket = connect(gateway.port, '127.0.0.1');
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  socket.write(`PROXY TCP4 ${from} 10.0.0.1 4711 5300\r\n#L#${imei};NA\r\n`);
  const [answer] = (await Promise.race([once(socket, 'data'), closed.then(() => [''])])) as [unknown];
  return { socket, closed, answer: String(answer).trim() };
}

let next = 0;
/** A device that all gateways know. */
async function device(options: Record<string, string> = {}): Promise<string> {
  const imei = `35630704244${String(1000 + next++)}`;
  await call('POST', '/v1/devices', { imei, options });
  for (const [n, gateway] of gateways.entries()) {
    // what a gateway does not know yet, it does not admit
    await expect
      .poll(
        async () => {
          const { socket, answer } = await logIn(gateway, imei, OFFICE);
          socket.destroy();
          return answer;
        },
        { timeout: 60_000, interval: 200 },
      )
      .toBe('#AL#1');
    await expect.poll(async () => (await timeline(imei, 'session-closed')).length, { timeout: 60_000 }).toBe(n + 1);
  }
  return imei;
}
const stateOf = async (imei: string): Promise<unknown> =>
  (await call<Record<string, unknown>>('GET', `/v1/devices/${imei}`))['state'];
const remoteOf = async (imei: string): Promise<unknown> =>
  (await call<Record<string, unknown>>('GET', `/v1/devices/${imei}`))['remote'];

type Entry = { kind: string; gateway: string; detail: Record<string, unknown> | null; remote: string | null };
const timeline = async (imei: string, kind: string): Promise<Entry[]> =>
  (await call<{ items: Entry[] }>('GET', `/v1/devices/${imei}/timeline?limit=100`)).items.filter(
    (entry) => entry.kind === kind,
  );

describe('another connection that uses the id of a device, to another gateway', { timeout: 180_000 }, () => {
  it('takes the session over by default, with an alarm, and the older connection is closed', async () => {
    const [one, two] = gateways as [RunningGateway, RunningGateway];
    const imei = await device();
    const older = await logIn(one, imei, OFFICE);
    expect(older.answer).toBe('#AL#1');
    await expect.poll(() => stateOf(imei), { timeout: 60_000 }).toBe('online');
    const newer = await logIn(two, imei, ELSEWHERE);
    expect(newer.answer).toBe('#AL#1');
    await older.closed;
    await expect
      .poll(() => timeline(imei, 'session-taken-over'), { timeout: 60_000 })
      .toMatchObject([
        { gateway: 'one', remote: `${ELSEWHERE}:4711`, detail: { previous: { remote: `${OFFICE}:4711` } } },
      ]);
    expect(await stateOf(imei)).toBe('online');
    newer.socket.destroy();
  });

  it('is refused while the older session answers, if `oldest` is set, and admitted after it', async () => {
    const [one, two] = gateways as [RunningGateway, RunningGateway];
    const imei = await device({ takeover: 'oldest' });
    const older = await logIn(one, imei, OFFICE);
    expect(older.answer).toBe('#AL#1');
    // at once: the event of the session may not have arrived
    expect((await logIn(two, imei, OFFICE)).answer).toBe('#AL#0');
    await expect.poll(() => stateOf(imei), { timeout: 60_000 }).toBe('online');
    expect((await logIn(two, imei, OFFICE)).answer).toBe('#AL#0');
    await expect
      .poll(async () => (await timeline(imei, 'login-refused'))[0], { timeout: 60_000 })
      .toMatchObject({ gateway: 'two', detail: { reason: 'takeover' } });
    older.socket.write('#P#\r\n');
    expect(String((await once(older.socket, 'data'))[0])).toBe('#AP#\r\n');
    older.socket.destroy();
    await expect
      .poll(async () => (await logIn(two, imei, ELSEWHERE)).answer, { timeout: 60_000, interval: 500 })
      .toBe('#AL#1');
  });

  it('of two that log in at the same time, one is admitted, if `oldest` is set', async () => {
    const imei = await device({ takeover: 'oldest' });
    const both = await Promise.all(gateways.map((gateway) => logIn(gateway, imei, OFFICE)));
    expect(both.map(({ answer }) => answer).sort()).toEqual(['#AL#0', '#AL#1']);
    for (const { socket } of both) socket.destroy();
  });

  it('is refused from another network if the device requires it, and admitted from the same one', async () => {
    const [one, two] = gateways as [RunningGateway, RunningGateway];
    const imei = await device({ takeover: 'same-network' });
    const older = await logIn(one, imei, OFFICE);
    expect((await logIn(two, imei, ELSEWHERE)).answer).toBe('#AL#0');
    await expect.poll(() => stateOf(imei), { timeout: 60_000 }).toBe('online');
    expect((await logIn(two, imei, ELSEWHERE)).answer).toBe('#AL#0');
    await expect
      .poll(async () => (await logIn(two, imei, '10.20.0.200')).answer, { timeout: 60_000, interval: 500 })
      .toBe('#AL#1');
    await older.closed;
  });

  it('of datagrams does not take over the session of a connection', async () => {
    const [one, two] = gateways as [RunningGateway, RunningGateway];
    const imei = await device();
    const older = await logIn(one, imei, OFFICE);
    await expect.poll(() => stateOf(imei), { timeout: 60_000 }).toBe('online');
    const socket = createSocket('udp4');
    socket.connect(two.port, '127.0.0.1');
    await once(socket, 'connect');
    for (let n = 0; n < 2; n++) {
      socket.send(`${imei}#P#\r\n`);
      expect(String((await once(socket, 'message'))[0])).toBe('#AP#\r\n');
    }
    // what the second gateway has reported has arrived when this has
    await device();
    expect(await timeline(imei, 'session-taken-over')).toEqual([]);
    expect(await remoteOf(imei)).toBe(`${OFFICE}:4711`);
    older.socket.write('#P#\r\n');
    expect(String((await once(older.socket, 'data'))[0])).toBe('#AP#\r\n');
    older.socket.destroy();
    socket.close();
  });
});
