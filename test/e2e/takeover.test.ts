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
/** where streams send to */
const PATHS = ['/a', '/b', '/c', '/d'];
/** where webhooks send to, beside the messages of rules */
const HOOKS = Array.from({ length: 6 }, (_, n) => `/events-${n}`);
const MESSAGES = '/message';
const IMEIS = Array.from({ length: 8 }, (_, n) => `takeover-${n}`);
const FOLLOWERS = ['rules', 'webhooks'];
const SHARDS = 4;
const TAKEN_OVER_MS = 10_000;
/** deliveries that wait or are in flight */
const MOST_WAITING = 100;
const ALARMS_EVERY_MS = 250;
const settled = { timeout: 120_000, interval: 50 };

let server: TestServer;
let database: pg.Client;
let folder: string;
let apis: Part[];
let gateway: Part;
let system: System;
let receiver: Receiver;
let trackers: Trackers;
/** ids of each device at each path of a stream, in the order in which they arrived first */
const arrived = new Map(PATHS.map((path) => [path, new Map<string, Set<string>>()]));
/** positions with an alarm that were accepted */
const alarms: { readonly imei: string; readonly at: string }[] = [];
/** deliveries that were in flight when a process was killed */
const inFlight = new Set<string>();

/** Repeats the request until an API has answered it; a position that is repeated has the same id. */
async function ask<T>(path: string, body?: object, method = body === undefined ? 'GET' : 'POST'): Promise<T> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  for (let n = 0; ; n++) {
    const { url } = apis[n % apis.length]!;
    const request = fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const answer = await request.catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    if (answer?.ok && text !== undefined) return (text === '' ? undefined : JSON.parse(text)) as T;
    if (answer !== undefined && answer.status < 500) throw new Error(`${path}: ${answer.status} ${text}`);
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

/** Requests of webhooks and messages so far, by the id of their delivery. */
function requests(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path, headers } of receiver.received) {
    if (arrived.has(path)) continue;
    const id = String(headers['webhook-id']);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
const countAt = (path: string): number => [...arrived.get(path)!.values()].reduce((sum, { size }) => sum + size, 0);

/** Gateways are acknowledged, each stream has sent more than now, and so many more deliveries have arrived. */
async function progress(count: number): Promise<void> {
  const streamed = PATHS.map(countAt);
  const wanted = requests().size + count;
  await trackers.progress(count);
  await expect.poll(() => PATHS.filter((path, n) => countAt(path) <= streamed[n]!), settled).toEqual([]);
  await expect.poll(() => requests().size, settled).toBeGreaterThanOrEqual(wanted);
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
    apis.push(await part({ ROLE: 'api', DATABASE_URL, DATA_DIR, ...settings }));
  }
  const devicePort = await freePort();
  gateway = await part({
    ROLE: 'gateway',
    API_URL: apis.map(({ url }) => url).join(', '),
    DATA_DIR: join(folder, 'gateway'),
    AUTO_PORT: String(devicePort),
    AUTO_REGISTER: 'true',
  });
  await Promise.all([...apis, gateway].map((each) => each.start()));
  system = { devicePort, metric: gateway.metric, get: (path: string) => ask(path) } as System;
  await setUp();
}, 300_000);
afterAll(async () => {
  trackers?.stop();
  for (const each of [gateway, ...(apis ?? [])]) await each?.kill();
  await receiver?.close();
  await database?.end();
  rmSync(folder, { recursive: true, force: true });
  await server?.stop();
});

/** Streams and webhooks of all positions, and a rule that sends a message for each alarm of eight vehicles. */
async function setUp(): Promise<void> {
  for (const path of PATHS) {
    await ask('/v1/streams', { name: path.slice(1), type: 'http', url: receiver.url + path, kinds: ['position'] });
  }
  await ask('/v1/positions', { positions: IMEIS.map((imei) => report(imei, '2026-06-01T00:00:00Z')) });
  for (const [n, imei] of IMEIS.entries()) {
    await ask('/v1/vehicles', { targa: `TAKE${n}` });
    await ask('/v1/pairings', { targa: `TAKE${n}`, imei, from: 1_000_000_000_001 });
  }
  const notification = {
    type: 'sos',
    users: ['admin'],
    vehicles: IMEIS.map((_, n) => `TAKE${n}`),
    channels: ['webhook'],
    params: { webhookUrl: receiver.url + MESSAGES },
  };
  await ask('/v1/v1/notifications', { notification_data: notification }, 'PUT');
  for (const path of HOOKS) await ask('/v1/webhooks', { url: receiver.url + path, events: ['position'] });
}

