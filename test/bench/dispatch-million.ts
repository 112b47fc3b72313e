import { setTimeout as sleep } from 'node:timers/promises';
import { Percentiles, simulatedImei } from '../../src/simulation/index.ts';
import type { Figure } from './figure.ts';
import { ask, type Bench, hasRedis, live, openFleet, startBench } from './services.ts';

/** `BENCH_DEVICES=10000` for a tenth of it; the whole takes some twenty minutes. */
const DEVICES = Number(process.env['BENCH_DEVICES'] ?? 100_000);
const EACH = 10;
const FIRST = 2_000_000;
const AT_A_TIME = 2_000;
const LISTED = 1_000;
const LIVE_DEVICES = 500;
const LIVE_SECONDS = 4;

/** Ten commands each for a hundred thousand devices that are off line, and what all else costs meanwhile. */
export async function run(): Promise<Figure[]> {
  const queue = hasRedis() ? 'Redis' : 'PostgreSQL';
  const bench = await startBench(queue, { AUTO_REGISTER_PER_HOUR: '10000000' });
  const total = DEVICES * EACH;
  const figures: Figure[] = [];
  const add = (name: string, value: string): void => void figures.push({ name, value });
  try {
    const fleet = await openFleet(bench.system, 1, LIVE_DEVICES);
    await live(bench, fleet.imeis, LIVE_SECONDS);
    let pending = await fill(bench, 0, 1_000);
    const few = await costOfLife(bench, fleet.imeis);
    pending = await fill(bench, pending, Math.min(100_000, total));
    await mirrored(bench, pending);
    const many = await costOfLife(bench, fleet.imeis);
    add('CPU a full life, 1,000 pending', `${few.toFixed(2)} ms`);
    add(
      `CPU a full life, ${pending.toLocaleString('en')} pending`,
      `${many.toFixed(2)} ms (x ${(many / few).toFixed(2)})`,
    );
    const before = pending;
    const began = performance.now();
    pending = await fill(bench, pending, total);
    const seconds = (performance.now() - began) / 1000;
    if (pending > before)
      add('batches of one command', `${Math.round((pending - before) / seconds)} commands a second`);
    add(
      'listed per device',
      `p99 ${(await list(bench)).at(0.99).toFixed(1)} ms, ${pending.toLocaleString('en')} pending`,
    );
    if (bench.redis !== undefined) {
      await mirrored(bench, pending);
      add('memory of Redis', /used_memory_human:(\S+)/.exec(await bench.redis.ask('INFO memory'))![1]!);
    }
    fleet.stop();
    const drained = await drain(bench);
    add(`drained, ${AT_A_TIME.toLocaleString('en')} devices at a time`, `${Math.round(total / drained)} a second`);
    return figures;
  } finally {
    await bench.stop();
  }
}

const deviceOf = (n: number): string => simulatedImei(FIRST + (n % DEVICES));

/** Enqueues by the batch call until so many are pending; devices in turn. How many are pending. */
async function fill(bench: Bench, from: number, to: number): Promise<number> {
  for (let at = from; at < to; ) {
    const count = Math.min(10_000, to - at, DEVICES - (at % DEVICES));
    const imeis = Array.from({ length: count }, (_, n) => deviceOf(at + n));
    const order = { imeis, gprsCommand: 'getinfo', ttlSeconds: 30 * 86_400 };
    const { commands } = await ask<{ commands: { problem?: object }[] }>(
      bench,
      'POST',
      '/v1/gprsCommands/batch',
      order,
    );
    const refused = commands.find(({ problem }) => problem !== undefined);
    if (refused !== undefined) throw new Error(JSON.stringify(refused));
    at += count;
  }
  return to;
}

/** CPU ms of the whole system. */
async function costOfLife({ system, ...bench }: Bench, imeis: readonly string[]): Promise<number> {
  const before = system.cpuSeconds();
  const lives = await live({ system, ...bench }, imeis, LIVE_SECONDS);
  return ((system.cpuSeconds() - before) / lives) * 1_000;
}

/** Waits until the queue that people see has been told. */
async function mirrored({ system }: Bench, pending: number): Promise<void> {
  while ((await system.metric('fleetgate_queue_outbox')) > pending / 1_000) await sleep(500);
}

async function list(bench: Bench): Promise<Percentiles> {
  const times = new Percentiles();
  for (let n = 0; n < LISTED; n++) {
    const imei = deviceOf(Math.floor((n * DEVICES) / LISTED));
    const began = performance.now();
    const { items } = await ask<{ items: object[] }>(bench, 'GET', `/v1/gprsCommands/pending/${imei}`);
    times.add(performance.now() - began);
    if (items.length === 0) throw new Error(`${imei} has nothing pending`);
  }
  return times;
}

/** Seconds until all of them have come, some at a time, and have taken what waited for them. */
async function drain({ system }: Bench): Promise<number> {
  const began = performance.now();
  for (let first = 0; first < DEVICES; first += AT_A_TIME) {
    const count = Math.min(AT_A_TIME, DEVICES - first);
    let left = count * EACH;
    let done = (): void => {};
    const all = new Promise<void>((resolve) => {
      done = resolve;
    });
    const fleet = await openFleet(system, FIRST + first, count, () => {
      if (--left === 0) done();
    });
    await all;
    fleet.stop();
  }
  return (performance.now() - began) / 1000;
}
