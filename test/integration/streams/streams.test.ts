import { Redis } from 'ioredis';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { transaction } from '../../../src/server/database/index.ts';
import { trim } from '../../../src/server/ingest/feed/store.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { TestMosquitto } from '../../support/mosquitto.ts';
import { needs } from '../../support/programs.ts';
import { type Receiver, startReceiver } from '../../support/receivers.ts';
import { TestRedis } from '../../support/redis.ts';
import { createStream, drive, type Event, firstOf, readBatch, readEvent, storedIds } from '../../support/streams.ts';

const redisServer = needs('redis-server');
const mosquitto = needs('mosquitto');
const waiting = { timeout: 60_000, interval: 50 };
const numbers = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n);

let databaseUrl: string;
let api: RunningApi;
let receiver: Receiver;

beforeAll(async () => {
  databaseUrl = await withDatabase(async (url) => url);
  api = await startApi(databaseUrl);
  receiver = await startReceiver();
});
afterAll(async () => {
  await api?.stop();
  await receiver?.close();
  await dropDatabases();
});

const eventsOf = (path: string): Event[] =>
  receiver.received.filter((one) => one.path === path).flatMap((one) => readBatch(one));
const idsOf = (path: string, imei: string): string[] =>
  eventsOf(path).flatMap(({ subject, id }) => (subject === imei ? [id] : []));

describe('a stream over HTTP', () => {
  test('sends positions and alarms as CloudEvents, in order, and counts them', async () => {
    const made = await createStream(api, { url: `${receiver.url}/all`, kinds: ['position', 'alarm'] });
    expect(made.status).toBe(200);
    await drive(api, 'http-1', numbers(1, 250));
    const stored = await storedIds(api, 'http-1');
    await vi.waitFor(() => expect(firstOf(idsOf('/all', 'http-1'))).toEqual(stored), waiting);
    await vi.waitFor(async () => {
      const { body } = await api.get(`/v1/streams/${made.body.id}`);
      expect(body).toMatchObject({ state: 'active', sent: 250, failed: 0, lagRecords: 0, problem: null });
    }, waiting);
    expect(receiver.received.at(-1)!.headers).toMatchObject({
      'webhook-signature': expect.stringMatching(/^v1,/),
      'content-type': 'application/cloudevents-batch+json',
    });
  });

  test('selects vehicles', async () => {
    await createStream(api, { name: 'one', url: `${receiver.url}/one`, vehicles: ['chosen'] });
    await drive(api, 'other', [1]);
    await drive(api, 'chosen', [1]);
    await vi.waitFor(() => expect(idsOf('/one', 'chosen')).toHaveLength(1), waiting);
    expect(eventsOf('/one').map(({ subject }) => subject)).toEqual(['chosen']);
  });

  test('keeps events that it cannot deliver, and delivers them later', async () => {
    let isDown = true;
    receiver.answer = ({ path }) => ({ status: isDown && path === '/down' ? 503 : 204 });
    const { body: stream } = await createStream(api, { name: 'down', url: `${receiver.url}/down` });
    await drive(api, 'down-1', numbers(1, 20));
    await vi.waitFor(async () => {
      const { body } = await api.get(`/v1/streams/${stream.id}`);
      expect(body).toMatchObject({ problem: 'status 503', sent: 0, lagRecords: 20 });
    }, waiting);
    receiver.received.length = 0;
    isDown = false;
    const stored = await storedIds(api, 'down-1');
    await vi.waitFor(() => expect(firstOf(idsOf('/down', 'down-1'))).toEqual(stored), waiting);
  });

  test('keeps what the receiver rejects as a dead letter, and sends it again on request', async () => {
    let isStrict = true;
    receiver.answer = ({ path, body }) => ({
      status: isStrict && path === '/strict' && body.includes('"http-poison"') ? 422 : 204,
    });
    const { body: stream } = await createStream(api, { name: 'strict', url: `${receiver.url}/strict` });
    await drive(api, 'strict-1', numbers(1, 5));
    await drive(api, 'http-poison', [1]);
    await drive(api, 'strict-1', numbers(6, 5));
    const letters = async () => (await api.get(`/v1/streams/${stream.id}/dead-letters`)).body.items;
    await vi.waitFor(async () => expect(await letters()).toHaveLength(1), waiting);
    const [poison] = await storedIds(api, 'http-poison');
    expect((await letters())[0]).toMatchObject({ id: poison, imei: 'http-poison', reason: 'status 422' });
    await vi.waitFor(() => expect(firstOf(idsOf('/strict', 'strict-1'))).toHaveLength(10), waiting);
    isStrict = false;
    receiver.received.length = 0;
    const replayed = await api.send('POST', `/v1/streams/${stream.id}/dead-letters/replay`);
    expect(replayed.body).toEqual({ count: 1 });
    await vi.waitFor(() => expect(idsOf('/strict', 'http-poison')).toEqual([poison]), waiting);
    await vi.waitFor(async () => expect(await letters()).toEqual([]), waiting);
  });

  test('sends nothing while it is paused, and all of it afterwards', async () => {
    const { body: stream } = await createStream(api, { name: 'pause', url: `${receiver.url}/pause` });
    await drive(api, 'pause-1', [1]);
    await vi.waitFor(() => expect(idsOf('/pause', 'pause-1')).toHaveLength(1), waiting);
    const lease = 'select lease_owner is null as free from stream_status where stream_id = $1';
    expect((await api.send('POST', `/v1/streams/${stream.id}/pause`)).body.state).toBe('paused');
    await vi.waitFor(
      async () => expect((await api.database.ingest.query(lease, [stream.id])).rows).toEqual([{ free: true }]),
      waiting,
    );
    await drive(api, 'pause-1', [2]);
    await api.send('POST', `/v1/streams/${stream.id}/resume`);
    await vi.waitFor(() => expect(firstOf(idsOf('/pause', 'pause-1'))).toHaveLength(2), waiting);
    const removed = await api.send('DELETE', `/v1/streams/${stream.id}`);
    expect(removed.status).toBe(200);
    const cursors = 'select from feed_cursor where name = $1';
    expect((await api.database.ingest.query(cursors, [`stream:${stream.id}`])).rowCount).toBe(0);
  });
});

