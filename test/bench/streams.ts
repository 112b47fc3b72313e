import { setTimeout as wait } from 'node:timers/promises';
import { Admin } from '@platformatic/kafka';
import { systemClock } from '../../src/platform/clock.ts';
import { findProgram } from '../lab/programs.ts';
import { API_KEY } from '../support/api.ts';
import { FAST, TestKafka } from '../support/kafka.ts';
import { startTestServer } from '../support/postgres.ts';
import { callApi } from './api-process.ts';
import { type Figure, median } from './figure.ts';
import { gatewayToken, type Prepared, postBatches, prepareBatches } from './ingest-api.ts';
import { type Part, startApiProcess } from './processes.ts';

const TOPIC = 'everything';
const PARTITIONS = 6;
/** of 1,000 positions */
const BATCHES = Number(process.env['STREAM_BATCHES'] ?? 100);
const ROUNDS = 4;
const WARM_UP = 30;

interface Stream {
  readonly id: string;
  readonly sent: number;
  readonly lagRecords: number;
}

/**
 * One Kafka stream of all positions, to one broker. How many positions a second it sends that were stored before, and how
 * much slower positions are stored while it sends them, in rounds with and without it alternately.
 */
export async function run(): Promise<Figure[]> {
  const program = findProgram('kafka');
  if (program === undefined) return [{ name: 'streams', value: 'left out: kafka-run-class.sh is not installed' }];
  const kafka = await TestKafka.start(program, 1, undefined, FAST);
  const server = await startTestServer({});
  const api = await startApiProcess(await server.database(), { API_KEY, WEBHOOK_PRIVATE: 'true', RATE_LIMIT: '0' });
  const bench = new StreamBench(api, kafka);
  try {
    await bench.open();
    const post = async (count: number): Promise<number> => {
      const batches = bench.next(count);
      const began = systemClock.monotonic();
      await postBatches(api.url, bench.token, batches);
      return (count * 1_000) / ((systemClock.monotonic() - began) / 1_000);
    };
    // caches, prepared statements, partitions and the compiler
    await post(WARM_UP);
    await bench.behind(() => post(WARM_UP));
    const backlog = [];
    for (let round = 0; round < 3; round++) backlog.push(await bench.behind(() => post(BATCHES)));
    const pairs = [];
    for (let round = 0; round < ROUNDS; round++) {
      const without = await post(BATCHES);
      const { stored, sent } = await bench.beside(() => post(BATCHES));
      pairs.push({ without, stored, sent });
    }
    const slower = 100 * (1 - median(pairs.map(({ without, stored }) => stored / without)));
    const rate = median(backlog.map(({ rate }) => rate));
    const text = (value: number): string => `${Math.round(value).toLocaleString('en')} a second`;
    return [
      {
        name: 'streams: positions sent to Kafka that were stored before',
        value: text(rate),
        measurements: [{ key: 'sent', value: rate, unit: '1/s', wanted: { atLeast: 40_000 } }],
      },
      {
        name: 'streams: CPU of the API a position',
        value: `${median(backlog.map(({ cpu }) => cpu)).toFixed(1)} µs`,
        measurements: [{ key: 'cpuOfApi', value: median(backlog.map(({ cpu }) => cpu)), unit: 'µs' }],
      },
      {
        name: 'streams: positions stored, without a stream',
        value: text(median(pairs.map(({ without }) => without))),
      },
      { name: 'streams: positions stored, with a stream', value: text(median(pairs.map(({ stored }) => stored))) },
      {
        name: 'streams: positions stored and sent, with a stream',
        value: text(median(pairs.map(({ sent }) => sent))),
      },
      {
        name: 'streams: slower with a stream',
        value: `${slower.toFixed(1)} %`,
        measurements: [{ key: 'slower', value: slower, unit: '%', wanted: { atMost: 15 } }],
      },
    ];
  } finally {
    await api.stop();
    await server.stop();
    await kafka.remove();
  }
}

class StreamBench {
  token = '';
  readonly #api: Part;
  readonly #kafka: TestKafka;
  #batches = 0;
  #streams = 0;

  constructor(api: Part, kafka: TestKafka) {
    this.#api = api;
    this.#kafka = kafka;
  }

  async open(): Promise<void> {
    const admin = new Admin({ clientId: 'bench', bootstrapBrokers: [this.#kafka.address()] });
    await admin.createTopics({ topics: [TOPIC], partitions: PARTITIONS, replicas: 1 });
    await admin.close();
    this.token = await gatewayToken(this.#api.url);
  }

  next(count: number): Prepared[] {
    this.#batches += count;
    return prepareBatches(this.#batches - count, count);
  }

  /** Stores positions while the stream is paused; how many a second it sends afterwards. */
  async behind(store: () => Promise<number>): Promise<{ rate: number; cpu: number }> {
    const id = await this.#create();
    await this.#call('POST', `/v1/streams/${id}/pause`);
    // the process that sends it has noticed
    await wait(1_500);
    await store();
    const { lagRecords } = await this.#call<Stream>('GET', `/v1/streams/${id}`);
    const cpu = this.#api.cpuSeconds();
    await this.#call('POST', `/v1/streams/${id}/resume`);
    let began = 0;
    for (let stream = await this.#show(id); stream.lagRecords > 0; stream = await this.#show(id)) {
      if (began === 0 && stream.lagRecords < lagRecords) began = systemClock.monotonic();
      await wait(20);
    }
    const seconds = (systemClock.monotonic() - began) / 1_000;
    const used = this.#api.cpuSeconds() - cpu;
    await this.#call('DELETE', `/v1/streams/${id}`);
    return { rate: lagRecords / seconds, cpu: (used * 1e6) / lagRecords };
  }

  /** Stores positions that a stream sends meanwhile. */
  async beside(store: () => Promise<number>): Promise<{ stored: number; sent: number }> {
    const id = await this.#create();
    await postBatches(this.#api.url, this.token, this.next(2));
    while ((await this.#show(id)).sent === 0) await wait(50);
    const before = (await this.#caughtUp(id)).sent;
    const began = systemClock.monotonic();
    const stored = await store();
    const { sent } = await this.#caughtUp(id);
    const seconds = (systemClock.monotonic() - began) / 1_000;
    await this.#call('DELETE', `/v1/streams/${id}`);
    return { stored, sent: (sent - before) / seconds };
  }

  async #caughtUp(id: string): Promise<Stream> {
    for (;;) {
      const stream = await this.#show(id);
      if (stream.lagRecords === 0) return stream;
      await wait(20);
    }
  }

  async #create(): Promise<string> {
    const url = `kafka://${this.#kafka.address()}`;
    const body = { name: `bench-${this.#streams++}`, type: 'kafka', kinds: ['position'], topic: TOPIC, url };
    return (await this.#call<{ id: string }>('POST', '/v1/streams', body)).id;
  }

  #show(id: string): Promise<Stream> {
    return this.#call('GET', `/v1/streams/${id}`);
  }

  #call<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T> {
    return callApi(this.#api.url, method, path, body) as Promise<T>;
  }
}
