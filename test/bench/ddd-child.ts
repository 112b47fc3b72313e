import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { startApi } from '../support/api.ts';

/** The API in a process of its own; sends its address, and on request what it used since the request before. */
const api = await startApi(
  process.argv[2]!,
  { DDD_WORKERS: 2, RATE_LIMIT: 0 },
  {
    tachographWorker: pathToFileURL(`${import.meta.dirname}/../../src/server/tachograph/reader/worker.js`),
  },
);
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let peak = 0;
let cpu = process.cpuUsage();
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss);
}, 20).unref();
const tenantId = await api.database.tenantId('default');
process.send!({ url: api.url, tenantId });
process.on('message', () => {
  global.gc?.();
  const now = process.memoryUsage().rss;
  const { user, system } = process.cpuUsage(cpu);
  const late = { p99Ms: delay.percentile(99) / 1e6, worstMs: delay.max / 1e6 };
  process.send!({ now, peak: Math.max(peak, now), ...late, cpuMs: (user + system) / 1000 });
  cpu = process.cpuUsage();
  peak = 0;
  delay.reset();
});
