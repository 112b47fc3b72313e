import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, SCOPES } from '../../../src/server/index.ts';
import { type Answer, type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { positionEvent } from '../../support/positions.ts';

const PASSWORD = 'a mountain of tarmac';
let api: RunningApi;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const login = (tenant: string): Promise<Answer> =>
  api.send('POST', '/v1/auth/credentials', { username: 'boss', password: PASSWORD, tenant }, { authorization: '' });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const create = (name: string) =>
  api.send('POST', '/v1/tenants', { name, timezone: 'Europe/Rome', admin: { username: 'boss', password: PASSWORD } });

describe('a tenant', () => {
  test('is created with its first administrator, who sees the data of this tenant only', async () => {
    const made = await create('acme');
    expect(made.body).toMatchObject({ name: 'acme', timezone: 'Europe/Rome', active: true, users: 1, vehicles: 0 });
    expect((await create('acme')).body.code).toBe('conflict');
    const { accessToken, scope } = (await login('acme')).body;
    expect(scope.split(' ')).not.toEqual(expect.arrayContaining(['tenants:read']));
    await api.send('POST', '/v1/vehicles', { targa: 'OURS' });
    await api.send('POST', '/v1/vehicles', { targa: 'THEIRS' }, bearer(accessToken));
    const theirs = await api.get('/v1/vehicles/THEIRS', bearer(accessToken));
    expect(theirs.status).toBe(200);
    expect((await api.get('/v1/vehicles/OURS', bearer(accessToken))).status).toBe(404);
    expect((await api.get('/v1/vehicles/THEIRS')).status).toBe(404);
  });

  test('is not created if its administrator cannot be created', async () => {
    const weak = { name: 'weak', admin: { username: 'boss', password: '12345' } };
    expect((await api.send('POST', '/v1/tenants', weak)).body.code).toBe('weak-password');
    expect((await api.get('/v1/tenants/weak')).body.code).toBe('unknown-tenant');
  });

  test('is listed and changed, in the version that was asked for', async () => {
    await create('listed');
    const names = (await api.get('/v1/tenants')).body.items.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['default', 'listed']));
    const first = (await api.get('/v1/tenants?limit=1')).body;
    expect((await api.get(`/v1/tenants?limit=1&cursor=${first.nextCursor}`)).body.items[0].name).not.toBe(
      first.items[0].name,
    );
    const { headers } = await api.get('/v1/tenants/listed');
    const etag = { 'if-match': headers.get('etag')! };
    const change = () => api.send('PATCH', '/v1/tenants/listed', { title: 'Listed & Sons', partners: [] }, etag);
    expect((await change()).body).toMatchObject({ title: 'Listed & Sons', partners: [], timezone: 'Europe/Rome' });
    expect((await change()).body.code).toBe('precondition-failed');
  });

  test('that is disabled has no valid credentials, and has them again when it is enabled', async () => {
    await create('off');
    const tenantId = await api.database.tenantId('off');
    const { key } = await createKey(api.database.ingest, { tenantId, name: 'k', scopes: ['vehicles:read'] });
    const { accessToken, refreshToken } = (await login('off')).body;
    const statuses = async () =>
      (await Promise.all([key, accessToken].map((token) => api.get('/v1/vehicles', bearer(token))))).map(
        ({ status }) => status,
      );
    expect(await statuses()).toEqual([200, 200]);
    const turn = (active: boolean) => api.send('PATCH', '/v1/tenants/off', { active });
    expect((await turn(false)).body.active).toBe(false);
    expect(await statuses()).toEqual([401, 401]);
    expect((await login('off')).body.code).toBe('invalid-credentials');
    const refreshed = await api.send('POST', '/v1/auth/refresh', { refreshToken }, { authorization: '' });
    expect(refreshed.status).toBe(401);
    const exchanged = await api.send('POST', '/v1/auth/user_api', { apiKey: key }, { authorization: '' });
    expect(exchanged.body.code).toBe('invalid-client');
    await turn(true);
    expect(await statuses()).toEqual([200, 200]);
    expect((await login('off')).status).toBe(200);
  });

  test('is removed with all its data after it is disabled; its audit trail is kept', async () => {
    await create('gone');
    const tenantId = await api.database.tenantId('gone');
    const { key } = await createKey(api.database.ingest, { tenantId, name: 'k', scopes: SCOPES });
    const theirs = bearer(key);
    await api.send('POST', '/v1/devices', { imei: 'G-1' }, theirs);
    await api.send('POST', '/v1/groups', { name: 'trucks' }, theirs);
    await api.send('POST', '/v1/vehicles', { targa: 'G1', group: 'trucks' }, theirs);
    await api.send('POST', '/v1/pairings', { targa: 'G1', imei: 'G-1' }, theirs);
    await api.send('POST', '/v1/users', { username: 'u', role: 'viewer', allVehicles: false, targhe: ['G1'] }, theirs);
    await api.events([positionEvent('G-1', 1)], 'gone');
    expect((await api.get('/v1/vehicles/G-1/position', theirs)).status).toBe(200);
    const remove = () => api.send('DELETE', '/v1/tenants/gone');
    expect((await remove()).body.code).toBe('conflict');
    await api.send('PATCH', '/v1/tenants/gone', { active: false });
    expect((await remove()).status).toBe(200);
    expect((await remove()).body.code).toBe('unknown-tenant');
    const left = async (table: string): Promise<number> =>
      (await api.database.ingest.query(`select count(*)::int as n from ${table} where tenant_id = $1`, [tenantId]))
        .rows[0].n;
    for (const table of ['tenant', 'app_user', 'vehicle', 'vehicle_group', 'pairing', 'device', 'api_key']) {
      expect(await left(table), table).toBe(0);
    }
    expect(await left('audit')).toBeGreaterThan(0);
    const { rows } = await api.database.ingest.query('select count(*)::int as n from removed_device');
    expect(rows[0].n).toBe(1);
    // the name and the device are free again
    expect((await create('gone')).status).toBe(200);
    expect((await api.send('POST', '/v1/devices', { imei: 'G-1' })).status).toBe(200);
  });

  test('of the installation cannot be removed', async () => {
    expect((await api.send('PATCH', '/v1/tenants/default', { active: false })).body.code).toBe('conflict');
    expect((await api.send('DELETE', '/v1/tenants/default')).body.code).toBe('conflict');
  });
});

test('only the operator can see tenants, whatever the scopes', async () => {
  const tenantId = await api.database.tenantId('other-tenant');
  const { key } = await createKey(api.database.ingest, { tenantId, name: 'all', scopes: SCOPES });
  for (const [method, path, body] of [
    ['GET', '/v1/tenants', undefined],
    ['GET', '/v1/tenants/default', undefined],
    ['POST', '/v1/tenants', { name: 'mine' }],
    ['PATCH', '/v1/tenants/default', { title: 'x' }],
    ['DELETE', '/v1/tenants/default', undefined],
  ] as const) {
    expect(await api.send(method, path, body, bearer(key)), path).toMatchObject({
      status: 403,
      body: { code: 'missing-scope' },
    });
  }
  expect((await api.get('/v1/tenants/mine')).status).toBe(404);
});
