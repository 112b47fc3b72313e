import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Admin, Consumer } from '@platformatic/kafka';
import pg from 'pg';
import { runLoad } from '../bench/teltonika-load.ts';
import { TestKafka } from '../support/kafka.ts';
import { TestMosquitto } from '../support/mosquitto.ts';
import { TestNats } from '../support/nats.ts';
import { freePort } from '../support/ports.ts';
import { startTestServer } from '../support/postgres.ts';
import { KEY, type Part, part } from '../support/processes.ts';
import { TestRabbit } from '../support/rabbitmq.ts';
import { type Arrivals, openReaders, prepareNats, type Reader } from './arrivals.ts';
import { findProgram } from './programs.ts';
import { until } from './until.ts';

/**
 * `streams.js --positions N`: devices report while a Kafka broker of three is killed, RabbitMQ is killed, Mosquitto is
 * restarted, NATS loses the leader of three and the APIs that send the streams are killed one after the other. Every
 * acknowledged position has to arrive at each of them at least once, those of a device in order, and repeats under the same
 * id. Ends with 1 if one does not, with 2 if programs are missing.
 */
const { values } = parseArgs({
  options: { positions: { type: 'string', default: '200000' }, rate: { type: 'string', default: '4000' } },
});
const POSITIONS = Number(values.positions);
const RATE = Number(values.rate);
const DEVICES = 100;
const PER_PACKET = 10;
const TOPIC = 'fleetgate';
const CAUGHT_UP_SECONDS = 600;
const START = Date.UTC(2026, 10, 1);

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const names = ['kafka', 'rabbitmq-server', 'mosquitto', 'nats-server'] as const;
const [kafkaProgram, rabbitProgram, mosquittoProgram, natsProgram] = names.map((name) => findProgram(name) ?? '') as [
  string,
  string,
  string,
  string,
];
const missing = names.filter((name) => findProgram(name) === undefined);
if (missing.length > 0) {
  say(`left out: ${missing.join(', ')} not found`);
  process.exit(2);
}

const ends: (() => unknown)[] = [];
const stop = async (): Promise<void> => {
  for (const end of ends.splice(0).reverse()) await end();
};
process.once('SIGTERM', () => void stop().finally(() => process.exit(1)));
let code = 1;
try {
  code = await run();
} finally {
  await stop();
}
process.exit(code);