describe('a replay', () => {
  test('sends stored positions again, of the vehicles and the interval, before new events', async () => {
    await drive(api, 'replay-1', numbers(1, 30));
    await drive(api, 'replay-2', numbers(1, 5));
    await drive(api, 'replay-not', [1]);
    const vehicles = ['replay-1', 'replay-2'];
    const { body: stream } = await createStream(api, { name: 'replay', url: `${receiver.url}/replay`, vehicles });
    await api.send('POST', `/v1/streams/${stream.id}/pause`);
    const [first, ...others] = (await api.get('/v1/devices/replay-1/positions?limit=500')).body.items;
    const from = others[9].fixTime;
    expect(from > first.fixTime).toBe(true);
    const asked = await api.send('POST', `/v1/streams/${stream.id}/replay`, { from });
    expect(asked.body.replay).toEqual({ from, until: expect.any(String) });
    await drive(api, 'replay-1', [31]);
    await api.send('POST', `/v1/streams/${stream.id}/resume`);
    const stored = await storedIds(api, 'replay-1');
    // a position that is stored during a replay may be sent by both
    await vi.waitFor(() => expect(firstOf(idsOf('/replay', 'replay-1'))).toEqual(stored.slice(10)), waiting);
    expect(idsOf('/replay', 'replay-not')).toEqual([]);
    await vi.waitFor(
      async () =>
        expect((await api.get(`/v1/streams/${stream.id}`)).body).toMatchObject({ replay: null, lagRecords: 0 }),
      waiting,
    );
    const { body: all } = await api.send('POST', `/v1/streams/${stream.id}/replay`, { from: '2000-01-01T00:00:00Z' });
    expect(all.replay).not.toBeNull();
    await vi.waitFor(() => expect(idsOf('/replay', 'replay-2')).toHaveLength(5), waiting);
    const [live] = eventsOf('/replay').filter(({ id }) => id === stored.at(-1));
    const [again] = eventsOf('/replay')
      .filter(({ id }) => id === stored.at(-1))
      .slice(1);
    expect(again).toEqual(live);
  });

  test('goes on where it was when another process takes over', async () => {
    await drive(api, 'resumed-1', numbers(1, 250));
    const paged = await startApi(databaseUrl, { STREAM_BATCH: 100 });
    const only = ['resumed-1'];
    receiver.answer = () => ({ status: 204 });
    const { body: stream } = await createStream(api, {
      name: 'resumed',
      url: `${receiver.url}/resumed`,
      vehicles: only,
    });
    try {
      await api.send('POST', `/v1/streams/${stream.id}/replay`, { from: '2000-01-01T00:00:00Z' });
      await vi.waitFor(() => expect(idsOf('/resumed', 'resumed-1').length).toBeGreaterThan(0), waiting);
    } finally {
      await paged.stop();
    }
    const stored = await storedIds(api, 'resumed-1');
    await vi.waitFor(() => expect(firstOf(idsOf('/resumed', 'resumed-1'))).toEqual(stored), waiting);
  });
});

