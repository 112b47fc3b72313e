import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { request } from 'undici';
import { systemClock } from '../../src/platform/clock.ts';
import { startTestServer } from '../support/postgres.ts';
import { type Figure, median } from './figure.ts';
import type { Flood } from './flood.ts';
import { gatewayToken, postBatches, prepareBatches } from './ingest-api.ts';
import { built, startApiProcess } from './processes.ts';

const A_MINUTE = 10_000;
const BATCHES = 100;
const ROWS_A_BATCH = 1_000;
const ROUNDS = 12;
/** that the flood runs before anything is measured */
const FLOOD_WARM_MS = 2_000;
const USERS = 50;
const API_KEY = 'key-of-the-benchmark';
const PASSWORD = 'seven quiet lorries';

/**
 * Wrong log-ins, 10,000 a minute from as many addresses as there are attempts, half of them for users that there are,
 * while two gateways post positions as fast as they are taken: rounds with and without them, alternating, each first as
 * often (tables grow). Meanwhile users log in from where they have been before, and a key is used.
 */
export async function run(): Promise<Figure[]> {
  const server = await startTestServer({});
  const api = await startApiProcess(await server.database(), { API_KEY, TRUST_PROXY: 'true' });
  try {
    const users = Array.from({ length: USERS }, (_, n) => `user-${n}`);
    for (const username of users) await call(api.url, '/v1/users', { username, role: 'viewer', password: PASSWORD });
    // they have been here before
    for (const [n, username] of users.slice(0, 20).entries()) await login(api.url, username, n, 40);
    const token = await gatewayToken(api.url);
    let first = 0;
    const cpu = (): number => api.cpuSeconds() + server.cpuSeconds();
    const ingest = async (prepare: () => Promise<void> = async () => {}): Promise<Stretch> => {
      const batches = prepareBatches(first, BATCHES);
      first += BATCHES;
      await prepare();
      const cpuFrom = cpu();
      const from = systemClock.monotonic();
      await postBatches(api.url, token, batches);
      const rows = BATCHES * ROWS_A_BATCH;
      const seconds = (systemClock.monotonic() - from) / 1000;
      return { perSecond: rows / seconds, cpu: ((cpu() - cpuFrom) / rows) * 1e6 };
    };
    await ingest();
    const rounds: { calm: Stretch; flooded: Stretch }[] = [];
    const floods: { sent: number; statuses: Record<string, number> }[] = [];
    let opened = 0;
    const flooding = async (): Promise<Stretch> => {
      let stop: ReturnType<typeof startFlood> = async () => ({ sent: 0, statuses: {} });
      const flooded = await ingest(async () => {
        stop = startFlood({ url: api.url, perSecond: A_MINUTE / 60, users, addresses: 16_000_000 });
        await new Promise((resolve) => setTimeout(resolve, FLOOD_WARM_MS));
      });
      const n = floods.length;
      opened += (await login(api.url, `user-${n}`, n, 1)) ? 1 : 0;
      opened += (await call(api.url, '/v1/app/me')) === 200 ? 1 : 0;
      floods.push(await stop());
      return flooded;
    };
    for (let round = 0; round < ROUNDS; round++) {
      const calmFirst = round % 2 === 0 ? await ingest() : undefined;
      const flooded = await flooding();
      rounds.push({ calm: calmFirst ?? (await ingest()), flooded });
    }
    const slower = ({ calm, flooded }: (typeof rounds)[number]): number =>
      100 * (1 - flooded.perSecond / calm.perSecond);
    const sum = (status: string): number => floods.reduce((total, each) => total + (each.statuses[status] ?? 0), 0);
    return [
      {
        name: 'login-flood: rows stored a second, without',
        value: count(median(rounds.map(({ calm }) => calm.perSecond))),
      },
      {
        name: 'login-flood: with 10,000 wrong log-ins a minute',
        value: count(median(rounds.map((r) => r.flooded.perSecond))),
      },
      {
        name: 'login-flood: slower by (median of the rounds)',
        value: `${median(rounds.map(slower)).toFixed(1)} %`,
        measurements: [{ key: 'slower', value: median(rounds.map(slower)), unit: '%' }],
      },
      {
        name: 'login-flood: CPU a row of API and PostgreSQL, without and with',
        value: `${median(rounds.map(({ calm }) => calm.cpu)).toFixed(1)} and ${median(rounds.map((r) => r.flooded.cpu)).toFixed(1)} µs`,
      },
      {
        name: 'login-flood: round by round',
        value: rounds.map((round) => `${slower(round).toFixed(0)} %`).join(', '),
      },
      { name: 'login-flood: wrong log-ins answered 401, 423, 429', value: ['401', '423', '429'].map(sum).join(', ') },
      {
        name: 'login-flood: users and keys admitted meanwhile',
        value: `${opened} of ${2 * ROUNDS}`,
        measurements: [{ key: 'admitted', value: (100 * opened) / (2 * ROUNDS), unit: '%', wanted: { atLeast: 100 } }],
      },
    ];
  } finally {
    await api.stop();
    await server.stop();
  }
}

interface Stretch {
  readonly perSecond: number;
  /** µs a row */
  readonly cpu: number;
}

const count = (value: number): string => Math.round(value).toLocaleString('en');

function startFlood(flood: Flood): () => Promise<{ sent: number; statuses: Record<string, number> }> {
  const child = spawn(process.execPath, [built('test/bench/flood.js')], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(flood));
  return async () => {
    const ended = once(child, 'exit');
    const figures = json(child.stdout);
    child.kill('SIGTERM');
    await ended;
    return (await figures) as { sent: number; statuses: Record<string, number> };
  };
}

async function call(url: string, path: string, body?: object, address?: string): Promise<number> {
  const { statusCode, body: read } = await request(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${API_KEY}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(address === undefined ? {} : { 'x-forwarded-for': address }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  await read.dump();
  return statusCode;
}

/** Tries until it is admitted: unknown clients wait for each other. */
async function login(url: string, username: string, n: number, tries: number): Promise<boolean> {
  for (let i = 0; i < tries; i++) {
    if ((await call(url, '/v1/auth/credentials', { username, password: PASSWORD }, `192.0.2.${n}`)) === 200)
      return true;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return false;
}
