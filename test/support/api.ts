import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SignJWT } from 'jose';
import { pino } from 'pino';
import { systemClock } from '../../src/platform/clock.ts';
import { createBacktest } from '../../src/server/alerts/evaluation/index.ts';
import { type Database, openDatabase } from '../../src/server/database/index.ts';
import { type Api, type ApiDeps, type ApiSettings, createApi } from '../../src/server/index.ts';
import { createSecrets } from '../../src/server/kernel/secrets/index.ts';
import { createGeocoder } from '../../src/server/movement/places/index.ts';
import { demandDocumented } from './documented.ts';
import { API_KEY, INTERNAL_KEY, testSettings } from './settings.ts';

export { API_KEY, INTERNAL_KEY };

const offline = {
  GEOCODER_TYPE: 'auto' as const,
  GEOCODER_PER_SECOND: 1,
  GEOCODER_TIMEOUT_MS: 3_000,
  GEOCODER_WAIT_MS: 2_000,
  GEOCODER_QUEUE: 1_000,
  GEOCODER_CACHE: 1_000,
};

export interface RunningApi {
  readonly api: Api;
  readonly database: Database;
  readonly url: string;
  /** request with the API key; `path` begins with a slash */
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** a gateway's batch of events; seq are given from 1 where absent */
  events(lines: readonly object[], spool?: string, gateway?: string): Promise<Answer>;
  /** bearer header of a gateway */
  gateway(name?: string): Promise<{ authorization: string }>;
  stop(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly body: any;
}

export const SECRETS_KEY = 'a key of the tests, 32 characters or more';

/** opens what every API of the tests has sealed */
export const secrets = createSecrets(() => [SECRETS_KEY]);

export const silent = pino({ level: 'silent' });

let wrap: ((running: RunningApi) => RunningApi) | undefined;

/** Are positions rows here, and nothing else? */
export const hasRowsOnly = (): boolean => wrap === undefined;

/** What every API is wrapped in that this test file starts. */
export function wrapApis(wrapper: (running: RunningApi) => RunningApi): void {
  wrap = wrapper;
}

/** as the catalogue describes it */
const PROTOCOL = {
  id: 'teltonika',
  title: 'Teltonika',
  vendor: 'Teltonika',
  models: ['FMB120'],
  transports: ['tcp', 'udp'] as ('tcp' | 'udp')[],
  host: 'trackers.example.org',
  port: 5027,
  service: 'teltonika',
  setup: ['setparam 2004:{host};2005:{port}'],
  options: [],
};

export async function startApi(
  databaseUrl: string,
  over: Partial<ApiSettings> = {},
  deps: Partial<ApiDeps> = {},
  port = 0,
): Promise<RunningApi> {
  const database = await openDatabase({ url: databaseUrl, log: deps.log ?? silent });
  const settings = testSettings(over);
  const geocoder = createGeocoder({ settings: offline, clock: systemClock, log: silent, agent: 'fleetgate' });
  const api = await createApi({
    settings,
    limitsLogins: settings.RATE_LIMIT > 0,
    version: '0.0.0',
    clock: systemClock,
    log: silent,
    database,
    secrets,
    backtest: createBacktest(database.app, systemClock, {
      limits: { silenceMs: 3_600_000, pathGapMs: 600_000 },
      mostPositions: 10_000,
    }),
    addressesOf: geocoder.addressesOf,
    searchAddress: geocoder.searchAddress,
    protocols: [PROTOCOL],
    // threads run built code
    tachographWorker: pathToFileURL(resolve('dist/src/server/tachograph/reader/worker.js')),
    ...deps,
  });
  const url = await api.listen({ host: '127.0.0.1', port });
  const call = async (
    method: string,
    path: string,
    body: string | null,
    headers: Record<string, string>,
  ): Promise<Answer> => {
    const response = await fetch(url + path, { method, body, headers });
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json') ?? false;
    const { status } = response;
    const answer = { status, headers: response.headers, body: json ? JSON.parse(text) : text };
    const contentType = response.headers.get('content-type') ?? '';
    const { headers: received } = answer;
    demandDocumented({ method, url: path, status, contentType, body: answer.body, headers: received, sent: headers });
    return answer;
  };
  const tokens = new Map<string, string>();
  const gateway = async (name = 'gw-1'): Promise<{ authorization: string }> => {
    const known = tokens.get(name) ?? (await tokenOf(url, name));
    tokens.set(name, known);
    return { authorization: `Bearer ${known}` };
  };
  const authorization = `Bearer ${over.API_KEY ?? API_KEY}`;
  const running: RunningApi = {
    api,
    database,
    url,
    get: (path, headers = {}) => call('GET', path, null, { authorization, ...headers }),
    send: (method, path, body, headers = {}) =>
      call(method, path, body === undefined ? null : JSON.stringify(body), {
        authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      }),
    events: async (lines, spool = 'spool-1', name) =>
      call('POST', `/v1/internal/events?spool=${spool}&clock=${systemClock.now()}`, ndjson(lines), {
        ...(await gateway(name)),
        'content-type': 'application/x-ndjson',
      }),
    gateway,
    async stop() {
      await api.close();
      await database.close();
    },
  };
  return wrap === undefined ? running : wrap(running);
}

export const ndjson = (lines: readonly object[]): string =>
  lines.map((line, i) => `${JSON.stringify({ seq: i + 1, ...line })}\n`).join('');

export function assertion(
  subject: string,
  key = INTERNAL_KEY,
  claims: { exp?: number; jti?: string } = {},
): Promise<string> {
  const now = Math.floor(systemClock.now() / 1000);
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('gateway')
    .setSubject(subject)
    .setIssuedAt(now)
    .setExpirationTime(claims.exp ?? now + 60)
    .setJti(claims.jti ?? randomUUID())
    .sign(new TextEncoder().encode(key));
}

async function tokenOf(url: string, gateway: string): Promise<string> {
  const response = await fetch(`${url}/v1/auth/internal`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ service: 'gateway', assertion: await assertion(gateway) }),
  });
  const body = (await response.json()) as { accessToken: string };
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return body.accessToken;
}
