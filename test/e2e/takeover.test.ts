import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { report } from '../support/alerts.ts';
import { freePort } from '../support/ports.ts';
import { startTestServer, type TestServer } from '../support/postgres.ts';
import { KEY, type Part, part } from '../support/processes.ts';
import { type Receiver, startReceiver } from '../support/receivers.ts';
import type { System } from '../support/system.ts';
import { storedIds, Trackers } from '../support/trackers.ts';

const ADMIN_PASSWORD = 'password of the administrator';
const PATHS = ['/a', '/b', '/c', '/d'];

let server: TestServer;
let database: pg.Client;
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
  database = new pg.Client({ connectionString: DATABASE_URL, options: '-c search_path=fleetgate' });
  await database.connect();
  receiver = await startReceiver();
  receiver.answer = ({ path, body }) => {
    const devices = arrived.get(path);
    if (devices === undefined) return { status: 200 };
    for (const { id, subject } of JSON.parse(body.toString()) as { id: string; subject: string }[]) {
      devices.set(subject, (devices.get(subject) ?? new Set()).add(id));
    }
    return { status: 204 };
  };
  apis = [];
  for (const name of ['one', 'two']) {
    const DATA_DIR = join(folder, name);
    const settings = { AUTO_REGISTER: 'true', STREAM_BATCH: '50', WEBHOOK_PRIVATE: 'true', ADMIN_PASSWORD };
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
  await database?.end();
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

const SHARDS = 4;
const TAKEN_OVER_MS = 10_000;
/** deliveries that wait or are in flight */
const MOST_WAITING = 200;
const settled = { timeout: 120_000, interval: 100 };
/** the position of a device that is repeated until an API has answered; a repeated one has the same id */
async function send(path: string, body: object): Promise<void> {
  for (;;) {
    for (const { url } of apis) {
      const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
      const method = path.includes('/v1/v1/') ? 'PUT' : 'POST';
      const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) }).catch(() => undefined);
      if (answer?.ok) return;
      if (answer !== undefined && answer.status < 500) throw new Error(`${path}: ${await answer.text()}`);
    }
  }
}
/** How many shards of a follower each process has a lease of that has not ended. */
async function held(follower: string): Promise<number[]> {
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int as count from shard_lease where name like $1 and lease_until > now() group by owner order by 1`,
    [`${follower}/%`],
  );
  return rows.map(({ count }) => count);
}
const rowsOf = async <T extends pg.QueryResultRow>(text: string): Promise<T[]> => (await database.query<T>(text)).rows;
const idsOf = async (text: string): Promise<Set<string>> =>
  new Set((await rowsOf<{ id: string }>(text)).map(({ id }) => id));
/** Requests so far, by the id of their delivery. */
const requests = (): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { path, headers } of receiver.received) {
    if (arrived.has(path)) continue;
    const id = String(headers['webhook-id']);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
};

it('evaluates rules and sends webhooks and messages once while APIs are killed, but what was in flight', {
  timeout: 400_000,
}, async () => {
  const imeis = Array.from({ length: 8 }, (_, n) => `takeover-${n}`);
  const hooks = Array.from({ length: 6 }, (_, n) => `/events-${n}`);
  for (const [n, imei] of imeis.entries()) {
    await send('/v1/positions', { positions: [report(imei, '2026-06-01T00:00:00Z')] });
    await send('/v1/vehicles', { targa: `TAKE${n}` });
    await send('/v1/pairings', { targa: `TAKE${n}`, imei, from: 1_000_000_000_001 });
  }
  await send('/v1/v1/notifications', {
    notification_data: {
      type: 'sos',
      users: ['admin'],
      vehicles: imeis.map((_, n) => `TAKE${n}`),
      channels: ['webhook'],
      params: { webhookUrl: `${receiver.url}/message` },
    },
  });
  for (const path of hooks) await send('/v1/webhooks', { url: receiver.url + path, events: ['position'] });
  for (const follower of ['rules', 'webhooks']) await expect.poll(() => held(follower), settled).toEqual([2, 2]);

  const positions: { readonly imei: string; readonly at: string }[] = [];
  let isSending = true;
  const sender = (async (): Promise<void> => {
    for (let n = 1; isSending; n++) {
      const at = new Date(Date.UTC(2026, 5, 2) + n * 600_000).toISOString();
      for (const imei of imeis) {
        await send('/v1/positions', { positions: [report(imei, at, { attributes: { alarm: 'sos' } })] });
        positions.push({ imei, at });
        // one to each webhook and a message: no more than can be delivered meanwhile
        while (isSending && (hooks.length + 1) * positions.length - requests().size > MOST_WAITING) await sleep(50);
      }
    }
  })();
  /** deliveries that were in flight when a process was killed */
  const inFlight = new Set<string>();
  const before = (): number => requests().size;
  const progress = async (): Promise<void> => {
    const wanted = before() + 100;
    await expect.poll(before, settled).toBeGreaterThan(wanted);
  };
  try {
    for (const api of apis) {
      await progress();
      await api.kill();
      const done = await idsOf(`select id from delivery where state = 'delivered'`);
      for (const id of requests().keys()) if (!done.has(id)) inFlight.add(id);
      for (const follower of ['rules', 'webhooks']) {
        await expect.poll(() => held(follower), { timeout: TAKEN_OVER_MS, interval: 50 }).toEqual([SHARDS]);
      }
      await progress();
      await api.start();
      for (const follower of ['rules', 'webhooks']) await expect.poll(() => held(follower), settled).toEqual([2, 2]);
    }
    await progress();
  } finally {
    isSending = false;
    await sender;
  }
  const places = `join device d on d.id = n.device_id where d.imei like 'takeover-%'`;
  const notified = () =>
    rowsOf<{ imei: string; at: Date }>(`select d.imei, n.occurred_at as at from notification n ${places}`);
  const keys = (list: readonly { readonly imei: string; readonly at: Date | string }[]): string[] =>
    list.map(({ imei, at }) => `${imei} ${new Date(at).toISOString()}`).sort();
  await expect.poll(async () => keys(await notified()), settled).toEqual(keys(positions));
  await expect.poll(() => idsOf(`select id from delivery where state = 'pending'`), settled).toEqual(new Set());

  // every event reached every webhook in one delivery, every message its receiver
  for (const path of hooks) {
    const deliveries = new Map(
      receiver.received
        .filter((one) => one.path === path)
        .map(({ headers, body }) => [headers['webhook-id'], JSON.parse(String(body)).events]),
    );
    const alarms = [...deliveries.values()].flat().filter(({ data }) => data.attributes.alarm === 'sos');
    expect(keys(alarms.map(({ data }) => ({ imei: data.imei, at: data.fixTime }))), path).toEqual(keys(positions));
  }
  const messages = receiver.received.filter(({ path }) => path === '/message');
  expect(new Set(messages.map(({ headers }) => headers['webhook-id'])).size).toBe(positions.length);
  // nothing was sent twice but what was in flight
  const repeated = [...requests()].flatMap(([id, count]) => (count > 1 ? [id] : []));
  expect(repeated.filter((id) => !inFlight.has(id))).toEqual([]);
});