test('a stream that was behind for longer than events are kept reports that it has lost some, until they are replayed', async () => {
  receiver.answer = () => ({ status: 204 });
  const { body: stream } = await createStream(api, { name: 'late', url: `${receiver.url}/late`, vehicles: ['late-1'] });
  await api.send('POST', `/v1/streams/${stream.id}/pause`);
  const { ingest } = api.database;
  const free = 'select from stream_status where stream_id = $1 and lease_owner is null';
  await vi.waitFor(async () => expect((await ingest.query(free, [stream.id])).rowCount).toBe(1), waiting);
  await drive(api, 'late-1', [1, 2]);
  // as if seven days had passed
  await transaction(ingest, (tx) => trim(tx, 60, 0));
  await drive(api, 'late-1', [3]);
  await api.send('POST', `/v1/streams/${stream.id}/resume`);
  const stored = await storedIds(api, 'late-1');
  await vi.waitFor(() => expect(idsOf('/late', 'late-1')).toEqual(stored.slice(2)), waiting);
  const { body: behind } = await api.get(`/v1/streams/${stream.id}`);
  expect(behind.lost).toEqual({ from: expect.any(String), until: expect.any(String) });
  const metrics = await (await fetch(`${api.url}/metrics`)).text();
  expect(metrics).toContain(`fleetgate_stream_lost{stream="${stream.id}",type="http"} 1`);
  const replayed = await api.send('POST', `/v1/streams/${stream.id}/replay`, { from: '2000-01-01T00:00:00Z' });
  expect(replayed.body.lost).toBeNull();
  await vi.waitFor(() => expect(new Set(idsOf('/late', 'late-1'))).toEqual(new Set(stored)), waiting);
});

describe('a test message', () => {
  test('is delivered, or says why not', async () => {
    const { body: stream } = await createStream(api, { name: 'tested', url: `${receiver.url}/tested` });
    expect((await api.send('POST', `/v1/streams/${stream.id}/test`)).body).toEqual({ delivered: true, detail: null });
    expect(eventsOf('/tested').map(({ type }) => type)).toEqual(['fleetgate.test']);
    const { body: dead } = await createStream(api, { name: 'nobody', url: 'http://127.0.0.1:1/' });
    const answer = await api.send('POST', `/v1/streams/${dead.id}/test`);
    expect(answer.body).toMatchObject({ delivered: false, detail: expect.stringContaining('ECONNREFUSED') });
  });
});

describe('the credentials of a stream', () => {
  test('are stored encrypted and never returned', async () => {
    const options = { token: 'token-of-the-receiver' };
    const url = 'http://user:password-of-the-url@127.0.0.1:1/';
    const { body: stream } = await createStream(api, { name: 'secret', url, options });
    const shown = JSON.stringify((await api.get(`/v1/streams/${stream.id}`)).body) + JSON.stringify(stream);
    const { rows } = await api.database.ingest.query('select target from stream where id = $1', [stream.id]);
    for (const text of [shown, JSON.stringify(rows)]) {
      expect(text).not.toContain('token-of-the-receiver');
      expect(text).not.toContain('password-of-the-url');
    }
    expect(rows[0]!.target).toMatch(/^sealed:v1:/);
    const spelt = 'HTTP:\\\\user:Top@Secret2@127.0.0.1:1/';
    const { body: changed } = await api.send('PATCH', `/v1/streams/${stream.id}`, { url: spelt });
    expect(changed.url).toBe('http://user@127.0.0.1:1/');
  });
});

describe('what a stream may not be', () => {
  test.each([
    ['of another type than its URL', { url: 'redis://127.0.0.1' }, 'invalid'],
    ['with an option of another type', { url: 'http://127.0.0.1', options: { maxLength: 5 } }, 'invalid'],
    ['with an option of a broker', { url: 'http://127.0.0.1', options: { exchange: 'a' } }, 'invalid'],
    ['with an unknown member', { url: 'http://127.0.0.1', colour: 'red' }, 'invalid'],
    ['of no kind', { url: 'http://127.0.0.1', kinds: [] }, 'invalid'],
  ])('%s', async (_name, over, code) => {
    expect((await createStream(api, { name: 'refused', ...over })).body.code).toBe(code);
  });

  test('towards a private address, unless the operator allows it', async () => {
    const strict = await startApi(databaseUrl, { WEBHOOK_PRIVATE: false });
    try {
      for (const [type, url] of [
        ['http', 'http://127.0.0.1/'],
        ['redis', 'redis://10.0.0.1'],
        ['mqtt', 'mqtt://[::1]'],
        ['amqp', 'amqp://192.168.1.1'],
        ['nats', 'nats://127.0.0.1'],
        ['kafka', 'kafka://127.0.0.1'],
        ['wialon', 'wialon://127.0.0.1:1'],
        ['egts', 'egtss://127.0.0.1:1'],
      ]) {
        const answer = await createStream(strict, { name: `private ${type}`, type, url });
        expect(answer.body.code, url).toBe('private-address');
      }
    } finally {
      await strict.stop();
    }
  });
});

