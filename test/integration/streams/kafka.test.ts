import { Admin, Consumer } from '@platformatic/kafka';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../src/platform/errors.ts';
import { fingerprintOf } from '../../../src/server/live/brokers/avro/fingerprint.ts';
import { positionSchema } from '../../../src/server/live/brokers/avro/schema.ts';
import { STREAM_TYPES, type StreamContext } from '../../../src/server/live/brokers/index.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { type Certificates, makeCertificates } from '../../support/certificates.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { TestKafka } from '../../support/kafka.ts';
import { needs } from '../../support/programs.ts';
import { createStream, drive, driveAll, expectAll, readEvent, storedIds } from '../../support/streams.ts';

const program = needs('kafka');
const openssl = needs('openssl');
const waiting = { timeout: 120_000, interval: 100 };
/** brokers start slowly on a machine that does other things */
const slow = 300_000;
vi.setConfig({ testTimeout: slow, hookTimeout: slow });

/**
 * Partitions are chosen as Kafka's own producers do. These are the values that Kafka's `UtilsTest.testMurmur2` publishes
 * for these keys.
 */
const MURMUR2 = new Map([
  ['21', -973932308],
  ['foobar', -790332482],
  ['a-little-bit-long-string', -985981536],
  ['a-little-bit-longer-string', -1486304829],
  ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
  ['abc', 479470107],
]);
const PARTITIONS = 6;

