import { setTimeout as wait } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect as connectNats, type NatsConnection } from '@nats-io/transport-node';
import { connect as connectAmqp } from 'amqplib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type RunningApi, startApi } from '../../support/api.ts';
import { type Certificates, makeCertificates } from '../../support/certificates.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { TestNats } from '../../support/nats.ts';
import { freePort } from '../../support/ports.ts';
import { needs } from '../../support/programs.ts';
import { TestRabbit } from '../../support/rabbitmq.ts';
import { createStream, drive, driveAll, expectAll, readEvent, storedIds } from '../../support/streams.ts';

const rabbit = needs('rabbitmq-server');
const natsServer = needs('nats-server');
const openssl = needs('openssl');
const waiting = { timeout: 300_000, interval: 100 };
/** servers start slowly on a machine that does other things */
const slow = 240_000;
const numbers = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n);

let api: RunningApi;
let certificates: Certificates | undefined;
vi.setConfig({ testTimeout: slow });
beforeAll(async () => {
  api = await startApi(await withDatabase(async (url) => url));
  if (openssl !== undefined) certificates = makeCertificates();
});
afterAll(async () => {
  await api?.stop();
  certificates?.remove();
  await dropDatabases();
});
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const tested = async (id: string): Promise<unknown> => (await api.send('POST', `/v1/streams/${id}/test`)).body;
const shown = async (id: string) => (await api.get(`/v1/streams/${id}`)).body;
const letters = async (id: string) => (await api.get(`/v1/streams/${id}/dead-letters`)).body.items;
const caughtUp = (id: string): Promise<void> =>
  vi.waitFor(async () => expect(await shown(id)).toMatchObject({ lagRecords: 0, problem: null }), waiting);
const devices = (prefix: string): string[] => numbers(1, 8).map((n) => `${prefix}-${n}`);
describe.skipIf(rabbit === undefined)('a stream to RabbitMQ', () => {
  test('goes on after the server was killed: every position arrives, in order, under its id', async () => {
    const server = await new TestRabbit(rabbit!).start();
    ends.push(() => server.remove());
    const { body: stream } = await createStream(api, { name: 'amqp', type: 'amqp', url: server.url });
    await tested(stream.id);
    const bind = await connectAmqp(server.url);
    const channel = await bind.createChannel();
    await channel.assertQueue('all', { durable: true });
    await channel.bindQueue('all', 'fleetgate', 'default.*.position');
    await bind.close();
    const names = devices('amqp');
    await driveAll(api, names, 1, 100);
    await caughtUp(stream.id);
    await server.kill();
    await driveAll(api, names, 101, 100);
    await server.start();
    await caughtUp(stream.id);
    const arrived: { device: string; id: string }[] = [];
    const client = await connectAmqp(server.url);
    ends.push(() => client.close());
    const reading = await client.createChannel();
    await reading.consume('all', (message) => {
      const { messageId, headers, type, contentType } = message!.properties;
      expect({ type, contentType }).toEqual({ type: 'position', contentType: 'application/cloudevents+json' });
      expect(readEvent(message!.content.toString()).id).toBe(messageId);
      arrived.push({ device: (headers as { device: string }).device, id: messageId as string });
      reading.ack(message!);
    });
    await vi.waitFor(() => expectAll(api, names, arrived), waiting);
  });

  test('keeps messages that no queue accepts, unless that is allowed, and messages that are too large, as dead letters', async () => {
    const server = await new TestRabbit(rabbit!).start(['max_message_size = 3000']);
    ends.push(() => server.remove());
    const client = await connectAmqp(server.url);
    ends.push(() => client.close());
    const channel = await client.createChannel();
    await channel.assertExchange('own', 'topic');
    await channel.assertQueue('some');
    await channel.bindQueue('some', 'own', '*.amqp-some.#');
    const over = { type: 'amqp', url: server.url };
    const options = { exchange: 'own' };
    const { body: strict } = await createStream(api, { name: 'amqp-strict', ...over, options });
    const loose = { exchange: 'own', mandatory: false };
    const { body: lenient } = await createStream(api, { name: 'amqp-lenient', ...over, options: loose });
    await drive(api, 'amqp-some', [1]);
    await drive(api, 'amqp-other', [1]);
    await drive(api, 'amqp-some', [2], { note: 'x'.repeat(4_000) });
    await drive(api, 'amqp-some', [3]);
    const sorted = async (id: string) => (await letters(id)).map(({ imei }: { imei: string }) => imei).sort();
    await vi.waitFor(async () => expect(await sorted(strict.id)).toEqual(['amqp-other', 'amqp-some']), waiting);
    await vi.waitFor(async () => expect(await sorted(lenient.id)).toEqual(['amqp-some']), waiting);
    expect((await letters(strict.id)).map(({ reason }: { reason: string }) => reason)).toEqual(
      expect.arrayContaining([expect.stringContaining('NO_ROUTE'), expect.stringContaining('message size')]),
    );
    await caughtUp(strict.id);
    await caughtUp(lenient.id);
    const stored = await storedIds(api, 'amqp-some');
    const arrived: string[] = [];
    await channel.consume('some', (message) => arrived.push(String(message!.properties.messageId)), { noAck: true });
    await vi.waitFor(() => expect(new Set(arrived)).toEqual(new Set([stored[0], stored[2]])), waiting);
  });

  test.skipIf(openssl === undefined)('connects over TLS', async () => {
    const { server, ca, caFile } = certificates!;
    const files = [`cacertfile = ${caFile}`, `certfile = ${server.cert}`, `keyfile = ${server.key}`];
    const port = await freePort();
    const tls = [`listeners.ssl.1 = 127.0.0.1:${port}`, ...files.map((line) => `ssl_options.${line}`)];
    const broker = await new TestRabbit(rabbit!).start(tls);
    ends.push(() => broker.remove());
    const over = { type: 'amqp', url: `amqps://guest:guest@localhost:${port}` };
    const { body: stream } = await createStream(api, { name: 'amqp-tls', ...over, options: { ca, mandatory: false } });
    expect(await tested(stream.id)).toEqual({ delivered: true, detail: null });
    const { body: distrustful } = await createStream(api, { name: 'amqp-tls-2', ...over });
    expect(await tested(distrustful.id)).toMatchObject({
      delivered: false,
      detail: expect.stringMatching(/certificate/),
    });
  });
});

