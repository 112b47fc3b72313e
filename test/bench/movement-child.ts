import { monitorEventLoopDelay } from 'node:perf_hooks';
import { API_KEY, startApi } from '../support/api.ts';

/** The API of the movement benchmark, apart from who asks it: what holds its event loop is its own. */
const api = await startApi(process.argv[2]!);
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let peak = 0;
let cpu = process.cpuUsage();
// on a machine that does other work too, what was computed between two turns says more than what they lay apart
let turn = cpu;
let busiest = 0;
setInterval(() => {
  const { user, system } = process.cpuUsage(turn);
  turn = process.cpuUsage();
  busiest = Math.max(busiest, user + system);
}, 1);
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 5);
process.on('message', (word) => {
  if (word === 'measure') {
    globalThis.gc!();
    delay.reset();
    cpu = process.cpuUsage();
    turn = cpu;
    busiest = 0;
    peak = process.memoryUsage.rss();
    process.send!({});
    return;
  }
  const used = process.cpuUsage(cpu);
  process.send!({
    heldMs: delay.max / 1e6,
    busyMs: busiest / 1e3,
    peakBytes: Math.max(peak, process.memoryUsage.rss()),
    cpuS: (used.user + used.system) / 1e6,
  });
});
process.on('disconnect', () => process.exit());
process.send!({ url: api.url, key: API_KEY, tenantId: await api.database.tenantId('default') });
