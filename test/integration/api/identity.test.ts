import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../../src/apps/config.ts';
import { startDispatch } from '../../../src/apps/dispatch.ts';
import { firstPasswordFile, openKeys, showFirstRunSecrets } from '../../../src/apps/keys.ts';
import { openDatabase } from '../../../src/server/database/index.ts';
import { type RunningApi, silent, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { testSettings } from '../../support/settings.ts';

const PASSWORD = 'correct horse battery';
let api: RunningApi;
let databaseUrl: string;
let stopDispatch: (() => Promise<void>) | undefined;
beforeAll(async () => {
  api = await withDatabase(async (url) => {
    databaseUrl = url;
    const database = await openDatabase({ url, log: silent });
    const { engine, ...parts } = await startDispatch(database, silent, testSettings());
    stopDispatch = async () => {
      await engine.stop();
      await database.close();
    };
    return startApi(url, {}, { adminPassword: PASSWORD, ...parts });
  });
});
afterAll(async () => {
  await api?.stop();
  await stopDispatch?.();
  await dropDatabases();
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const login = (username: string, on = api) =>
  on.send('POST', '/v1/auth/credentials', { username, password: PASSWORD }, { authorization: '' });

test('a key that acts on behalf of a user is recorded in the audit trail together with the user', async () => {
  const user = (await api.send('POST', '/v1/users', { username: 'mara', role: 'manager', password: PASSWORD })).body;
  const scopes = ['users:write', 'users:read', 'vehicles:write', 'vehicles:read'];
  const key = (await api.send('POST', '/v1/keys', { name: 'agent', scopes })).body;
  const exchange = { apiKey: key.key, onBehalfOf: 'mara' };
  const { accessToken } = (await api.send('POST', '/v1/auth/user_api', exchange, { authorization: '' })).body;
  await api.send('POST', '/v1/groups', { name: 'by proxy' }, bearer(accessToken));
  const { items } = (await api.get(`/v1/audit?actor=${user.id}&action=POST%20/v1/groups`)).body;
  expect(items).toMatchObject([{ actor: user.id, after: { viaKey: key.id } }]);
});

test('a key that acts on behalf of a user neither lists nor ends the sessions of the user', async () => {
  await api.send('POST', '/v1/users', { username: 'nora', role: 'admin', password: PASSWORD });
  const own = bearer((await login('nora')).body.accessToken);
  const key = (await api.send('POST', '/v1/keys', { name: 'of a manager', scopes: ['users:write'] })).body;
  const exchange = { apiKey: key.key, onBehalfOf: 'nora' };
  const { accessToken } = (await api.send('POST', '/v1/auth/user_api', exchange, { authorization: '' })).body;
  expect((await api.get('/v1/auth/sessions', bearer(accessToken))).body.code).toBe('missing-scope');
  const [session] = (await api.get('/v1/auth/sessions', own)).body.items;
  const ended = await api.send('DELETE', `/v1/auth/sessions/${session.id}`, undefined, bearer(accessToken));
  expect(ended.body.code).toBe('missing-scope');
  expect((await api.send('POST', '/v1/auth/revoke', { all: true }, bearer(accessToken))).body.code).toBe(
    'missing-scope',
  );
  expect((await api.get('/v1/auth/sessions', own)).status).toBe(200);
});

test('a command that a key requests on behalf of a user names both, and so does the exchange of the key', async () => {
  const user = (await api.send('POST', '/v1/users', { username: 'otto', role: 'manager', password: PASSWORD })).body;
  const scopes = ['users:write', 'commands:write', 'commands:read'];
  const key = (await api.send('POST', '/v1/keys', { name: 'sender', scopes })).body;
  const exchange = { apiKey: key.key, onBehalfOf: 'otto', scope: 'commands:write' };
  const { accessToken } = (await api.send('POST', '/v1/auth/user_api', exchange, { authorization: '' })).body;
  const exchanged = (await api.get('/v1/audit?action=key.exchanged')).body.items;
  expect(exchanged.at(-1)).toMatchObject({
    actor: key.id,
    object: user.id,
    after: { onBehalfOf: user.id, scopes: ['commands:write'] },
  });
  const request = { imei: '356307042441013', gprsCommand: 'getinfo' };
  await api.send('POST', '/v1/devices', { imei: request.imei });
  const command = (await api.send('POST', '/v1/gprsCommands/', request, bearer(accessToken))).body;
  const { items } = (await api.get(`/v1/audit?object=${command.commandId}`)).body;
  expect(items).toMatchObject([{ actor: user.id, after: { imei: request.imei, viaKey: key.id } }]);
});

test('a manager cannot revoke a key that has more scopes than the manager', async () => {
  const key = async (scopes: string[]) => (await api.send('POST', '/v1/keys', { name: 'key', scopes })).body.id;
  const asMara = bearer((await login('mara')).body.accessToken);
  const above = await key(['commands:privileged']);
  expect((await api.send('DELETE', `/v1/keys/${above}`, undefined, asMara)).body.code).toBe('scope-not-granted');
  const equal = await key(['vehicles:read']);
  expect((await api.send('DELETE', `/v1/keys/${equal}`, undefined, asMara)).status).toBe(200);
});

test('a cookie is Secure behind a proxy that ends TLS', async () => {
  // over HTTPS browsers send Sec-Fetch-Site; the proxy has replaced Host
  const send = (headers: Record<string, string>) =>
    fetch(`${api.url}/login`, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ user: 'admin', password: PASSWORD }),
    });
  expect(
    (await send({ origin: 'https://fleet.example.org', 'sec-fetch-site': 'same-origin' })).headers.get('set-cookie'),
  ).toContain('; Secure');
  expect((await send({ origin: api.url })).headers.get('set-cookie')).not.toContain('Secure');
});

