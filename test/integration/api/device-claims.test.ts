import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, SCOPES } from '../../../src/server/index.ts';
import { type Answer, type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { positionEvent } from '../../support/positions.ts';

let api: RunningApi;
const as: Record<string, { authorization: string }> = {};

beforeAll(async () => {
  api = await withDatabase((url) => startApi(url, { autoRegister: false, DEVICES_UNSEEN_PER_TENANT: 5 }));
  for (const name of ['acme', 'other', 'crowd', 'fleet', 'partly']) {
    const tenantId = await api.database.tenantId(name);
    const { key } = await createKey(api.database.ingest, { tenantId, name, scopes: SCOPES });
    as[name] = { authorization: `Bearer ${key}` };
  }
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const register = (tenant: string, imei: string): Promise<Answer> =>
  api.send('POST', '/v1/devices', { imei, name: 'Van' }, as[tenant]);
const claims = async (): Promise<Record<string, unknown>[]> => (await api.get('/v1/device-claims')).body.items;
const decide = async (verb: string, imei: string): Promise<Answer> => {
  const claim = (await claims()).find((each) => each['imei'] === imei)!;
  return api.send('POST', `/v1/device-claims/${claim['id']}/${verb}`);
};
/** times of what a tenant has of a device */
const records = async (tenant: string, imei: string): Promise<number> =>
  (await api.get(`/v1/devices/${imei}/positions`, as[tenant])).body.items.length;

describe('a tenant that registers a device id of another tenant', () => {
  const alike = ({ body }: Answer): unknown => ({ ...body, imei: '', registeredAt: '' });

  test('cannot distinguish the answers from those for an id that nobody has', async () => {
    await register('acme', 'taken');
    await api.events([positionEvent('taken', 1)], 'claims');
    const [taken, free] = [await register('other', 'taken'), await register('other', 'free')];
    expect(taken.status).toBe(200);
    expect(alike(taken)).toEqual(alike(free));
    for (const path of ['', '/state', '/positions', '/timeline']) {
      const [one, two] = await Promise.all(
        ['taken', 'free'].map((imei) => api.get(`/v1/devices/${imei}${path}`, as['other'])),
      );
      expect({ status: one!.status, code: one!.body.code }, path).toEqual({
        status: two!.status,
        code: two!.body.code,
      });
    }
    expect((await register('other', 'taken')).body.code).toBe('conflict');
    expect((await register('other', 'free')).body.code).toBe('conflict');
    for (const imei of ['taken', 'free']) {
      const position = { ...positionEvent(imei, 2).position, deviceId: undefined, imei };
      const pushed = await api.send('POST', '/v1/positions', { positions: [position] }, as['other']);
      expect(pushed.body).toMatchObject({ accepted: 1, rejected: [] });
      expect(await records('other', imei)).toBe(1);
    }
    // the other one has what its device has sent, and nothing else
    expect(await records('acme', 'taken')).toBe(1);
    for (const imei of ['taken', 'free']) {
      expect((await api.send('DELETE', `/v1/devices/${imei}`, undefined, as['other'])).status).toBe(200);
    }
    expect((await api.get('/v1/devices/taken', as['acme'])).status).toBe(200);
  });

  test('waits for the operator, who sees both and decides', async () => {
    await register('acme', 'sold');
    await api.events([positionEvent('sold', 1)], 'claims-2');
    await register('other', 'sold');
    expect(await claims()).toMatchObject([
      { imei: 'sold', tenant: 'other', holder: { tenant: 'acme', lastSeenAt: expect.any(String) } },
    ]);
    expect((await api.get('/v1/device-claims', as['other'])).body.code).toBe('missing-scope');
    const { id } = (await claims())[0]!;
    const accept = `/v1/device-claims/${id}/accept`;
    expect((await api.send('POST', accept, undefined, as['other'])).body.code).toBe('missing-scope');
    expect((await decide('accept', 'sold')).body).toMatchObject({ tenant: 'other' });
    // by a notification of the database
    const spool = 'claims-3';
    let n = 1;
    await expect
      .poll(async () => {
        await api.events(
          [positionEvent('sold', ++n)].map((event) => ({ ...event, seq: n })),
          spool,
        );
        return records('other', 'sold');
      })
      .toBeGreaterThan(0);
    const left = await records('acme', 'sold');
    await api.events([{ ...positionEvent('sold', ++n), seq: n }], spool);
    expect(await records('acme', 'sold')).toBe(left);
    // the former holder waits now
    expect(await claims()).toMatchObject([{ imei: 'sold', tenant: 'acme', holder: { tenant: 'other' } }]);
    expect((await decide('reject', 'sold')).status).toBe(200);
    expect(await claims()).toEqual([]);
    expect((await api.get('/v1/devices/sold', as['acme'])).status).toBe(200);
  });
});

test('a tenant cannot reserve ids without limit, whether they are taken or not', async () => {
  const codes = [];
  for (let n = 0; n < 6; n++) codes.push((await register('crowd', n % 2 === 0 ? `c-${n}` : 'sold')).body.code);
  expect(codes.filter((code) => code === undefined)).toHaveLength(4);
  await register('crowd', 'c-fifth');
  const refused = await register('crowd', 'c-sixth');
  expect(refused.body).toMatchObject({
    status: 409,
    code: 'too-many-unseen-devices',
    detail: expect.stringMatching(
      /^1 devices are new and 0 can still be registered: DEVICES_UNSEEN_PER_TENANT.* is 5$/,
    ),
  });
  expect((await api.get('/v1/devices', as['crowd'])).body.items).toHaveLength(5);
});

test('a user who is given some vehicles does not make room for the tenant', async () => {
  const key = as['partly'];
  await api.send('POST', '/v1/vehicles', { targa: 'PARTLY1' }, key);
  const user = { username: 'partly', password: 'correct horse battery' };
  await api.send('POST', '/v1/users', { ...user, role: 'admin', targhe: ['PARTLY1'] }, key);
  const login = await api.send('POST', '/v1/auth/credentials', { ...user, tenant: 'partly' }, { authorization: '' });
  as['restricted'] = { authorization: `Bearer ${login.body.accessToken}` };
  for (let n = 0; n < 5; n++) expect((await register('partly', `p-${n}`)).status).toBe(200);
  // sees none of these five
  expect((await register('restricted', 'p-own')).status).toBeGreaterThanOrEqual(400);
  expect((await register('partly', 'p-sixth')).body.code).toBe('too-many-unseen-devices');
});

describe('an import of devices', () => {
  const known = async (): Promise<string[]> =>
    (await api.get('/v1/devices', as['fleet'])).body.items.map(({ imei }: { imei: string }) => imei);
  const upload = async (imeis: readonly string[]) => {
    const headers = { ...as['fleet'], 'content-type': 'text/csv' };
    const body = ['imei', ...imeis].join('\n');
    const response = await fetch(`${api.url}/v1/devices/import`, { method: 'POST', headers, body });
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
    return { body: (await response.json()) as any };
  };

  test('of more than may be registered is refused as a whole, and says how many may', async () => {
    await register('fleet', 'f-0');
    expect((await api.get('/v1/devices/room', as['fleet'])).body).toEqual({ limit: 5, left: 4 });
    // the first one is known, one is there twice, and one is not valid
    const tooMany = await upload(['f-0', 'f-1', 'f-2', 'f-2', 'f-3', 'f-4', 'f-5', 'not an id']);
    expect(tooMany.body).toMatchObject({
      status: 409,
      code: 'too-many-unseen-devices',
      detail: expect.stringContaining('5 devices are new and 4 can still be registered: DEVICES_UNSEEN_PER_TENANT'),
    });
    expect(await known()).toEqual(['f-0']);
  });

  test('of as many as may be registered is taken, and changes known ones afterwards', async () => {
    const { body } = await upload(['f-0', 'f-1', 'f-2', 'f-3', 'f-4', 'not an id']);
    const outcomes = body.results.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes).toEqual(['updated', 'created', 'created', 'created', 'created', 'rejected']);
    expect((await api.get('/v1/devices/room', as['fleet'])).body).toEqual({ limit: 5, left: 0 });
    expect((await upload(await known())).body.results).toHaveLength(5);
    // what has sent something no longer counts
    await api.events([positionEvent('f-1', 1)], 'fleet');
    expect((await api.get('/v1/devices/room', as['fleet'])).body).toEqual({ limit: 5, left: 1 });
  });
});
