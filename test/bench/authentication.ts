import { systemClock } from '../../src/platform/clock.ts';
import { API_KEY, startApi } from '../support/api.ts';
import { startTestServer } from '../support/postgres.ts';
import { type Figure, median } from './figure.ts';
import { generate } from './processes.ts';

const CONNECTIONS = 32;
const SECONDS = 3;
const ROUNDS = 7;
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
    const cost = async (path: string): Promise<{ perSecond: number; cpu: number }> => {
      const before = process.cpuUsage();
      const { perSecond } = await generate({
        url: api.url,
        paths: [path],
        connections: CONNECTIONS,
        seconds: SECONDS,
        headers,
      });
      const { user, system } = process.cpuUsage(before);
      return { perSecond, cpu: (user + system) / (perSecond * SECONDS) };
    };
    const rounds: { time: number; cpu: number }[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const open = await cost('/bench/open');
      const closed = await cost('/bench/closed');
      // the first warms up
      if (round > 0) rounds.push({ time: 1e6 / closed.perSecond - 1e6 / open.perSecond, cpu: closed.cpu - open.cpu });
    }
    const tokens: string[] = [];
    for (let n = 0; n < FRESH; n++) tokens.push(await issue());
    const fresh = await timed(api.get, '/bench/closed', tokens);
    const again = await timed(api.get, '/bench/closed', tokens);
    const micro = (key: string, value: number, wanted?: { atMost: number }): Omit<Figure, 'name'> => ({
      value: `${value.toFixed(1)} µs`,
      measurements: [{ key, value, unit: 'µs', ...(wanted === undefined ? {} : { wanted }) }],
    });
    const added = median(rounds.map(({ time }) => time));
    const cpu = median(rounds.map((round) => round.cpu));
    return [
      { name: 'authentication: adds to a request', ...micro('request', added, { atMost: 6 }) },
      { name: 'authentication: adds CPU to a request', ...micro('cpu', cpu) },
      { name: 'authentication: adds to the first request with a token', ...micro('firstRequest', fresh - again) },
    ];
  } finally {
    await api.stop();
    await server.stop();
  }
}

type Get = (path: string, headers: Record<string, string>) => Promise<unknown>;

/** µs a request, one after the other */
async function timed(get: Get, path: string, tokens: readonly string[]): Promise<number> {
  const from = systemClock.monotonic();
  for (const token of tokens) await get(path, { authorization: `Bearer ${token}` });
  return ((systemClock.monotonic() - from) * 1000) / tokens.length;
}
