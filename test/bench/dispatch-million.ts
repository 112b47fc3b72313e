import { readFileSync } from 'node:fs';
import { Percentiles } from '../../src/simulation/index.ts';
import { type Backlog, deviceOf, fill } from './backlog.ts';
import type { Figure } from './figure.ts';
import { ask, type Bench, hasRedis, openFleet, shown, startBench } from './services.ts';

/** `BENCH_DEVICES=10000` for a tenth of it, which takes some two minutes; the whole takes some twenty. */
const DEVICES = Number(process.env['BENCH_DEVICES'] ?? 100_000);
/** of them, so many come in the end: `BENCH_DRAINED=20000` for half the time */
const DRAINED = Number(process.env['BENCH_DRAINED'] ?? DEVICES);
const EACH = 10;
const BACKLOG: Backlog = { first: 2_000_000, devices: DEVICES };
const AT_A_TIME = 2_000;
const LISTED = 1_000;

/** Ten commands each for a hundred thousand devices that are offline and then come, some at a time. */
export async function run(): Promise<Figure[]> {
  const bench = await startBench(hasRedis() ? 'Redis' : 'PostgreSQL', { AUTO_REGISTER_PER_HOUR: '10000000' });
  const total = DEVICES * EACH;
  const figures: Figure[] = [];
  const add = (name: string, value: string): void => {
    figures.push({ name: `${name}, ${total.toLocaleString('en')} pending`, value });
    // it takes long: figures are reported as soon as they are known
    process.stderr.write(`${name}: ${value}\n`);
  };
  try {
    const filled = await timed(() => fill(bench, BACKLOG, 0, total));
    add('enqueued by the batch call', `${Math.round(total / filled)} commands a second`);
    const mirrored = await timed(() => shown(bench, total));
    add('on the dashboard', `${mirrored.toFixed(1)} s after the last of them`);
    const listed = await list(bench);
    add('listed per device', `p50 ${listed.at(0.5).toFixed(1)} ms, p99 ${listed.at(0.99).toFixed(1)} ms`);
    if (bench.redis !== undefined) add('memory of Redis', await memoryOf(bench.redis));
    add('most memory of the API so far', mostMemoryOf(bench.system.pid('api')));
    const count = DRAINED * EACH;
    const { seconds, shownAfter } = await drain(bench, total);
    add(
      `${count.toLocaleString('en')} drained, ${AT_A_TIME.toLocaleString('en')} devices at a time`,
      `${Math.round(count / seconds)} a second`,
    );
    add('the dashboard is right', `at most ${shownAfter.toFixed(1)} s after the last of those`);
    if (bench.redis !== undefined) add('memory of Redis then', await memoryOf(bench.redis));
    add('most memory of the API', mostMemoryOf(bench.system.pid('api')));
    return figures;
  } finally {
    await bench.stop();
  }
}

/** Seconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

const memoryOf = async (redis: NonNullable<Bench['redis']>): Promise<string> =>
  /used_memory_human:(\S+)/.exec(await redis.ask('INFO memory'))![1]!;

const mostMemoryOf = (pid: number): string => /VmHWM:\s*(.*)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]!;

async function list(bench: Bench): Promise<Percentiles> {
  const times = new Percentiles();
  for (let n = 0; n < LISTED; n++) {
    const imei = deviceOf(BACKLOG, Math.floor((n * DEVICES) / LISTED));
    const began = performance.now();
    const { items } = await ask<{ items: object[] }>(bench, 'GET', `/v1/gprsCommands/pending/${imei}`);
    times.add(performance.now() - began);
    if (items.length !== EACH) throw new Error(`${imei} has ${items.length} pending`);
  }
  return times;
}

/**
 * All of them come, some at a time, and take what waits for them. Seconds until they had it, and the longest until the
 * dashboard showed that it had ended.
 */
async function drain(bench: Bench, total: number): Promise<{ seconds: number; shownAfter: number }> {
  let seconds = 0;
  let shownAfter = 0;
  for (let first = 0; first < DRAINED; first += AT_A_TIME) {
    const count = Math.min(AT_A_TIME, DRAINED - first);
    let left = count * EACH;
    let done = (): void => {};
    const all = new Promise<void>((resolve) => {
      done = resolve;
    });
    const began = performance.now();
    const fleet = await openFleet(bench.system, BACKLOG.first + first, count, () => {
      if (--left === 0) done();
    });
    await all;
    const ended = performance.now();
    // on a slow machine one may have come twice: those that are missing are on their way
    await shown(bench, total - (first + count) * EACH);
    fleet.stop();
    seconds += (ended - began) / 1_000;
    shownAfter = Math.max(shownAfter, (performance.now() - ended) / 1_000);
  }
  return { seconds, shownAfter };
}
