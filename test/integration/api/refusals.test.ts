import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../../src/platform/log.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { createDatabase, dropDatabases } from '../../support/databases.ts';

let api: RunningApi;
let lines: Record<string, unknown>[] = [];
beforeAll(async () => {
  const log = createLog('api', 'info', {
    destination: { write: (text) => void lines.push(JSON.parse(text) as Record<string, unknown>) },
  });
  api = await startApi(await createDatabase(), {}, { log, adminPassword: 'seven grey herons' });
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});
beforeEach(() => {
  lines = [];
});

const refused = () => lines.filter(({ event }) => event === 'credential-refused');
const send = (path: string, body: object) => api.send('POST', path, body, { authorization: '' });
/** The line is written when the answer has been sent. */
const expectRefused = (expected: object): Promise<void> =>
  expect.poll(refused, { timeout: 30_000 }).toEqual([expect.objectContaining(expected)]);

test('a wrong password is a line with address and request, and without name or password', async () => {
  const answer = await send('/v1/auth/credentials', { username: 'admin', password: 'not this one' });
  expect(answer.status).toBe(401);
  const { requestId } = answer.body;
  const where = { route: '/v1/auth/credentials', requestId, address: '127.0.0.1' };
  await expectRefused({ level: 40, refusal: 'invalid-credentials', ...where });
  expect(JSON.stringify(lines)).not.toContain('not this one');
});

test('so are a wrong password of the login page, a wrong key and a gateway with another internal key', async () => {
  const form = new URLSearchParams({ user: 'admin', password: 'not this one' });
  await fetch(`${api.url}/login`, { method: 'POST', body: form, redirect: 'manual' });
  await expectRefused({ refusal: 'invalid-credentials', route: '/login' });
  lines = [];
  expect((await api.get('/v1/devices', { authorization: 'Bearer flt_live_000000000000_wrong' })).status).toBe(401);
  await expectRefused({ refusal: 'unauthorized', route: '/v1/devices' });
  expect(JSON.stringify(lines)).not.toContain('flt_live');
  lines = [];
  expect((await send('/v1/auth/internal', { service: 'gateway', assertion: 'a.b.c' })).status).toBe(401);
  await expectRefused({ refusal: 'invalid-assertion', route: '/v1/auth/internal' });
});

test('a flood is some lines, and a request without a credential is no attempt', async () => {
  expect((await api.get('/v1/devices', { authorization: '' })).status).toBe(401);
  for (let n = 0; n < 30; n++) await api.get('/v1/vehicles', { authorization: 'Bearer flt_live_000000000000_wrong' });
  await expect.poll(() => refused().length, { timeout: 30_000 }).toBeGreaterThan(3);
  expect(refused().length).toBeLessThanOrEqual(20);
  for (const { route } of refused()) expect(route).toBe('/v1/vehicles');
});
