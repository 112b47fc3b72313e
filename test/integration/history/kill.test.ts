import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STEPS } from '../../../src/server/history/index.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { sealAll, startHistory, type TestHistory } from '../../support/history.ts';
import { startTestServer, type TestServer } from '../../support/postgres.ts';
import { runUntilKilled } from '../../support/run-until-killed.ts';

const START = Date.UTC(2026, 2, 1, 23, 50);

let server: TestServer;
let url: string;
let api: RunningApi;
let history: TestHistory;
beforeAll(async () => {
  server = await startTestServer();
  url = await server.database();
  api = await startApi(url);
  history = startHistory(api.database);
});
afterAll(async () => {
  await history?.stop();
  await api?.stop();
  await server?.stop();
});

test('kill -9 at any step of sealing loses no position and doubles none', async () => {
  const stored = new Set<number>();
  for (const [n, step] of STEPS.entries()) {
    // every second round finds days that have files already; two days in any case
    const times = Array.from({ length: 20 }, (_, i) => START + i * 60_000 + n * 1_000 + (n >> 1) * 86_400_000);
    const positions = times.map((at) => ({
      imei: 'killed',
      fixTime: new Date(at).toISOString(),
      valid: true,
      latitude: 45,
      longitude: 9 + n / 100,
      attributes: { n },
    }));
    expect((await api.send('POST', '/v1/positions', { positions })).body).toMatchObject({ accepted: 20 });
    for (const at of times) stored.add(at);
    await runUntilKilled('seal', url, resolve(history.folder, '..'), step);
    const { body } = await api.get('/v1/devices/killed/positions?limit=500');
    const found = body.items.map(({ fixTime }: { fixTime: string }) => Date.parse(fixTime));
    expect(found, step).toEqual([...stored].sort((a, b) => a - b));
  }
  await sealAll(history);
  const { rows } = await api.database.ingest.query('select count(*)::int as n from position');
  expect(rows[0].n).toBe(0);
  expect((await history.status()).positions).toBe(stored.size);
  expect(await history.verify()).toEqual([]);
});