async function run(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetgate-streams-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  say('starting: PostgreSQL, 3 Kafka brokers, RabbitMQ, Mosquitto, 3 NATS servers, 2 APIs, a gateway');
  const server = await startTestServer({});
  ends.push(() => server.stop());
  const url = await server.database();
  const kafka = await TestKafka.start(kafkaProgram, 3);
  ends.push(() => kafka.remove());
  const rabbit = await new TestRabbit(rabbitProgram).start();
  ends.push(() => rabbit.remove());
  const mosquitto = await new TestMosquitto(mosquittoProgram, false).start();
  ends.push(() => mosquitto.remove());
  const nats = await TestNats.start(natsProgram, 3);
  ends.push(() => nats.remove());
  await createTopic(kafka);
  const leader = await prepareNats([0, 1, 2].map((n) => nats.address(n)));
  const apis: Part[] = [];
  for (const name of ['one', 'two']) {
    const own = { ROLE: 'api', DATABASE_URL: url, DATA_DIR: join(folder, name), WEBHOOK_PRIVATE: 'true' };
    const api = await part({ ...own, AUTO_REGISTER: 'true', LOG_LEVEL: 'fatal' });
    ends.push(() => api.kill());
    await api.start();
    apis.push(api);
  }
  const devicePort = await freePort();
  const gateway = await part({
    ROLE: 'gateway',
    API_URL: apis.map((api) => api.url).join(', '),
    DATA_DIR: join(folder, 'gateway'),
    AUTO_PORT: String(devicePort),
    AUTO_REGISTER: 'true',
    LOG_LEVEL: 'fatal',
  });
  ends.push(() => gateway.kill());
  await gateway.start();
  const survivors = [1, 2].map((n) => kafka.address(n));
  const servers = [0, 1, 2].filter((n) => n !== leader).map((n) => nats.address(n));
  const targets = {
    kafka: { url: `kafka://${kafka.address()}`, options: { brokers: survivors.join(',') } },
    amqp: { url: rabbit.url },
    mqtt: { url: mosquitto.url },
    nats: { url: `nats://${servers[0]}` },
  };
  const readers = await openReaders({ amqp: rabbit.url, mqtt: mosquitto.url, nats: servers[0]! });
  ends.push(() => Promise.all(readers.map((reader) => reader.close())));
  const streams = new Map<string, string>();
  for (const [type, target] of Object.entries(targets)) {
    const body = { name: type, type, kinds: ['position'], ...target };
    streams.set(type, (await ask<{ id: string }>(apis, '/v1/streams', body)).id);
  }
  // messages that no queue takes would be dead letters: the exchange exists once the stream has connected
  await ask(apis, `/v1/streams/${streams.get('amqp')}/test`, {});
  for (const reader of readers) await reader.bind();

  const seconds = POSITIONS / RATE;
  const load = runLoad({
    port: devicePort,
    devices: DEVICES,
    seconds,
    rate: RATE / PER_PACKET,
    first: 1,
    startAt: START,
  });
  const stored = async (): Promise<number> => {
    const client = new pg.Client({ connectionString: url, options: '-c search_path=fleetgate' });
    await client.connect();
    try {
      return (await client.query<{ count: number }>('select count(*)::int as count from position')).rows[0]!.count;
    } finally {
      await client.end();
    }
  };
  const faults: readonly (readonly [number, string, () => Promise<unknown>])[] = [
    [0.1, 'a Kafka broker of three is killed', () => kafka.kill(0)],
    [0.2, 'RabbitMQ is killed and started', () => rabbit.kill().then(() => rabbit.start())],
    [0.3, 'Mosquitto is restarted', () => mosquitto.stop().then(() => mosquitto.start())],
    [0.4, 'the NATS leader of three is killed', () => nats.kill(leader)],
    [0.5, 'an API is killed', () => apis[0]!.kill()],
    [0.6, 'it is started', () => apis[0]!.start()],
    [0.7, 'the other API is killed', () => apis[1]!.kill()],
    [0.8, 'it is started', () => apis[1]!.start()],
  ];
  const began = performance.now();
  for (const [share, name, work] of faults) {
    await until(async () => (await stored()) >= share * POSITIONS || performance.now() - began > 2_000 * seconds, 600);
    say(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${name}`);
    await work();
  }
  const { acknowledged } = await load;
  while ((await gateway.metric('fleetgate_spool_lag_seconds')) > 0) await sleep(200);
  say(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${acknowledged} positions were acknowledged`);
  for (const [type, id] of streams) {
    await until(
      async () => (await ask<{ lagRecords: number }>(apis, `/v1/streams/${id}`)).lagRecords === 0,
      CAUGHT_UP_SECONDS,
      `${type} is caught up`,
    );
    say(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${type} is caught up`);
  }
  const expected = await storedIds(url);
  const count = [...expected.values()].reduce((sum, ids) => sum + ids.length, 0);
  const broken: string[] = count === acknowledged ? [] : [`${acknowledged} acknowledged, ${count} stored`];
  const arrivals = new Map<string, Arrivals>([['kafka', await readKafka(kafka)]]);
  for (const reader of readers) arrivals.set(reader.name, await read(reader, count));
  for (const [type, { devices, records }] of arrivals) {
    const distinct = [...devices.values()].reduce((sum, ids) => sum + ids.size, 0);
    say(`${type.padEnd(6)} ${distinct} positions of ${count}, ${records - distinct} of them repeated`);
    for (const [device, ids] of expected) broken.push(...compare(type, device, ids, [...(devices.get(device) ?? [])]));
  }
  for (const line of broken.slice(0, 20)) say(`broken: ${line}`);
  say(broken.length === 0 ? 'no promise was broken' : `${broken.length} promises were broken`);
  return broken.length === 0 ? 0 : 1;
}

/** Ids at their first occurrence against those that are stored, in order. */
function compare(type: string, device: string, stored: readonly string[], arrived: readonly string[]): string[] {
  const isThere = new Set(arrived);
  const known = new Set(stored);
  const lost = stored.filter((id) => !isThere.has(id)).length;
  const unknown = arrived.filter((id) => !known.has(id)).length;
  if (lost > 0 || unknown > 0) return [`${type}, ${device}: ${lost} did not arrive, ${unknown} are not stored`];
  return stored.every((id, n) => id === arrived[n]) ? [] : [`${type}, ${device}: not in order`];
}

async function read(reader: Reader, count: number): Promise<Arrivals> {
  const arrived = (): number => [...reader.arrivals.devices.values()].reduce((sum, ids) => sum + ids.size, 0);
  await until(async () => arrived() >= count, 300, `${reader.name} has ${count}`).catch((error: Error) =>
    say(error.message),
  );
  return reader.arrivals;
}

async function createTopic(kafka: TestKafka): Promise<void> {
  const admin = new Admin({ clientId: 'laboratory', bootstrapBrokers: [kafka.address()] });
  const configs = [{ name: 'min.insync.replicas', value: '2' }];
  await admin.createTopics({ topics: [TOPIC], partitions: 6, replicas: 3, configs });
  await admin.close();
}

/** By Kafka's own consumer, from a broker that was not killed. */
async function readKafka(kafka: TestKafka): Promise<Arrivals> {
  const survivors = { clientId: 'laboratory', groupId: 'laboratory', bootstrapBrokers: [kafka.address(1)] };
  const consumer = new Consumer(survivors);
  const ends = (await consumer.listOffsets({ topics: [TOPIC] })).get(TOPIC)!;
  await consumer.close();
  const count = ends.reduce((sum, end) => sum + Number(end), 0);
  const devices = new Map<string, Set<string>>();
  const records = await kafka.read(TOPIC, count, 1, false);
  for (const { key, headers } of records) {
    const ids = devices.get(key) ?? new Set();
    devices.set(key, ids.add(headers['id']!));
  }
  return { devices, records: records.length };
}

/** Of each device, in the order in which they were stored: its reports have growing times. */
async function storedIds(url: string): Promise<Map<string, string[]>> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=fleetgate' });
  await client.connect();
  const { rows } = await client.query<{ imei: string; id: Buffer }>(
    'select d.imei, p.id from position p join device d on d.id = p.device_id order by p.device_id, p.time',
  );
  await client.end();
  const devices = new Map<string, string[]>();
  for (const { imei, id } of rows) {
    const ids = devices.get(imei);
    const text = id.toString('base64url').slice(0, 22);
    if (ids === undefined) devices.set(imei, [text]);
    else ids.push(text);
  }
  return devices;
}

/** From the first API that answers. */
async function ask<T>(apis: readonly Part[], path: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const method = body === undefined ? 'GET' : 'POST';
  let problem: unknown;
  for (const { url } of apis) {
    try {
      const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as T;
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}
