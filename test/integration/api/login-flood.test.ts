import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_KEY, type RunningApi, startApi } from '../../support/api.ts';
import { stopSharedServer, withDatabase } from '../../support/postgres.ts';

const PASSWORD = 'eleven dull trailers';
let api: RunningApi;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url, { RATE_LIMIT: 600, TRUST_PROXY: true }));
});
afterAll(async () => {
  await api?.stop();
  await stopSharedServer();
});

const login = async (address: string, username = 'dora', password = PASSWORD): Promise<number> => {
  const headers = { authorization: '', 'x-forwarded-for': address };
  return (await api.send('POST', '/v1/auth/credentials', { username, password }, headers)).status;
};

test('wrong log-ins from everywhere are refused unread, and let in who has been here before', async () => {
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

test('what PostgreSQL cannot hold is no user name', async () => {
  expect(await login('192.0.2.2', 'a\u0000b')).toBe(422);
  // nor a name of anything, whatever the schema of its path says
  for (const path of ['/v1/notifications?ids=a%00', '/v1/vehicles/a%00', '/v1/drivers/a%00']) {
    const method = path.includes('?') ? 'DELETE' : 'GET';
    expect((await api.send(method, path)).status, path).toBeLessThan(500);
  }
});
