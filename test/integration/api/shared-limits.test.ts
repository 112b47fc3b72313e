import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { type Database, openDatabase } from '../../../src/server/database/index.ts';
import { type Budgets, createBudgets } from '../../../src/server/kernel/budgets/index.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { createDatabase, dropDatabases } from '../../support/databases.ts';

const LIMIT = 40;
const log = createLog('test', 'silent');
let databases: Database[];
let budgets: Budgets[];
let apis: RunningApi[];

beforeAll(async () => {
  const url = await createDatabase();
  databases = [await openDatabase({ url, log }), await openDatabase({ url, log })];
  const { monotonic } = systemClock;
  budgets = databases.map(({ ingest }) => createBudgets({ pool: ingest, log, monotonic, peers: { count: () => 1 } }));
  apis = [];
  for (const own of budgets) {
    const settings = { RATE_LIMIT: LIMIT, TRUST_PROXY: 1 };
    apis.push(await startApi(url, settings, { budgets: own, limitsLogins: true }));
  }
});
afterAll(async () => {
  for (const api of apis ?? []) await api.stop();
  for (const database of databases ?? []) await database.close();
  await dropDatabases();
});

test('requests of one credential are counted by all API processes together', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < LIMIT + 6; n++) {
    const { status } = await apis[n % 2]!.get('/v1/vehicles');
    statuses.push(status);
    // as a process does twice a second
    await budgets[n % 2]!.exchange();
  }
  expect(statuses.slice(0, LIMIT).every((status) => status === 200)).toBe(true);
  // a request that the other process has admitted since the last exchange may be beyond the limit
  expect(statuses.slice(LIMIT + 2)).toEqual([429, 429, 429, 429]);
});

test('log-ins of one address are counted by all API processes together', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 12; n++) {
    const answer = await fetch(`${apis[n % 2]!.url}/v1/auth/credentials`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' },
      body: JSON.stringify({ username: `nobody-${n}`, password: 'wrong password' }),
    });
    statuses.push(answer.status);
  }
  // ten wrong passwords a minute of an address for accounts that it has never logged in to
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
});

test('what is given back is given back everywhere, and a used budget of another process is not lost', async () => {
  const options = { name: 'test', points: 3, windowMs: 60_000 };
  const [one, two] = [budgets[0]!.create(options), budgets[1]!.create(options)];
  expect((await one.addShared('k')).points).toBe(1);
  expect((await two.addShared('k')).points).toBe(2);
  expect((await one.addShared('k')).points).toBe(3);
  two.giveBack('k');
  await budgets[1]!.exchange();
  expect((await one.addShared('k')).points).toBe(3);
  expect(two.get('k')?.points).toBe(2);
  const others = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : two).addShared('many')));
  expect(Math.max(...others.map(({ points }) => points))).toBe(20);
  expect(two.get('other')).toBeUndefined();
});
