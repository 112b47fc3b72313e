import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/postgres.ts';
import { KEY, type Part, part } from '../support/processes.ts';
import { needs } from '../support/programs.ts';
import { TestRedis } from '../support/redis.ts';

const redisServer = needs('redis-server');

interface Readiness {
  readonly status: string;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly refused?: string }[];
}

let server: TestServer;
let redis: TestRedis | undefined;
let folder: string;
let api: Part;

beforeAll(async () => {
  server = await startTestServer();
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-outage-'));
  redis = redisServer === undefined ? undefined : await new TestRedis(redisServer).start();
  api = await part({
    ROLE: 'api',
    DATABASE_URL: await server.database(),
    DATA_DIR: folder,
    METRICS_PUBLIC: 'false',
    METRICS_TOKEN: 'token-of-prometheus',
    ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
  });
  await api.start();
}, 300_000);
afterAll(async () => {
  await api?.kill();
  await redis?.stop();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const metrics = (token: string): Promise<Response> =>
  fetch(`${api.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
const textOf = async (token = KEY): Promise<string> => (await metrics(token)).text();
async function readiness(): Promise<{ status: number; body: Readiness }> {
  const answer = await fetch(`${api.url}/readyz`);
  return { status: answer.status, body: (await answer.json()) as Readiness };
}
const failed = ({ body }: { body: Readiness }): string[] => body.checks.filter(({ ok }) => !ok).map(({ name }) => name);

describe('metrics and readiness', { timeout: 180_000 }, () => {
  it('a scrape makes no request wait for a connection', async () => {
    for (let n = 0; n < 5; n++) {
      const text = await textOf();
      const waiting = [...text.matchAll(/^fleetgate_database_connections\{.*state="waiting"\} (\d+)$/gm)];
      expect(waiting.length).toBeGreaterThan(0);
      expect(waiting.map(([, count]) => count)).toEqual(waiting.map(() => '0'));
    }
  });

  it('are read with METRICS_TOKEN or API_KEY, and with nothing else', async () => {
    expect((await metrics('token-of-prometheus')).status).toBe(200);
    expect((await metrics(KEY)).status).toBe(200);
    expect((await metrics('token-of-somebody')).status).toBe(401);
    expect(
      (await fetch(`${api.url}/v1/devices`, { headers: { authorization: 'Bearer token-of-prometheus' } })).status,
    ).toBe(401);
  });

  it.skipIf(redisServer === undefined)(
    'a Redis that is full or away does not take the API out of service',
    async () => {
      await redis!.ask('CONFIG SET maxmemory 1');
      await expect.poll(async () => failed(await readiness()), { timeout: 60_000 }).toEqual(['queue']);
      expect(await readiness()).toMatchObject({ status: 200, body: { status: 'degraded' } });
      await redis!.ask('CONFIG SET maxmemory 0');
      await expect.poll(async () => (await readiness()).body.status, { timeout: 60_000 }).toBe('ready');
      await redis!.kill();
      await expect.poll(async () => failed(await readiness()), { timeout: 60_000 }).toEqual(['queue']);
      expect((await readiness()).status).toBe(200);
      await expect
        .poll(() => textOf(), { timeout: 60_000 })
        .toContain('fleetgate_ready{check="queue",required="false"} 0');
      await redis!.start();
      await expect.poll(async () => (await readiness()).body.status, { timeout: 60_000 }).toBe('ready');
    },
  );

  it('while the database is away metrics are answered, and say so', async () => {
    await server.kill();
    await expect.poll(async () => (await readiness()).status, { timeout: 60_000 }).toBe(503);
    expect(failed(await readiness())).toContain('database');
    for (const token of ['token-of-prometheus', KEY]) expect((await metrics(token)).status).toBe(200);
    await expect
      .poll(() => textOf('token-of-prometheus'), { timeout: 60_000 })
      .toContain('fleetgate_ready{check="database",required="true"} 0');
    expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
    await server.restart();
    await expect.poll(async () => (await readiness()).body.status, { timeout: 60_000 }).toBe('ready');
  });
});
