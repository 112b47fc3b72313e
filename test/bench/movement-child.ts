import { readFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';
import { systemClock } from '../../src/platform/clock.ts';
import { API_KEY, startApi } from '../support/api.ts';

/** The API of the movement benchmark, apart from who asks it: what holds its event loop is its own. */
const api = await startApi(process.argv[2]!, { DISTANCE_DAYS: 3_660 });
let peak = 0;
let cpu = process.cpuUsage();
/** the longest time between two iterations of the event loop, ms; of it this thread ran, or was ready to and had no core */
const NONE = { at: 0, heldMs: 0, computedMs: 0, stolenMs: 0 };
let longest = NONE;
/** the most that this thread ran between two iterations, ms: on a machine with other work that says more */
let busiestMs = 0;
/** what the collector held the thread for; it is reported one iteration later */
let collected: { at: number; ms: number }[] = [];
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) collected.push({ at: startTime, ms: duration });
}).observe({ entryTypes: ['gc'] });

/** ms that the main thread ran, and that it was ready to run and had no core (Linux; 0 elsewhere) */
function thread(): [ran: number, waited: number] {
  try {
    const [ran, waited] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ');
    return [Number(ran) / 1e6, Number(waited) / 1e6];
  } catch {
    return [0, 0];
  }
}

let before = { at: systemClock.monotonic(), thread: thread() };
function turn(): void {
  const now = { at: systemClock.monotonic(), thread: thread() };
  const heldMs = now.at - before.at;
  const computedMs = now.thread[0] - before.thread[0];
  busiestMs = Math.max(busiestMs, computedMs);
  if (heldMs > longest.heldMs) {
    longest = { at: before.at, heldMs, computedMs, stolenMs: now.thread[1] - before.thread[1] };
  }
  before = now;
}

const collectedIn = ({ at, heldMs }: typeof NONE): number =>
  collected.filter((each) => each.at >= at && each.at < at + heldMs).reduce((sum, each) => sum + each.ms, 0);

setInterval(turn, 1);
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 5);
process.on('message', (word) => {
  if (word === 'keep days') {
    const from = systemClock.monotonic();
    void api.api.distanceJob.run().then(() => process.send!({ tookMs: systemClock.monotonic() - from }));
    return;
  }
  if (word === 'measure') {
    globalThis.gc!();
    cpu = process.cpuUsage();
    turn();
    longest = NONE;
    busiestMs = 0;
    collected = [];
    peak = process.memoryUsage.rss();
    process.send!({});
    return;
  }
  const used = process.cpuUsage(cpu);
  process.send!({
    longest: { ...longest, collectedMs: collectedIn(longest), busiestMs },
    peakBytes: Math.max(peak, process.memoryUsage.rss()),
    cpuS: (used.user + used.system) / 1e6,
  });
});
process.on('disconnect', () => process.exit());
process.send!({ url: api.url, key: API_KEY, tenantId: await api.database.tenantId('default') });
