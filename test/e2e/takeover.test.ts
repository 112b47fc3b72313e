import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../support/ports.ts';
import { startTestServer, type TestServer } from '../support/postgres.ts';
import { KEY, type Part, part } from '../support/processes.ts';
import { type Receiver, startReceiver } from '../support/receivers.ts';
import type { System } from '../support/system.ts';
import { storedIds, Trackers } from '../support/trackers.ts';

const PATHS = ['/a', '/b', '/c', '/d'];

let server: TestServer;
let folder: string;
let apis: Part[];
let gateway: Part;
let system: System;
let receiver: Receiver;
/** ids of each device at each path, in the order in which they arrived first */
const arrived = new Map(PATHS.map((path) => [path, new Map<string, Set<string>>()]));

/** Asks the first API that answers. */
async function ask<T>(path: string, body?: object): Promise<T> {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const answers = (body === undefined ? apis : apis.slice(0, 1)).map(async ({ url }) => {
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  });
  return Promise.any(answers);
}

beforeAll(async () => {
  server = await startTestServer();
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-takeover-'));
  const DATABASE_URL = await server.database();
  receiver = await startReceiver();
  receiver.answer = ({ path, body }) => {
    const devices = arrived.get(path)!;
    for (const { id, subject } of JSON.parse(body.toString()) as { id: string; subject: string }[]) {
      devices.set(subject, (devices.get(subject) ?? new Set()).add(id));
    }
    return { status: 204 };
  };
  apis = [];
  for (const name of ['one', 'two']) {
    const DATA_DIR = join(folder, name);
    const settings = { AUTO_REGISTER: 'true', STREAM_BATCH: '50', WEBHOOK_PRIVATE: 'true' };
    const api = await part({ ROLE: 'api', DATABASE_URL, DATA_DIR, ...settings });
    apis.push(api);
    await api.start();
  }
  const devicePort = await freePort();
  gateway = await part({
    ROLE: 'gateway',
    API_URL: apis.map(({ url }) => url).join(', '),
    DATA_DIR: join(folder, 'gateway'),
    AUTO_PORT: String(devicePort),
    AUTO_REGISTER: 'true',
  });
  await gateway.start();
  system = { devicePort, metric: gateway.metric, get: (path: string) => ask(path) } as System;
  for (const path of PATHS) {
    await ask('/v1/streams', { name: path.slice(1), type: 'http', url: receiver.url + path, kinds: ['position'] });
  }
}, 300_000);
afterAll(async () => {
  for (const each of [gateway, ...(apis ?? [])]) await each?.kill();
  await receiver?.close();
  rmSync(folder, { recursive: true, force: true });
  await server?.stop();
});

const countAt = (path: string): number => [...arrived.get(path)!.values()].reduce((sum, { size }) => sum + size, 0);
/** Each stream has sent more than now. */
async function streamsGoOn(): Promise<void> {
  const before = PATHS.map(countAt);
  await expect
    .poll(() => PATHS.filter((path, n) => countAt(path) <= before[n]!), { timeout: 60_000, interval: 50 })
    .toEqual([]);
}

it('sends every position of a device at least once and in order while APIs are killed', {
  timeout: 300_000,
}, async () => {
  const trackers = await Trackers.start(system, 4, 720_000);
  try {
    await trackers.progress(100);
    for (const api of apis) {
      await api.kill();
      await trackers.progress(50);
      await streamsGoOn();
      await api.start();
    }
    await trackers.progress(50);
    await trackers.settle();
  } finally {
    trackers.stop();
  }
  while ((await gateway.metric('fleetgate_spool_lag_seconds')) > 0) await sleep(100);
  for (const { device } of trackers.all) {
    const stored = await storedIds(system, device.id);
    for (const path of PATHS) {
      await expect
        .poll(() => arrived.get(path)!.get(device.id)?.size, { timeout: 60_000, interval: 100 })
        .toBe(stored.length);
      expect([...arrived.get(path)!.get(device.id)!], `${device.id} at ${path}`).toEqual(stored);
    }
  }
});
