import { setTimeout as sleep } from 'node:timers/promises';
import { Percentiles } from '../../src/simulation/index.ts';
import type { Figure, Measurement } from './figure.ts';
import { type Bench, enqueue, type Fleet, hasRedis, imeisOf, live, openFleet, shown, startBench } from './services.ts';

const RATE = 400;
const RATE_SECONDS = 10;
const IDLE_COMMANDS = 30;
const IDLE_PAUSE_MS = 50;
const DEVICES = 1_000;
const WARM_UP_SECONDS = 3;
const LIVES_SECONDS = 8;
const PENDING_EACH = 5;

/**
 * From a service's request to the device's bytes and back, over HTTP and TCP as services and devices speak, with the
 * queue on PostgreSQL and, where `redis-server` is installed, on Redis.
 */
export async function run(): Promise<Figure[]> {
  const figures = await measure('PostgreSQL');
  if (!hasRedis()) return [...figures, { name: 'queue on Redis', value: 'left out: there is no redis-server' }];
  return [...figures, ...(await measure('Redis'))];
}

async function measure(queue: 'PostgreSQL' | 'Redis'): Promise<Figure[]> {
  const bench = await startBench(queue);
  try {
    const drained = await drain(bench);
    const fleet = await openFleet(bench.system, 1, DEVICES);
    await live(bench, fleet.imeis, WARM_UP_SECONDS);
    const wire = await enqueueToWire(bench, fleet);
    const idle = await oneByOne(bench, fleet);
    const cpuBefore = bench.system.cpuSeconds();
    const lives = await live(bench, fleet.imeis, LIVES_SECONDS);
    const cpuPerCommand = (1000 * (bench.system.cpuSeconds() - cpuBefore)) / lives;
    fleet.stop();
    const figure = (name: string, value: string, ...measurements: readonly Measurement[]): Figure => ({
      name: `${name} (queue on ${queue})`,
      value,
      measurements: measurements.map((each) => ({ ...each, key: `${each.key}On${queue}` })),
    });
    return [
      figure(
        `enqueue to wire at ${RATE} a second`,
        `p50 ${wire.at(0.5).toFixed(1)} ms, p99 ${wire.at(0.99).toFixed(1)} ms`,
        { key: 'wireP50', value: wire.at(0.5), unit: 'ms', wanted: { atMost: 2.64 } },
        { key: 'wireP99', value: wire.at(0.99), unit: 'ms', wanted: { atMost: 13.2 } },
      ),
      figure('enqueue to wire, one at a time', `p50 ${idle.at(0.5).toFixed(1)} ms, p99 ${idle.at(0.99).toFixed(1)} ms`),
      figure(
        'full lives',
        `${Math.round(lives / LIVES_SECONDS)} a second, ${cpuPerCommand.toFixed(2)} ms of CPU each`,
        { key: 'lives', value: lives / LIVES_SECONDS, unit: '1/s', wanted: { atLeast: 2_340 } },
        { key: 'cpuPerCommand', value: cpuPerCommand, unit: 'ms' },
      ),
      figure(
        `${DEVICES} devices with ${PENDING_EACH} pending each connect at once`,
        `drained within ${drained.seconds.toFixed(2)} s, the dashboard right ${drained.shownAfter.toFixed(2)} s later`,
      ),
    ];
  } finally {
    await bench.stop();
  }
}

/** ms from the request to the device's bytes, at a steady rate over many devices. */
async function enqueueToWire(bench: Bench, fleet: Fleet): Promise<Percentiles> {
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
      void enqueue(bench, imei).catch((error: unknown) => failures.push(error));
    }
    await sleep(1);
  }
  while (sent.size > 0 && failures.length === 0) await sleep(5);
  if (failures.length > 0) throw failures[0];
  return times;
}

/** The same with nothing else to do. */
async function oneByOne(bench: Bench, fleet: Fleet): Promise<Percentiles> {
  const times = new Percentiles();
  for (let n = 0; n < IDLE_COMMANDS; n++) {
    const read = new Promise<void>((resolve) => {
      fleet.onCommand = () => resolve();
    });
    const began = performance.now();
    await Promise.all([read.then(() => times.add(performance.now() - began)), enqueue(bench, fleet.imeis[n]!)]);
    await sleep(IDLE_PAUSE_MS);
  }
  fleet.onCommand = () => {};
  return times;
}

/** Seconds until devices that come back all at once have had what waits for them, and until the dashboard shows it. */
async function drain(bench: Bench): Promise<{ seconds: number; shownAfter: number }> {
  const first = 500_000;
  for (let n = 0; n < PENDING_EACH; n++) {
    await Promise.all(imeisOf(first, DEVICES).map((imei) => enqueue(bench, imei)));
  }
  await shown(bench, DEVICES * PENDING_EACH);
  const began = performance.now();
  let commands = 0;
  let drained = (): void => {};
  const all = new Promise<void>((resolve) => {
    drained = resolve;
  });
  const fleet = await openFleet(bench.system, first, DEVICES, () => {
    if (++commands === DEVICES * PENDING_EACH) drained();
  });
  await all;
  const ended = performance.now();
  await shown(bench, 0);
  fleet.stop();
  return { seconds: (ended - began) / 1000, shownAfter: (performance.now() - ended) / 1000 };
}
