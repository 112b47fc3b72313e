import { fill } from './backlog.ts';
import { type Figure, median } from './figure.ts';
import { type Bench, hasRedis, live, openFleet, shown, startBench } from './services.ts';

const FEW = 1_000;
const MANY = 100_000;
const BACKLOG = { first: 2_000_000, devices: 20_000 };
const LIVE_DEVICES = 500;
const WARM_UP_SECONDS = 4;
const RUNS = 5;
const LIVE_SECONDS = 3;

/** What a command costs while few and while many others are pending. `BENCH_QUEUE=Redis` for that queue alone. */
export async function run(): Promise<Figure[]> {
  const wanted = process.env['BENCH_QUEUE'];
  const figures: Figure[] = [];
  for (const queue of ['PostgreSQL', 'Redis'] as const) {
    if (wanted === undefined ? queue === 'PostgreSQL' || hasRedis() : wanted === queue)
      figures.push(...(await measure(queue)));
  }
  return figures;
}

async function measure(queue: 'PostgreSQL' | 'Redis'): Promise<Figure[]> {
  const bench = await startBench(queue, { AUTO_REGISTER_PER_HOUR: '10000000' });
  try {
    const fleet = await openFleet(bench.system, 1, LIVE_DEVICES);
    await live(bench, fleet.imeis, WARM_UP_SECONDS);
    await fill(bench, BACKLOG, 0, FEW);
    await shown(bench, FEW);
    const few = await costOfCommand(bench, fleet.imeis);
    await fill(bench, BACKLOG, FEW, MANY);
    await shown(bench, MANY);
    const many = await costOfCommand(bench, fleet.imeis);
    fleet.stop();
    const name = `CPU per command from enqueue to end, ${FEW.toLocaleString('en')} and ${MANY.toLocaleString('en')} pending`;
    const value = `${few.toFixed(3)} and ${many.toFixed(3)} ms (x ${(many / few).toFixed(2)})`;
    const measurements = [{ key: `ratio ${queue}`, value: many / few, unit: 'times', wanted: { atMost: 1.5 } }];
    return [{ name: `${name} (queue on ${queue})`, value, measurements }];
  } finally {
    await bench.stop();
  }
}

/** CPU ms of the whole system, the middle one of some runs. */
async function costOfCommand(bench: Bench, imeis: readonly string[]): Promise<number> {
  const costs: number[] = [];
  for (let n = 0; n < RUNS; n++) {
    const before = bench.system.cpuSeconds();
    const lives = await live(bench, imeis, LIVE_SECONDS);
    costs.push(((bench.system.cpuSeconds() - before) / lives) * 1_000);
  }
  return median(costs);
}
