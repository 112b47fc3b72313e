import { json } from 'node:stream/consumers';
import autocannon from 'autocannon';

/** Input of the load generator, as JSON on stdin; it runs in a process of its own. */
export interface Load {
  readonly url: string;
  readonly paths: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  readonly headers?: Record<string, string>;
}

/** What it says on stdout, as JSON. */
export interface Loaded {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly others: number;
}

const load = (await json(process.stdin)) as Load;
let clients = 0;
const result = await autocannon({
  url: load.url,
  connections: load.connections,
  duration: load.seconds,
  headers: load.headers ?? {},
  // each client asks for its own share of the paths, prepared beforehand
  setupClient: (client) => {
    const first = clients++;
    const own = load.paths.filter((_, i) => i % load.connections === first % load.connections);
    client.setRequests((own.length > 0 ? own : load.paths).map((path) => ({ method: 'GET', path })));
  },
});
const loaded: Loaded = {
  perSecond: result['2xx'] / result.duration,
  p50Ms: result.latency.p50,
  p99Ms: result.latency.p99,
  others: result.non2xx + result.errors,
};
process.stdout.write(JSON.stringify(loaded));