test('a first administrator who was removed or renamed is not created again', async () => {
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

test('the first password is erased from the disk once it was replaced, and stays erased', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetgate-keys-'));
  const config = { ...loadConfig({ DATA_DIR: folder }) };
  const keys = openKeys(config);
  const password = keys.adminPassword!;
  showFirstRunSecrets(keys, folder, false);
  const isOnDisk = (name: string): boolean => readFileSync(join(folder, name), 'utf8').includes(password);
  const files = ['keys/admin-password', 'first-run.txt'];
  const start = () =>
    startApi(url, {}, { adminPassword: openKeys(config).adminPassword, firstPasswordFile: firstPasswordFile(folder) });
  const url = await withDatabase(async (fresh) => fresh);
  const first = await start();
  const asAdmin = (on: RunningApi, secret: string) =>
    on.send('POST', '/v1/auth/credentials', { username: 'admin', password: secret }, { authorization: '' });
  try {
    expect(files.map(isOnDisk)).toEqual([true, true]);
    expect((await asAdmin(first, password)).status).toBe(200);
    // by another administrator; the own change and recovery end in the same statement
    await first.send('PATCH', '/v1/users/admin', { password: PASSWORD });
    await expect.poll(() => files.map(isOnDisk)).toEqual([false, false]);
    expect(readFileSync(join(folder, 'first-run.txt'), 'utf8')).toMatch(/^API key +flt_live_\S+\n$/);
  } finally {
    await first.stop();
  }
  expect(openKeys(config).adminPassword).toBeUndefined();
  const again = await start();
  try {
    expect((await asAdmin(again, PASSWORD)).status).toBe(200);
    expect(files.map((name) => readFileSync(join(folder, name), 'utf8').includes('admin password'))).toEqual([
      false,
      false,
    ]);
  } finally {
    await again.stop();
    rmSync(folder, { recursive: true });
  }
});

test('the first password that was replaced while the supervisor was not running is erased at the next start', async () => {
  let kept: string | undefined = 'the words of the first start';
  const file = {
    read: () => kept,
    erase: () => {
      kept = undefined;
    },
  };
  const url = await withDatabase(async (fresh) => fresh);
  const first = await startApi(url, {}, { adminPassword: kept });
  await first.send('PATCH', '/v1/users/admin', { username: 'chief' });
  const renamed = await startApi(url, {}, { adminPassword: kept, firstPasswordFile: file });
  expect((await renamed.get('/v1/users')).body.items).toHaveLength(1);
  expect(kept).toBeDefined();
  await renamed.stop();
  await first.send('PATCH', '/v1/users/chief', { password: PASSWORD });
  await first.stop();
  const second = await startApi(url, {}, { adminPassword: kept, firstPasswordFile: file });
  expect(kept).toBeUndefined();
  await second.stop();
});
