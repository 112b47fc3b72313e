import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningApi, startApi } from '../../support/api.ts';
import { stopSharedServer, withDatabase } from '../../support/postgres.ts';

const PASSWORD = 'correct horse battery';
let api: RunningApi;
let databaseUrl: string;
beforeAll(async () => {
  api = await withDatabase((url) => {
    databaseUrl = url;
    return startApi(url, {}, { adminPassword: PASSWORD });
  });
});
afterAll(async () => {
  await api?.stop();
  await stopSharedServer();
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const login = (username: string, on = api) =>
  on.send('POST', '/v1/auth/credentials', { username, password: PASSWORD }, { authorization: '' });

test('a key that acts on behalf of a user is in the audit trail beside him', async () => {
  const user = (await api.send('POST', '/v1/users', { username: 'mara', role: 'manager', password: PASSWORD })).body;
  const scopes = ['users:write', 'users:read', 'vehicles:write', 'vehicles:read'];
  const key = (await api.send('POST', '/v1/keys', { name: 'agent', scopes })).body;
  const exchange = { apiKey: key.key, onBehalfOf: 'mara' };
  const { accessToken } = (await api.send('POST', '/v1/auth/user_api', exchange, { authorization: '' })).body;
  await api.send('POST', '/v1/groups', { name: 'by proxy' }, bearer(accessToken));
  const { items } = (await api.get(`/v1/audit?actor=${user.id}&action=POST%20/v1/groups`)).body;
  expect(items).toMatchObject([{ actor: user.id, after: { viaKey: key.id } }]);
});

test('a manager does not end a key that may more than he', async () => {
  const key = async (scopes: string[]) => (await api.send('POST', '/v1/keys', { name: 'key', scopes })).body.id;
  const asMara = bearer((await login('mara')).body.accessToken);
  const above = await key(['commands:privileged']);
  expect((await api.send('DELETE', `/v1/keys/${above}`, undefined, asMara)).body.code).toBe('scope-not-granted');
  const equal = await key(['vehicles:read']);
  expect((await api.send('DELETE', `/v1/keys/${equal}`, undefined, asMara)).status).toBe(200);
});

test('a cookie is Secure behind a proxy that ends TLS', async () => {
  const send = (origin: string) =>
    fetch(`${api.url}/login`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ user: 'admin', password: PASSWORD }),
    });
  expect((await send('https://fleet.example.org')).headers.get('set-cookie')).toContain('; Secure');
  expect((await send('http://127.0.0.1')).headers.get('set-cookie')).not.toContain('Secure');
});

test('a first administrator who was removed or renamed does not come back', async () => {
  await api.send('POST', '/v1/users', { username: 'chief', role: 'admin', password: PASSWORD });
  expect((await api.send('DELETE', '/v1/users/admin')).status).toBe(200);
  const again = await startApi(databaseUrl, {}, { adminPassword: PASSWORD });
  try {
    expect((await login('admin', again)).status).toBe(401);
    expect((await login('chief', again)).status).toBe(200);
  } finally {
    await again.stop();
  }
});