describe.skipIf(program === undefined)('a stream to Kafka', () => {
  let api: RunningApi;
  let kafka: TestKafka;
  let admin: Admin;
  let consumer: Consumer;
  let certificates: Certificates | undefined;
  beforeAll(async () => {
    if (openssl !== undefined) certificates = makeCertificates();
    const starting = TestKafka.start(program!, 3, certificates);
    api = await startApi(await withDatabase(async (url) => url));
    kafka = await starting;
    const survivors = { clientId: 'test', bootstrapBrokers: [1, 2].map((n) => kafka.address(n)) };
    admin = new Admin(survivors);
    consumer = new Consumer({ ...survivors, groupId: 'test' });
  });
  afterAll(async () => {
    await admin?.close();
    await consumer?.close();
    await api?.stop();
    await kafka?.remove();
    certificates?.remove();
    await dropDatabases();
  });

  const shown = async (id: string) => (await api.get(`/v1/streams/${id}`)).body;
  const letters = async (id: string) => (await api.get(`/v1/streams/${id}/dead-letters`)).body.items;
  const tested = async (id: string): Promise<unknown> => (await api.send('POST', `/v1/streams/${id}/test`)).body;
  const caughtUp = (id: string): Promise<void> =>
    vi.waitFor(async () => expect(await shown(id)).toMatchObject({ lagRecords: 0, problem: null }), waiting);
  const createTopic = (name: string, configs: Readonly<Record<string, string>>) =>
    admin.createTopics({
      topics: [name],
      partitions: PARTITIONS,
      replicas: 3,
      configs: Object.entries(configs).map(([key, value]) => ({ name: key, value })),
    });
  /** All records of a topic, read by Kafka's own consumer from another broker than the one that is killed. */
  const readAll = async (name: string) => {
    const ends = (await consumer.listOffsets({ topics: [name] })).get(name)!;
    const count = ends.reduce((sum, end) => sum + Number(end), 0);
    return kafka.read(name, count, 1);
  };

  test('waits while there is no topic, and keeps messages that are too large as dead letters', async () => {
    const over = { type: 'kafka', url: `kafka://${kafka.address()}`, topic: 'own.{tenant}' };
    const { body: stream } = await createStream(api, { name: 'kafka-own', ...over });
    await drive(api, 'kafka-small', [1]);
    await vi.waitFor(
      async () => expect((await shown(stream.id)).problem).toMatch(/Unknown topic own.default/),
      waiting,
    );
    await createTopic('own.default', { 'max.message.bytes': '3000' });
    await drive(api, 'kafka-large', [1], { note: 'x'.repeat(4_000) });
    await drive(api, 'kafka-small', [2]);
    await vi.waitFor(async () => expect(await letters(stream.id)).toHaveLength(1), waiting);
    expect((await letters(stream.id))[0]).toMatchObject({
      imei: 'kafka-large',
      reason: expect.stringMatching(/larger/),
    });
    await caughtUp(stream.id);
    const arrived = await readAll('own.default');
    await expectAll(
      api,
      ['kafka-small'],
      arrived.map(({ key, headers }) => ({ device: key, id: headers['id']! })),
    );
  });

  test('sends Avro with the fingerprint of the schema', async () => {
    await createTopic('avro', {});
    const over = { type: 'kafka', url: `kafka://${kafka.address()}`, topic: 'avro', options: { format: 'avro' } };
    const { body: stream } = await createStream(api, { name: 'kafka-avro', ...over, vehicles: ['kafka-avro'] });
    await drive(api, 'kafka-avro', [1]);
    await caughtUp(stream.id);
    const [id] = await storedIds(api, 'kafka-avro');
    const records = await consumer.consume({ topics: ['avro'], mode: 'earliest', autocommit: false });
    try {
      for await (const { key, value, headers } of records) {
        expect(key.toString()).toBe('kafka-avro');
        expect(Object.fromEntries([...headers].map(([name, text]) => [name.toString(), text.toString()]))).toEqual({
          id,
          type: 'position',
          tenant: 'default',
          'content-type': 'application/avro',
          'avro-schema': fingerprintOf(positionSchema),
        });
        // the first two fields: lengths with a sign, and texts
        expect(value.toString('latin1', 0, 42)).toBe(`\x2c${id}\x24fleetgate.position`);
        break;
      }
    } finally {
      await records.close();
    }
    await api.send('DELETE', `/v1/streams/${stream.id}`);
  });

  test.skipIf(openssl === undefined)('connects over TLS and logs in', async () => {
    await createTopic('fleetgate', {});
    const url = `kafkas://fleet:secret@${kafka.tlsAddress()}`;
    const { ca } = certificates!;
    const { body: stream } = await createStream(api, { name: 'tls', type: 'kafka', url, options: { ca } });
    expect(await tested(stream.id)).toEqual({ delivered: true, detail: null });
    expect((await shown(stream.id)).url).not.toContain('secret');
    const attempts = [
      { name: 'distrustful', url, options: {}, detail: /certificate/ },
      { name: 'wrong', url, options: { ca, password: 'wrong' }, detail: /uthentication/ },
      { name: 'other', url, options: { ca, mechanism: 'PLAIN' }, detail: /mechanism/ },
    ];
    for (const { detail, ...over } of attempts) {
      const { body: refused } = await createStream(api, { type: 'kafka', ...over });
      expect(await tested(refused.id), over.name).toMatchObject({
        delivered: false,
        detail: expect.stringMatching(detail),
      });
      await api.send('DELETE', `/v1/streams/${refused.id}`);
    }
    await api.send('DELETE', `/v1/streams/${stream.id}`);
  });

  test('does not connect to private addresses that a broker names', async () => {
    await createTopic('public', {});
    const context: StreamContext = {
      timeoutMs: 30_000,
      resolve: async (host) => {
        if (host === 'broker.test') return '127.0.0.1';
        throw new AppError('private-address', `${host} is or leads to a private address`);
      },
      post: () => Promise.reject(new Error('not used')),
      sign: async () => ({}),
    };
    const port = new URL(`kafka://${kafka.address()}`).port;
    const target = { url: `kafka://broker.test:${port}`, topic: 'public', options: {} };
    const sender = await STREAM_TYPES.kafka.open(target, context);
    const message = { id: 'a', kind: 'position' as const, tenant: 'default', device: 'a', at: 0, body: '{}' };
    await expect(sender.send([message])).rejects.toThrow('127.0.0.1 is or leads to a private address');
    await sender.close();
  });

  test('ends a request whose broker is known only after the stream was closed', async () => {
    await createTopic('closed', {});
    let isHeld = false;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isAsked = (): void => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const context: StreamContext = {
      timeoutMs: 30_000,
      resolve: async (host) => {
        if (isHeld) {
          isAsked();
          await released;
        }
        return host;
      },
      post: () => Promise.reject(new Error('not used')),
      sign: async () => ({}),
    };
    const target = { url: `kafka://${kafka.address()}`, topic: 'closed', options: {} };
    const sender = await STREAM_TYPES.kafka.open(target, context);
    isHeld = true;
    const message = { id: 'a', kind: 'position' as const, tenant: 'default', device: 'a', at: 0, body: '{}' };
    const sent = expect(sender.send([message])).rejects.toThrow('the stream is closed');
    await asked;
    await sender.close();
    await sent;
    // what the client throws here would be an unhandled rejection
    release();
    await new Promise((resolve) => setImmediate(resolve));
  });

  test('goes on while a broker of three is killed: every position arrives, in order, under its id', async () => {
    const names = [...MURMUR2.keys()];
    await createTopic('all', { 'min.insync.replicas': '2' });
    const options = { brokers: `${kafka.address(1)},${kafka.address(2)}` };
    const over = { type: 'kafka', url: `kafka://${kafka.address(0)}`, topic: 'all', options };
    const { body: stream } = await createStream(api, { name: 'kafka', ...over });
    await driveAll(api, names, 1, 100);
    await vi.waitFor(async () => expect((await shown(stream.id)).sent).toBeGreaterThan(0), waiting);
    const killed = kafka.kill(0);
    await driveAll(api, names, 101, 100);
    await killed;
    await caughtUp(stream.id);
    const arrived = await readAll('all');
    await expectAll(
      api,
      names,
      arrived.map(({ key, headers }) => ({ device: key, id: headers['id']! })),
    );
    for (const { key, partition, headers, value } of arrived) {
      expect(partition, key).toBe((MURMUR2.get(key)! & 0x7fffffff) % PARTITIONS);
      expect(headers).toMatchObject({ type: 'position', tenant: 'default', id: readEvent(value).id });
    }
  });
});
