import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { loadCatalogue } from '../../src/catalogue/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { Percentiles, SimulatedDevice, simulatedImei } from '../../src/simulation/index.ts';
import { type System, startSystem } from '../support/system.ts';
import type { Figure } from './figure.ts';

const RATE = 400;
const RATE_SECONDS = 10;
const DEVICES = 1_000;
const LIVES_SECONDS = 8;
const LIVES_REQUESTS = 64;
const PENDING_EACH = 5;

/**
 * From a service's request to the device's bytes and back, over HTTP and TCP as services and devices speak, with the
 * queue on PostgreSQL and, where REDIS_URL names a server, on Redis.
 */
export async function run(): Promise<Figure[]> {
  const figures = await measure('queue on PostgreSQL', {});
  const redis = process.env['REDIS_URL'];
  if (redis === undefined)
    return [...figures, { name: 'queue on Redis', value: 'left out: REDIS_URL names no server' }];
  return [...figures, ...(await measure('queue on Redis', { REDIS_URL: redis }))];
}

async function measure(title: string, settings: Record<string, string>): Promise<Figure[]> {
  const system = await startSystem(settings);
  const http = new Pool(`http://127.0.0.1:${system.apiPort}`, { connections: LIVES_REQUESTS, pipelining: 1 });
  try {
    const drained = await drain(system, http);
    const fleet = await openFleet(system, 1, DEVICES);
    const wire = await enqueueToWire(fleet, http, system.key);
    const lives = await fullLives(fleet, http, system.key);
    fleet.stop();
    return [
      {
        name: `enqueue to wire at ${RATE} a second (${title})`,
        value: `p50 ${wire.at(0.5).toFixed(1)} ms, p99 ${wire.at(0.99).toFixed(1)} ms`,
      },
      { name: `full lives (${title})`, value: `${Math.round(lives)} a second` },
      {
        name: `${DEVICES} devices with ${PENDING_EACH} pending each connect at once (${title})`,
        value: `drained within ${drained.toFixed(2)} s`,
      },
    ];
  } finally {
    await http.close();
    await system.stop();
  }
}

interface Fleet {
  readonly imeis: readonly string[];
  /** called when a device reads a command */
  onCommand: (imei: string) => void;
  stop(): void;
}

async function openFleet(
  system: System,
  first: number,
  count: number,
  onCommand: (imei: string) => void = () => {},
): Promise<Fleet> {
  const { simulator } = (await loadCatalogue()).byId('teltonika')!;
  const devices: SimulatedDevice[] = [];
  const fleet: Fleet & { stop(): void } = {
    imeis: Array.from({ length: count }, (_, n) => simulatedImei(first + n)),
    onCommand,
    stop: () => {
      for (const device of devices) device.stop();
    },
  };
  await new Promise<void>((resolve) => {
    let admitted = 0;
    for (const id of fleet.imeis) {
      const device = new SimulatedDevice(
        { id, simulator, transport: 'tcp', host: '127.0.0.1', port: system.devicePort, answer: 'ack', slowAnswerMs: 0 },
        {
          admitted: () => {
            if (++admitted === count) resolve();
          },
          command: () => fleet.onCommand(id),
        },
        systemClock,
      );
      devices.push(device);
      device.start();
    }
  });
  return fleet;
}

async function enqueue(
  http: Pool,
  key: string,
  imei: string,
  wait = 0,
): Promise<{ commandId: string; status: string }> {
  const { statusCode, body } = await http.request({
    method: 'POST',
    path: `/v1/gprsCommands/${wait > 0 ? `?wait=${wait}` : ''}`,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ imei, gprsCommand: 'getinfo' }),
  });
  const answer = (await body.json()) as { commandId: string; status: string };
  if (statusCode !== 200) throw new Error(`enqueue: ${statusCode} ${JSON.stringify(answer)}`);
  return answer;
}

/** ms from the request to the device's bytes, at a steady rate over many devices. */
async function enqueueToWire(fleet: Fleet, http: Pool, key: string): Promise<Percentiles> {
  const times = new Percentiles();
  const sent = new Map<string, number>();
  fleet.onCommand = (imei) => {
    const at = sent.get(imei);
    sent.delete(imei);
    if (at !== undefined) times.add(performance.now() - at);
  };
  const began = performance.now();
  let count = 0;
  const failures: unknown[] = [];
  while (performance.now() - began < RATE_SECONDS * 1000) {
    for (; count < ((performance.now() - began) / 1000) * RATE; count++) {
      const imei = fleet.imeis[count % fleet.imeis.length]!;
      sent.set(imei, performance.now());
      void enqueue(http, key, imei).catch((error: unknown) => failures.push(error));
    }
    await sleep(1);
  }
  while (sent.size > 0 && failures.length === 0) await sleep(5);
  if (failures.length > 0) throw failures[0];
  return times;
}

/** Commands a second from request to acknowledgement, each request waiting for its end. */
async function fullLives(fleet: Fleet, http: Pool, key: string): Promise<number> {
  let ended = 0;
  let next = 0;
  const until = performance.now() + LIVES_SECONDS * 1000;
  await Promise.all(
    Array.from({ length: LIVES_REQUESTS * 4 }, async () => {
      while (performance.now() < until) {
        const { status } = await enqueue(http, key, fleet.imeis[next++ % fleet.imeis.length]!, 30);
        if (status !== 'acknowledged') throw new Error(`a command ended as ${status}`);
        ended++;
      }
    }),
  );
  return ended / LIVES_SECONDS;
}

/** Seconds until devices that come back all at once have had what waits for them. */
async function drain(system: System, http: Pool): Promise<number> {
  const imeis = Array.from({ length: DEVICES }, (_, n) => simulatedImei(500_000 + n));
  for (let n = 0; n < PENDING_EACH; n++) await Promise.all(imeis.map((imei) => enqueue(http, system.key, imei)));
  const began = performance.now();
  let commands = 0;
  let drained = (): void => {};
  const all = new Promise<void>((resolve) => {
    drained = resolve;
  });
  const fleet = await openFleet(system, 500_000, DEVICES, () => {
    if (++commands === DEVICES * PENDING_EACH) drained();
  });
  await all;
  const seconds = (performance.now() - began) / 1000;
  fleet.stop();
  return seconds;
}
