import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_KEY, type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

const PASSWORD = 'eleven dull trailers';
let api: RunningApi;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url, { RATE_LIMIT: 600, TRUST_PROXY: 1 }));
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const login = async (address: string, username = 'dora', password = PASSWORD): Promise<number> => {
  const headers = { authorization: '', 'x-forwarded-for': address };
  return (await api.send('POST', '/v1/auth/credentials', { username, password }, headers)).status;
};

test('correct log-ins from unknown addresses do not delay each other', async () => {
  const names = Array.from({ length: 40 }, (_, n) => `driver-${n}`);
  for (const username of names) await api.send('POST', '/v1/users', { username, role: 'viewer', password: PASSWORD });
  for (const [n, username] of names.entries()) expect(await login(`198.51.100.${n}`, username), username).toBe(200);
});

test('the limit of one address does not affect other unknown addresses', async () => {
  await api.send('POST', '/v1/users', { username: 'emil', role: 'viewer', password: PASSWORD });
  const statuses: number[] = [];
  for (let n = 0; n < 14; n++) statuses.push(await login('203.0.113.9', `nobody-${n}`, 'wrong'));
  expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)]);
  expect(await login('203.0.113.10', 'emil')).toBe(200);
});

test('a text that PostgreSQL cannot store is an unknown user name', async () => {
  expect(await login('192.0.2.2', 'a\u0000b')).toBe(422);
  // nor a name of anything, whatever the schema of its path says
  for (const path of ['/v1/notifications?ids=a%00', '/v1/vehicles/a%00', '/v1/drivers/a%00']) {
    const method = path.includes('?') ? 'DELETE' : 'GET';
    expect((await api.send(method, path)).status, path).toBeLessThan(500);
  }
});

test('during a flood of wrong logins, requests are refused before they are read, and known addresses are admitted', async () => {
  await api.send('POST', '/v1/users', { username: 'dora', role: 'viewer', password: PASSWORD });
  expect(await login('192.0.2.1')).toBe(200);
  const statuses = await Promise.all(
    Array.from({ length: 150 }, (_, n) => login(`10.0.${n}.1`, n % 2 === 0 ? 'dora' : `nobody-${n}`, `wrong ${n}`)),
  );
  const count = (status: number): number => statuses.filter((each) => each === status).length;
  expect(count(401) + count(429)).toBe(150);
  // no more passwords are compared than the budget of some seconds
  expect(count(401)).toBeLessThan(50);
  expect(await login('192.0.2.1')).toBe(200);
  const { status } = await api.get('/v1/app/me', { authorization: `Bearer ${API_KEY}` });
  expect(status).toBe(200);
});
