import { monitorEventLoopDelay } from 'node:perf_hooks';
import { systemClock } from '../../src/platform/clock.ts';
import { API_KEY, startApi } from '../support/api.ts';

/** The API of the movement benchmark, apart from who asks it: what holds its event loop is its own. */
const api = await startApi(process.argv[2]!);
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let peak = 0;
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 5);
let cpu = process.cpuUsage();
process.on('message', (word) => {
  if (word === 'measure') {
    globalThis.gc!();
    delay.reset();
    cpu = process.cpuUsage();
    peak = process.memoryUsage.rss();
    process.send!({});
    return;
  }
  const used = process.cpuUsage(cpu);
  process.send!({
    heldMs: delay.max / 1e6,
    peakBytes: Math.max(peak, process.memoryUsage.rss()),
    cpuS: (used.user + used.system) / 1e6,
    now: systemClock.now(),
  });
});
process.on('disconnect', () => process.exit());
process.send!({ url: api.url, key: API_KEY, tenantId: await api.database.tenantId('default') });