/** Sends positions with an alarm, so many that processes have time for other work; the function that it returns ends that. */
function sendAlarms(): () => Promise<void> {
  let isSending = true;
  const sender = (async (): Promise<void> => {
    for (let n = 1; isSending; n++) {
      const at = new Date(Date.UTC(2026, 5, 2) + n * 600_000).toISOString();
      const positions = IMEIS.map((imei) => report(imei, at, { attributes: { alarm: 'sos' } }));
      await ask('/v1/positions', { positions });
      alarms.push(...IMEIS.map((imei) => ({ imei, at })));
      await sleep(ALARMS_EVERY_MS);
      // no more than can be delivered meanwhile
      const waiting = (): number => (HOOKS.length + IMEIS.length) * n - requests().size;
      while (isSending && waiting() > MOST_WAITING) await sleep(ALARMS_EVERY_MS);
    }
  })();
  return () => {
    isSending = false;
    return sender;
  };
}

const keys = (list: readonly { readonly imei: string; readonly at: Date | string }[]): string[] =>
  list.map(({ imei, at }) => `${imei} ${new Date(at).toISOString()}`).sort();

it('takes the work of an API over within 10 s of its death', { timeout: 300_000 }, async () => {
  for (const follower of FOLLOWERS) await expect.poll(() => held(follower), settled).toEqual([2, 2]);
  trackers = await Trackers.start(system, 4, 720_000);
  const end = sendAlarms();
  try {
    for (const [n, api] of apis.entries()) {
      await progress(50);
      await api.kill();
      const done = await idsOf(`select id from delivery where state = 'delivered'`);
      for (const id of requests().keys()) if (!done.has(id)) inFlight.add(id);
      await Promise.all(
        FOLLOWERS.map((follower) =>
          expect.poll(() => held(follower), { timeout: TAKEN_OVER_MS, interval: 50 }).toEqual([SHARDS]),
        ),
      );
      await progress(50);
      // the other one goes on alone after the last
      if (n === apis.length - 1) continue;
      await api.start();
      for (const follower of FOLLOWERS) await expect.poll(() => held(follower), settled).toEqual([2, 2]);
    }
  } finally {
    await end();
  }
  await trackers.settle();
  while ((await gateway.metric('fleetgate_spool_lag_seconds')) > 0) await sleep(50);
});

it('has sent every position of a device at least once and in order to each stream', async () => {
  for (const { device } of trackers.all) {
    const stored = await storedIds(system, device.id);
    for (const path of PATHS) {
      await expect.poll(() => arrived.get(path)!.get(device.id)?.size, settled).toBe(stored.length);
      expect([...arrived.get(path)!.get(device.id)!], `${device.id} at ${path}`).toEqual(stored);
    }
  }
});

it('has evaluated the rules of every position once', async () => {
  const places = `join device d on d.id = n.device_id where d.imei like 'takeover-%'`;
  const notified = () =>
    rowsOf<{ imei: string; at: Date }>(`select d.imei, n.occurred_at as at from notification n ${places}`);
  await expect.poll(async () => keys(await notified()), settled).toEqual(keys(alarms));
});

it('has sent each event to each webhook, and each message, once, but what was in flight', async () => {
  await expect.poll(() => idsOf(`select id from delivery where state = 'pending'`), settled).toEqual(new Set());
  for (const path of HOOKS) {
    const deliveries = new Map(
      receiver.received
        .filter((one) => one.path === path)
        .map(({ headers, body }) => [headers['webhook-id'], JSON.parse(String(body)).events]),
    );
    const received = [...deliveries.values()].flat().filter(({ data }) => data.attributes.alarm === 'sos');
    expect(keys(received.map(({ data }) => ({ imei: data.imei, at: data.fixTime }))), path).toEqual(keys(alarms));
  }
  const messages = receiver.received.filter(({ path }) => path === MESSAGES);
  expect(new Set(messages.map(({ headers }) => headers['webhook-id'])).size).toBe(alarms.length);
  const repeated = [...requests()].flatMap(([id, count]) => (count > 1 ? [id] : []));
  expect(repeated.filter((id) => !inFlight.has(id))).toEqual([]);
});