test('an installation-wide stream has the events of every tenant, and no tenant sees it', async () => {
  const path = '/installation';
  const streams = [{ name: 'lake', url: receiver.url + path, topic: undefined, kinds: ['position'] }];
  const other = await startApi(databaseUrl, { streams });
  try {
    await drive(api, 'everywhere', [1]);
    await vi.waitFor(() => expect(idsOf(path, 'everywhere')).toHaveLength(1), waiting);
    const { body } = await other.get('/v1/streams');
    expect(body.items.map(({ name }: { name: string }) => name)).not.toContain('lake');
  } finally {
    await other.stop();
  }
});

describe.skipIf(redisServer === undefined)('a stream to Redis', () => {
  test('goes on after the server was killed: every position arrives, in order, under its id', async () => {
    // otherwise it keeps in memory what it has confirmed while the disk is slow, for two seconds
    const server = await new TestRedis(redisServer!, ['--appendfsync', 'always']).start();
    try {
      const url = server.url;
      await createStream(api, { name: 'redis', type: 'redis', url, topic: 'positions' });
      await drive(api, 'redis-1', numbers(1, 100));
      const read = async (): Promise<string[][]> => {
        const redis = new Redis(url);
        const entries = await redis.xrange('positions', '-', '+').finally(() => redis.disconnect());
        return entries.map(([, fields]) => fields);
      };
      await vi.waitFor(async () => expect(await read()).toHaveLength(100), waiting);
      await server.kill();
      await drive(api, 'redis-1', numbers(101, 100));
      await server.start();
      const stored = await storedIds(api, 'redis-1');
      const field = (fields: string[], name: string): string => fields[fields.indexOf(name) + 1]!;
      await vi.waitFor(async () => {
        expect(firstOf((await read()).map((fields) => field(fields, 'id')))).toEqual(stored);
      }, waiting);
      const events = (await read()).map((fields) => [field(fields, 'id'), readEvent(field(fields, 'event')).id]);
      expect(events.every(([id, inside]) => id === inside)).toBe(true);
    } finally {
      await server.stop();
    }
  });
});

describe.skipIf(mosquitto === undefined)('a stream to an MQTT broker', () => {
  test('goes on after the broker was restarted; positions are retained and Home Assistant finds the devices', async () => {
    const broker = await new TestMosquitto(mosquitto!).start();
    const heard: { topic: string; body: string }[] = [];
    const client = await connectAsync(broker.url, {
      protocolVersion: 5,
      clientId: 'consumer',
      clean: false,
      properties: { sessionExpiryInterval: 600 },
      reconnectPeriod: 100,
    });
    try {
      client.on('message', (topic, payload) => heard.push({ topic, body: payload.toString() }));
      await client.subscribeAsync(['fleetgate/#', 'homeassistant/#'], { qos: 1 });
      const options = { retained: true, homeAssistant: true };
      await createStream(api, { name: 'mqtt', type: 'mqtt', url: broker.url, options });
      await drive(api, 'mqtt-1', numbers(1, 300));
      const ids = (): string[] =>
        heard
          .filter(({ topic }) => topic === 'fleetgate/default/mqtt-1/position')
          .map(({ body }) => readEvent(body).id);
      await vi.waitFor(() => expect(firstOf(ids())).toHaveLength(300), waiting);
      await broker.stop();
      await drive(api, 'mqtt-1', numbers(301, 100));
      await broker.start();
      const stored = await storedIds(api, 'mqtt-1');
      await vi.waitFor(() => expect(firstOf(ids())).toEqual(stored), waiting);
      const config = heard.find(
        ({ topic }) => topic === 'homeassistant/device_tracker/fleetgate_default_mqtt-1/config',
      );
      expect(JSON.parse(config!.body)).toMatchObject({
        source_type: 'gps',
        json_attributes_topic: 'fleetgate/default/mqtt-1/position',
      });
      const late = await connectAsync(broker.url, { protocolVersion: 5 });
      const retained = new Promise<string>((resolve) => {
        late.on('message', (_topic, payload) => resolve(readEvent(payload.toString()).id));
      });
      await late.subscribeAsync('fleetgate/default/mqtt-1/position', { qos: 1 });
      expect(await retained).toBe(stored.at(-1));
      await late.endAsync();
    } finally {
      await client.endAsync(true);
      await broker.remove();
    }
  });
});
