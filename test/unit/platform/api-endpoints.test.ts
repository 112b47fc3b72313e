import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { apiConnector } from '../../../src/platform/api-connector.ts';
import { ApiEndpoints, parseApiUrls } from '../../../src/platform/api-endpoints.ts';

interface Fake {
  readonly url: string;
  state: 'ready' | 'not-ready' | 'silent';
  close(): Promise<void>;
}

const servers: Fake[] = [];
const endpoints: ApiEndpoints[] = [];
afterEach(async () => {
  for (const one of endpoints.splice(0)) await one.stop();
  for (const server of servers.splice(0)) await server.close();
});

/** An API on an address of its own; it answers with its address. */
async function fake(host = '127.0.0.1', port = 0): Promise<Fake> {
  const server: Server = createServer((sent, response) => {
    if (one.state === 'silent') return;
    response.statusCode = sent.url === '/readyz' && one.state === 'not-ready' ? 503 : 200;
    response.end(host);
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const one: Fake = {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    state: 'ready',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  servers.push(one);
  return one;
}

async function start(urls: readonly string[], resolve?: (host: string) => Promise<readonly string[]>) {
  const api = new ApiEndpoints({
    urls,
    connector: apiConnector({ caFile: undefined, serverName: undefined }),
    gatewayId: 'gw-1',
    log: pino({ level: 'silent' }),
    probeEveryMs: 5,
    probeTimeoutMs: 200,
    ...(resolve === undefined ? {} : { resolve }),
  });
  endpoints.push(api);
  const moved: string[] = [];
  await api.start();
  let heard = (): void => {};
  api.onMoved(() => {
    moved.push(api.url);
    heard();
  });
  const next = () => (moved.length > 0 ? Promise.resolve() : new Promise<void>((resolve) => (heard = resolve)));
  return { api, moved, next };
}

describe('of several APIs', () => {
  it.each(['ended', 'not-ready', 'silent'] as const)('another one is used if the first is %s', async (state) => {
    const apis = [await fake(), await fake()];
    const { api, moved, next } = await start(apis.map(({ url }) => url));
    const first = apis.find(({ url }) => url === api.url)!;
    const other = apis.find(({ url }) => url !== api.url)!;
    const { dispatcher } = api;
    if (state === 'ended') await first.close();
    else first.state = state;
    await next();
    expect(moved).toEqual([other.url]);
    // requests to the former one fail at once
    await expect(request(first.url, { dispatcher })).rejects.toThrow();
    expect(await (await request(api.url, { dispatcher: api.dispatcher })).body.text()).toBe('127.0.0.1');
  });

  it('the first that is ready is used at the start', async () => {
    const apis = [await fake(), await fake(), await fake()];
    for (const each of apis.slice(0, 2)) each.state = 'not-ready';
    expect((await start(apis.map(({ url }) => url))).api.url).toBe(apis[2]!.url);
  });

  it('none is left while no other one is ready', async () => {
    const apis = [await fake(), await fake()];
    const { api, moved, next } = await start(apis.map(({ url }) => url));
    const [first, other] = [...apis].sort((a) => (a.url === api.url ? -1 : 1)) as [Fake, Fake];
    other.state = 'not-ready';
    first.state = 'not-ready';
    await expect(request(api.url, { dispatcher: api.dispatcher })).resolves.toMatchObject({ statusCode: 200 });
    expect(moved).toEqual([]);
    other.state = 'ready';
    await next();
    expect(api.url).toBe(other.url);
  });

  it('that are addresses of one name, one is used for all connections', async () => {
    const one = await fake('127.0.0.2');
    const port = Number(new URL(one.url).port);
    const two = await fake('127.0.0.3', port);
    const { api, next } = await start([`http://api.test:${port}`], async () => ['127.0.0.2', '127.0.0.3']);
    const ask = async () => (await request(api.url, { dispatcher: api.dispatcher })).body.text();
    const answers = await Promise.all(Array.from({ length: 8 }, ask));
    expect(new Set(answers).size).toBe(1);
    await (answers[0] === '127.0.0.2' ? one : two).close();
    await next();
    expect(await ask()).toBe(answers[0] === '127.0.0.2' ? '127.0.0.3' : '127.0.0.2');
  });
});

it('API_URL is one URL or several', () => {
  expect(parseApiUrls('http://a:1, https://b')).toEqual(['http://a:1', 'https://b']);
  for (const text of ['', ' , ', 'a:8080', 'ftp://a', 'http://'])
    expect(() => parseApiUrls(text), text).toThrow(RangeError);
});