describe.skipIf(natsServer === undefined)('a stream to NATS', () => {
  const open = async (address: string): Promise<NatsConnection> => {
    const connection = await connectNats({ servers: address, waitOnFirstConnect: true });
    ends.push(() => connection.close());
    return connection;
  };
  /** All messages of a stream, by their sequence numbers. */
  const read = async (connection: NatsConnection, stream: string) => {
    const manager = await jetstreamManager(connection);
    const { first_seq: first, last_seq: last } = (await manager.streams.info(stream)).state;
    const arrived: { device: string; id: string; text: string }[] = [];
    for (let seq = first; seq <= last; seq++) {
      const message = await manager.streams.getMessage(stream, { seq });
      const head = message!.header;
      arrived.push({ device: head.get('device'), id: head.get('id'), text: message!.string() });
    }
    return arrived;
  };

  test('goes on while the leader of three servers is killed: every position is stored once, in order', async () => {
    const nats = await TestNats.start(natsServer!, 3);
    ends.push(() => nats.remove());
    let leader = '';
    await vi.waitFor(async () => {
      const connection = await connectNats({ servers: nats.address(0) });
      try {
        const manager = await jetstreamManager(connection);
        const made = { name: 'fleet', subjects: ['fleetgate.>'], num_replicas: 3 };
        leader = (await manager.streams.add(made)).cluster?.leader ?? '';
        expect(leader).toMatch(/^n/);
      } finally {
        await connection.close();
      }
    }, waiting);
    const dying = Number(leader.slice(1));
    const { body: stream } = await createStream(api, {
      name: 'nats',
      type: 'nats',
      url: `nats://${nats.address((dying + 1) % 3)}`,
    });
    const names = devices('nats');
    await driveAll(api, names, 1, 100);
    const killed = wait(200).then(() => nats.kill(dying));
    await driveAll(api, names, 101, 100);
    await killed;
    await caughtUp(stream.id);
    const arrived = await read(await open(nats.address((dying + 1) % 3)), 'fleet');
    for (const name of names) {
      expect(arrived.flatMap(({ device, id }) => (device === name ? [id] : []))).toEqual(await storedIds(api, name));
    }
    expect(readEvent(arrived[0]!.text).id).toBe(arrived[0]!.id);
  });

  test('waits while no stream stores the subject, and keeps messages that are too large as dead letters', async () => {
    const nats = await TestNats.start(natsServer!, 1, ['--user', 'fleet', '--pass', 'secret']);
    ends.push(() => nats.remove());
    const options = { username: 'fleet', password: 'secret' };
    const url = `nats://${nats.address()}`;
    const { body: stream } = await createStream(api, {
      name: 'nats-2',
      type: 'nats',
      url,
      options,
      topic: 'own.{device}',
    });
    await drive(api, 'nats-small', [1]);
    await vi.waitFor(
      async () => expect((await shown(stream.id)).problem).toContain('no JetStream stream stores the subject'),
      waiting,
    );
    const connection = await connectNats({ servers: nats.address(), user: 'fleet', pass: 'secret' });
    ends.push(() => connection.close());
    await (await jetstreamManager(connection)).streams.add({ name: 'own', subjects: ['own.>'], max_msg_size: 3_000 });
    await drive(api, 'nats-large', [1], { note: 'x'.repeat(4_000) });
    await drive(api, 'nats-small', [2]);
    await vi.waitFor(async () => expect(await letters(stream.id)).toHaveLength(1), waiting);
    expect((await letters(stream.id))[0]).toMatchObject({ imei: 'nats-large', reason: expect.stringMatching(/size/) });
    await caughtUp(stream.id);
    const arrived = await read(connection, 'own');
    await expectAll(api, ['nats-small'], arrived);
  });

  test.skipIf(openssl === undefined)('connects over TLS', async () => {
    const { server, ca } = certificates!;
    const nats = await TestNats.start(natsServer!, 1, ['--tls', '--tlscert', server.cert, '--tlskey', server.key]);
    ends.push(() => nats.remove());
    const connection = await connectNats({ servers: nats.address(0, 'localhost'), tls: { ca } });
    ends.push(() => connection.close());
    await (await jetstreamManager(connection)).streams.add({ name: 'fleet', subjects: ['fleetgate.>'] });
    const over = { type: 'nats', url: `tls://${nats.address(0, 'localhost')}` };
    const { body: stream } = await createStream(api, { name: 'nats-tls', ...over, options: { ca } });
    expect(await tested(stream.id)).toEqual({ delivered: true, detail: null });
    const { body: distrustful } = await createStream(api, { name: 'nats-tls-2', ...over });
    expect(await tested(distrustful.id)).toMatchObject({
      delivered: false,
      detail: expect.stringMatching(/certificate/),
    });
  });
});
