import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningApi, startApi } from '../../support/api.ts';
import { positionEvent } from '../../support/positions.ts';
import { startTestServer, type TestServer } from '../../support/postgres.ts';

let server: TestServer;
let url: string;
let api: RunningApi;
beforeEach(async () => {
  // durable as in earnest
  server = await startTestServer({});
  url = await server.database();
  api = await startApi(url);
});
afterEach(async () => {
  await api?.stop();
  await server?.stop();
});

const BATCH = 200;
const lines = (batch: number) =>
  Array.from({ length: BATCH }, (_, n) => ({
    seq: batch * BATCH + n + 1,
    ...positionEvent(`K-${n % 5}`, batch * (BATCH / 5) + Math.floor(n / 5)),
  }));

test('after PostgreSQL is killed, requests are answered with 503 until it is back, and every confirmed row is stored once', async () => {
  await api.events(lines(0));
  const codes = new Set<string>();
  let batch = 1;
  let failing = false;
  const killed = (async () => {
    await new Promise((resolve) => setImmediate(resolve));
    await server.kill();
  })();
  // as a gateway does it: the same batch until it is settled
  const work = (async () => {
    while (batch < 40) {
      const answer = await api.events(lines(batch));
      if (answer.status === 200) batch++;
      else {
        failing = true;
        codes.add(`${answer.status} ${answer.body.code}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  })();
  await killed;
  await expect.poll(() => failing, { timeout: 60_000 }).toBe(true);
  expect((await api.get('/readyz', { authorization: '' })).status).toBe(503);
  expect((await api.get('/v1/vehicles/K-0/position')).body).toMatchObject({ status: 503, code: 'unavailable' });
  expect((await api.get('/healthz')).status).toBe(200);
  await server.restart();
  await work;
  expect([...codes]).toEqual(['503 unavailable']);
  const { rows } = await api.database.ingest.query('select count(*) as n from position');
  expect(rows[0].n).toBe(40 * BATCH);
  expect((await api.get('/readyz')).status).toBe(200);
});

test('connections that the server closes, idle or in use, are opened again', async () => {
  await api.events(lines(0));
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  const cut = () =>
    owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'fleetgate%' and pid <> pg_backend_pid()",
    );
  for (let batch = 1; batch <= 10; batch++) {
    const answers = await Promise.all([api.events(lines(batch)), cut()]);
    let { status } = answers[0];
    while (status !== 200) {
      expect(status).toBe(503);
      status = (await api.events(lines(batch))).status;
    }
  }
  await owner.end();
  const { rows } = await api.database.ingest.query('select count(*) as n from position');
  expect(rows[0].n).toBe(11 * BATCH);
});
