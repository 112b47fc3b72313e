import { systemClock } from '../../src/platform/clock.ts';
import { API_KEY, startApi } from '../support/api.ts';
import { startTestServer } from '../support/postgres.ts';
import { type Figure, median } from './figure.ts';
import { generate } from './processes.ts';

const CONNECTIONS = 32;
const SECONDS = 1;
const ROUNDS = 40;
/** of what a request without credential takes: a ratio, as machines differ; 0.1.0 added 0.54 to 0.59 */
const MOST_SHARE = 0.25;
const FRESH = 2_000;

/**
 * What a bearer credential costs: requests a second of a route that answers a constant, open and closed, alternating; and
 * for tokens that the process sees for the first time, so that each signature is checked and what it stands on looked
 * up. CPU is that of the API's process, which spends it on nothing else.
 */
export async function run(): Promise<Figure[]> {
  const server = await startTestServer({ fsync: 'off' });
  const schema = { hide: true };
  const api = await startApi(
    await server.database(),
    { RATE_LIMIT: 0 },
    {
      pages: (app) => {
        app.get('/bench/open', { config: { access: 'public', rateLimit: false }, schema }, async () => ({ ok: true }));
        app.get('/bench/closed', { config: { access: ['app'] }, schema }, async () => ({ ok: true }));
      },
    },
  );
  try {
    const issue = async (): Promise<string> =>
      (await api.send('POST', '/v1/auth/user_api', { apiKey: API_KEY }, { authorization: '' })).body.accessToken;
    const headers = { authorization: `Bearer ${await issue()}` };
    const cost = async (path: string): Promise<Cost> => {
      const before = process.cpuUsage();
      const { perSecond } = await generate({
        url: api.url,
        paths: [path],
        connections: CONNECTIONS,
        seconds: SECONDS,
        headers,
      });
      const { user, system } = process.cpuUsage(before);
      return { time: 1e6 / perSecond, cpu: (user + system) / (perSecond * SECONDS) };
    };
    const open: Cost[] = [];
    const closed: Cost[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const costs = [await cost('/bench/open'), await cost('/bench/closed')] as const;
      // the first warms up
      if (round === 0) continue;
      open.push(costs[0]);
      closed.push(costs[1]);
    }
    const tokens: string[] = [];
    for (let n = 0; n < FRESH; n++) tokens.push(await issue());
    const fresh = await timed(api.get, '/bench/closed', tokens);
    const again = await timed(api.get, '/bench/closed', tokens);
    const micro = (key: string, value: number): Omit<Figure, 'name'> => ({
      value: `${value.toFixed(1)} µs`,
      measurements: [{ key, value, unit: 'µs' }],
    });
    const of = (costs: readonly Cost[], key: keyof Cost): number => undisturbed(costs.map((each) => each[key]));
    const added = of(closed, 'time') - of(open, 'time');
    const cpu = of(closed, 'cpu') - of(open, 'cpu');
    const share = cpu / of(open, 'cpu');
    return [
      { name: 'authentication: adds to a request', ...micro('request', added) },
      { name: 'authentication: adds CPU to a request', ...micro('cpu', cpu) },
      {
        name: 'authentication: adds CPU, of what a request without credential takes',
        value: `${(100 * share).toFixed(1)} %`,
        measurements: [{ key: 'share', value: share, unit: 'ratio', wanted: { atMost: MOST_SHARE } }],
      },
      { name: 'authentication: adds to the first request with a token', ...micro('firstRequest', fresh - again) },
    ];
  } finally {
    await api.stop();
    await server.stop();
  }
}

/** µs a request */
interface Cost {
  readonly time: number;
  readonly cpu: number;
}

/** What else runs on the machine makes a round dearer and never cheaper: the median of the cheapest quarter. */
const undisturbed = (values: readonly number[]): number =>
  median([...values].sort((a, b) => a - b).slice(0, Math.ceil(values.length / 4)));

type Get = (path: string, headers: Record<string, string>) => Promise<unknown>;

/** µs a request, one after the other */
async function timed(get: Get, path: string, tokens: readonly string[]): Promise<number> {
  const from = systemClock.monotonic();
  for (const token of tokens) await get(path, { authorization: `Bearer ${token}` });
  return ((systemClock.monotonic() - from) * 1000) / tokens.length;
}
