import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { corridorRing } from '../../../src/geometry/corridor.ts';
import { API_KEY, type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { positionEvent } from '../../support/positions.ts';

let api: RunningApi;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url, { diagnostics: true }));
  await api.events([1, 2, 3].map((n) => ({ seq: n, ...positionEvent('F-1', n) })));
  await api.send('POST', '/v1/devices', { imei: 'F-2' });
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const post = (path: string, body: unknown, headers = {}) => api.send('POST', path, body, headers);
const patch = (path: string, body: unknown, headers = {}) => api.send('PATCH', path, body, headers);

describe('a vehicle', () => {
  test('is created, found by any spelling of its plate, changed and removed', async () => {
    const group = (await post('/v1/groups', { name: 'Milan' })).body;
    const made = await post('/v1/vehicles', { targa: 'ab-123 cd', make: 'Iveco', group: 'Milan', fuelTankLitres: 70 });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({
      targa: 'AB123CD',
      make: 'Iveco',
      group: 'Milan',
      imei: null,
      status: 'unknown',
    });
    for (const member of ['driver', 'lastPosition', 'sessionSince']) expect(made.body).not.toHaveProperty(member);
    expect((await api.get('/v1/vehicles/AB123CD?include=driver,lastPosition')).body).toMatchObject({
      driver: null,
      lastPosition: null,
    });
    for (const name of ['AB123CD', 'ab-123-cd', 'AB%20123%20CD', made.body.id]) {
      expect((await api.get(`/v1/vehicles/${name}`)).body).toEqual(made.body);
    }
    const changed = await patch('/v1/vehicles/AB123CD', { year: 2021, group: null });
    expect(changed.body).toMatchObject({ year: 2021, make: 'Iveco', group: null });
    expect((await post('/v1/vehicles', { targa: 'AB 123 CD' })).body).toMatchObject({ status: 409, code: 'conflict' });
    expect((await post('/v1/vehicles', { targa: 'X1', group: 'none' })).body.code).toBe('unknown-group');
    expect((await post('/v1/vehicles', { targa: ' - ' })).body.errors[0].pointer).toBe('/targa');
    expect((await api.send('DELETE', '/v1/vehicles/AB123CD')).status).toBe(200);
    expect((await api.get('/v1/vehicles/AB123CD')).body).toMatchObject({ status: 404, code: 'unknown-vehicle' });
    expect((await api.send('DELETE', `/v1/groups/${group.id}`)).status).toBe(200);
  });

  test('is not changed by a request that refers to an older version', async () => {
    const { headers } = await post('/v1/vehicles', { targa: 'TAG1' });
    const etag = headers.get('etag')!;
    expect((await api.get('/v1/vehicles/TAG1', { 'if-none-match': etag })).status).toBe(304);
    expect((await patch('/v1/vehicles/TAG1', { year: 2020 }, { 'if-match': etag })).status).toBe(200);
    const stale = await patch('/v1/vehicles/TAG1', { year: 2019 }, { 'if-match': etag });
    expect(stale.body).toMatchObject({ status: 412, code: 'precondition-failed' });
    expect((await api.get('/v1/vehicles/TAG1', { 'if-none-match': etag })).body.year).toBe(2020);
    expect((await api.send('DELETE', '/v1/vehicles/TAG1', undefined, { 'if-match': etag })).status).toBe(412);
  });

  test('shows its pairings and the position of its device', async () => {
    await post('/v1/vehicles', { targa: 'PAIR1' });
    const driver = (await post('/v1/drivers', { name: 'Ada' })).body;
    expect((await post('/v1/pairings', { targa: 'pair-1', imei: 'F-1', from: 1_000_000_000_000 })).status).toBe(200);
    expect((await post('/v1/pairings', { targa: 'PAIR1', driverId: driver.id, source: 'card' })).status).toBe(200);
    const { body } = await api.get('/v1/vehicles/imei/F-1?include=lastPosition,driver,session');
    expect(body).toMatchObject({
      targa: 'PAIR1',
      imei: 'F-1',
      driver: { id: driver.id, name: 'Ada' },
      status: 'offline',
      lastPosition: { imei: 'F-1', latitude: expect.any(Number) },
    });
    expect((await api.get('/v1/vehicles/imei/F-2')).body.code).toBe('unknown-vehicle');
    expect((await api.get('/v1/vehicles/PAIR1?include=everything')).status).toBe(422);
    const listed = (await api.get('/v1/vehicles?q=pair')).body.items;
    expect(listed.map(({ targa }: { targa: string }) => targa)).toEqual(['PAIR1']);
    expect((await api.get('/v1/vehicles/user/me')).body).toMatchObject({ userId: 'API_KEY', nextCursor: null });
  });
});

describe('pairings in time', () => {
  test('follow each other and never overlap', async () => {
    for (const targa of ['T1', 'T2']) await post('/v1/vehicles', { targa });
    const first = (await post('/v1/pairings', { targa: 'T1', imei: 'F-2', from: 1_600_000_000_000 })).body;
    expect(first).toMatchObject({ targa: 'T1', imei: 'F-2', from: '2020-09-13T12:26:40Z', to: null });
    // the device moves: what was open ends then
    await post('/v1/pairings', { targa: 'T2', imei: 'F-2', from: 1_600_001_000_000 });
    const { items } = (await api.get('/v1/pairings?imei=F-2')).body;
    const seen = items.map((p: { targa: string; to: string | null }) => [p.targa, p.to]).sort();
    expect(seen).toEqual([
      ['T1', '2020-09-13T12:43:20Z'],
      ['T2', null],
    ]);
    const past = await post('/v1/pairings', {
      targa: 'T1',
      imei: 'F-2',
      from: 1_600_000_500_000,
      to: 1_600_000_600_000,
    });
    expect(past.body).toMatchObject({ status: 409, code: 'conflict' });
    // a refused one has ended nothing
    const before = await post('/v1/pairings', { targa: 'T1', imei: 'F-2', from: 1_500_000_000_000 });
    expect(before.status).toBe(409);
    expect((await api.get('/v1/pairings?targa=T2')).body.items[0].to).toBeNull();
    expect(
      (await post('/v1/pairings', { targa: 'T1', imei: 'F-2', from: 1_000_000_000_005, to: 1_000_000_000_005 })).body
        .code,
    ).toBe('from-after-to');
    expect((await post('/v1/pairings', { targa: 'T1', imei: 'none' })).body.code).toBe('unknown-device');
    expect((await post('/v1/pairings', { targa: 'T1', driverId: 'none' })).body.code).toBe('unknown-driver');
    expect((await post('/v1/pairings', { targa: 'T1' })).status).toBe(422);
  });

  test('of one device that are created at the same time: one is stored', async () => {
    await post('/v1/devices', { imei: 'F-race' });
    for (const targa of ['R1', 'R2']) await post('/v1/vehicles', { targa });
    const both = await Promise.all(
      ['R1', 'R2'].map((targa) => post('/v1/pairings', { targa, imei: 'F-race', from: 1_600_000_000_000 })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('are reported with time and distance', async () => {
    const { body } = await post('/v1/vehicles/reports/pairing_history', {
      vehicles: ['pair1'],
      from: '2026-05-01T00:00:00Z',
      to: '2026-05-02T00:00:00Z',
      kind: 'device',
    });
    expect(body.items).toMatchObject([
      { targa: 'PAIR1', imei: 'F-1', driverId: null, source: 'manual', durationS: 86_400 },
    ]);
    expect(body.items[0].distanceM).toBeGreaterThanOrEqual(0);
  });
});

describe('a driver', () => {
  test('has a limit for expenses, and no remaining driving time without tachograph data', async () => {
    const { id } = (await post('/v1/drivers', { name: 'Bo', expenseCurrency: 'EUR', expenseLimit: 500.5 })).body;
    const month = { currency: 'EUR', driverId: id };
    await post('/v1/expenses', { ...month, amount: 100.25, spentAt: '2026-05-03T10:00:00Z' });
    await post('/v1/expenses', { ...month, amount: 20, spentAt: '2026-06-01T00:00:00Z' });
    await post('/v1/expenses', { ...month, amount: 7, currency: 'CHF', spentAt: '2026-05-03T10:00:00Z' });
    const { body } = await api.get(`/v1/drivers/plafond?driver_id=${id}&at=2026-05-20`);
    expect(body.items).toMatchObject([
      {
        driverId: id,
        driving: { dailyLimitS: 32_400, usedS: null },
        expense: { currency: 'EUR', limit: 500.5, used: 100.25, remaining: 400.25 },
        stale: true,
      },
    ]);
    expect((await api.get('/v1/drivers/plafond?driver_id=none')).body.code).toBe('unknown-driver');
    expect(
      (await post('/v1/expenses', { ...month, driverId: 'none', amount: 1, spentAt: '2026-05-03' })).body.code,
    ).toBe('unknown-driver');
  });
});

describe('a geofence', () => {
  const ring = [
    [9, 45],
    [9.1, 45],
    [9.1, 45.1],
    [9, 45],
  ];
  test('is a closed polygon or a circle', async () => {
    const made = await post('/v1/geofences', { name: 'Yard', area: { type: 'polygon', coordinates: ring } });
    expect(made.body).toMatchObject({ name: 'Yard', area: { coordinates: ring } });
    const open = { type: 'polygon', coordinates: [...ring.slice(0, 3), [9.2, 45]] };
    expect((await post('/v1/geofences', { name: 'Open', area: open })).status).toBe(422);
    const circle = { type: 'circle', center: [9, 45], radiusM: 100 };
    expect((await patch('/v1/geofences/Yard', { area: circle })).body.area).toEqual(circle);
  });

  test('is the corridor of a line, which can be edited again', async () => {
    const corridor = { line: [...ring.slice(0, 3), [9.2, 45.2]], widthM: 400 };
    const coordinates = corridorRing(corridor.line as [number, number][], 200);
    const area = { type: 'polygon', coordinates, corridor };
    const made = (await post('/v1/geofences', { name: 'Road', area: { type: 'polygon', corridor } })).body;
    expect(made.area).toEqual(area);
    expect((await api.get('/v1/geofences/Road')).body).toEqual(made);
    // as it was shown, and by a client that computes it with less precision
    expect((await patch('/v1/geofences/Road', { area })).body.area).toEqual(area);
    const less = coordinates!.map((place) => place.map((degrees) => Number(degrees.toFixed(6))));
    expect((await patch('/v1/geofences/Road', { area: { ...area, coordinates: less } })).body.area).toEqual(area);
    const wider = { ...corridor, widthM: 800 };
    const changed = (await patch('/v1/geofences/Road', { area: { type: 'polygon', corridor: wider } })).body;
    expect(changed.area).toMatchObject({
      corridor: wider,
      coordinates: corridorRing(wider.line as [number, number][], 400),
    });
    const csv = `name,area\r\nRoad,"${JSON.stringify({ type: 'polygon', corridor }).replaceAll('"', '""')}"\r\n`;
    const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'text/csv' };
    const imported = await fetch(`${api.url}/v1/geofences/import`, { method: 'POST', body: csv, headers });
    expect(await imported.json()).toMatchObject({ results: [{ outcome: 'updated' }] });
    expect((await api.get('/v1/geofences/Road')).body.area).toEqual(area);
    // an area without its line has none
    expect((await patch('/v1/geofences/Road', { area: { type: 'polygon', coordinates: ring } })).body.area).toEqual({
      type: 'polygon',
      coordinates: ring,
    });
  });

  test.each([
    ['no coordinates', {}, '/area/coordinates', 'invalid'],
    [
      'coordinates of another area',
      {
        coordinates: ring,
        corridor: {
          line: [
            [9, 45],
            [9.1, 45],
          ],
          widthM: 10,
        },
      },
      '/area/coordinates',
      'invalid',
    ],
    [
      'a corridor without length',
      {
        corridor: {
          line: [
            [9, 45],
            [9, 45],
          ],
          widthM: 10,
        },
      },
      '/area/corridor',
      'polygon-self-intersects',
    ],
    [
      'a corridor across itself',
      {
        corridor: {
          line: [
            [9, 45],
            [9.1, 45],
            [9.02, 45.001],
          ],
          widthM: 500,
        },
      },
      '/area/corridor',
      'polygon-self-intersects',
    ],
    ['a corridor of one place', { corridor: { line: [[9, 45]], widthM: 10 } }, '/area/corridor/line', 'invalid'],
  ])('is refused with %s', async (_, members, pointer, code) => {
    const { status, body } = await post('/v1/geofences', { name: 'Odd', area: { type: 'polygon', ...members } });
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, code, pointer]);
  });

  test('keeps the line of a corridor as the own area of a rule', async () => {
    await post('/v1/vehicles', { targa: 'ROAD1' });
    const corridor = {
      line: [
        [9, 45],
        [9.1, 45],
      ],
      widthM: 100,
    };
    const rule = {
      type: 'geofence_exit',
      users: ['roadman'],
      vehicles: ['ROAD1'],
      params: { area: { type: 'polygon', corridor } },
    };
    await post('/v1/users', { username: 'roadman', role: 'viewer', password: 'a password of some length' });
    const { body } = await api.send('PUT', '/v1/v1/notifications', { notification_data: rule });
    const coordinates = corridorRing(
      [
        [9, 45],
        [9.1, 45],
      ],
      50,
    );
    expect(body.notification_data.params.area).toEqual({ type: 'polygon', coordinates, corridor });
  });
});

describe('a partner', () => {
  test('sees shared vehicles only', async () => {
    const share = { externalId: 'e-1', targa: 'PAIR1', sharedFrom: 1_000_000_000_000 };
    const outcomes = async (vehicle: object) =>
      (await post('/v1/qora/vehicles/', { vehicles: [vehicle] })).body.results[0];
    expect(await outcomes(share)).toMatchObject({ targa: 'PAIR1', outcome: 'created' });
    expect(await outcomes(share)).toMatchObject({ outcome: 'unchanged' });
    expect(await outcomes({ ...share, sharedTo: '2100-01-01T00:00:00Z' })).toMatchObject({ outcome: 'updated' });
    expect(await outcomes({ ...share, targa: 'none' })).toMatchObject({
      outcome: 'rejected',
      problem: { code: 'unknown-vehicle' },
    });
    const { body } = await api.get('/v1/qora/vehicles/');
    expect(body.items).toMatchObject([{ externalId: 'e-1', imei: 'F-1', lastPosition: { imei: 'F-1' } }]);
    await outcomes({ ...share, sharedTo: 1_000_000_000_001 });
    expect((await api.get('/v1/qora/vehicles')).body.items[0]).not.toHaveProperty('lastPosition');
    await api.database.ingest.query(`update tenant set partners = '{}'`);
    expect((await api.get('/v1/qora/vehicles')).body).toMatchObject({ status: 403, code: 'partner-off' });
  });
});

describe('diagnostics', () => {
  test('echo requests and answer with the requested problem', async () => {
    const { body, headers } = await post('/v1/unamerda', { a: [1] });
    expect(body).toMatchObject({ ok: true, bytes: 9, echo: { a: [1] } });
    expect(headers.get('deprecation')).toBe('true');
    expect((await post('/v1/cacca_merda', undefined)).body).toMatchObject({ status: 418, code: 'probe' });
    const probe = await post('/v1/diagnostics/problem', { status: 503, code: 'mine' });
    expect({ status: probe.status, code: probe.body.code }).toEqual({ status: 503, code: 'mine' });
    expect((await post('/v1/cacca_merda', { status: 200 })).body).toEqual({ ok: true });
    expect((await post('/v1/unamerda', 'x'.repeat(20_000))).status).toBe(413);
  });
});

describe('a user', () => {
  const password = 'correct horse battery';
  const login = async (username: string) => post('/v1/auth/credentials', { username, password }, { authorization: '' });

  test('is created, logs in, sees their vehicles and has the rights of their role', async () => {
    const made = await post('/v1/users', {
      username: 'Dora',
      role: 'dispatcher',
      password,
      allVehicles: false,
      targhe: ['pair-1'],
      email: 'Dora@Example.org',
    });
    expect(made.body).toMatchObject({ username: 'dora', targhe: ['PAIR1'], vehicles: 1, email: 'dora@example.org' });
    expect(JSON.stringify(made.body)).not.toContain('argon2');
    const { accessToken } = (await login('dora@example.org')).body;
    const asDora = { authorization: `Bearer ${accessToken}` };
    const mine = await api.get('/v1/vehicles/user/me', asDora);
    expect(mine.body).toMatchObject({ userId: made.body.id, items: [{ targa: 'PAIR1' }] });
    expect((await post('/v1/users', { username: 'x', role: 'viewer' }, asDora)).body.code).toBe('missing-scope');
    const listed = await api.get('/v1/users/api?q=dora');
    expect(listed.body.items).toMatchObject([{ id: made.body.id, vehicles: 1, active: true }]);
    // a session ends with the right to have it
    await patch('/v1/users/dora', { active: false });
    await expect.poll(async () => (await api.get('/v1/vehicles', asDora)).status).toBe(401);
    expect((await login('dora')).status).toBe(401);
  });

  test('cannot be given more rights than the user who creates them', async () => {
    const key = (await post('/v1/keys', { name: 'hr', scopes: ['users:write', 'users:read', 'app'] })).body.key;
    const asHr = { authorization: `Bearer ${key}` };
    const boss = await post('/v1/users', { username: 'boss', role: 'admin', password }, asHr);
    expect(boss.body).toMatchObject({ status: 403, code: 'scope-not-granted' });
    expect((await post('/v1/keys', { name: 'more', scopes: ['ops'] }, asHr)).body.code).toBe('scope-not-granted');
    await post('/v1/users', { username: 'boss', role: 'admin', password });
    expect((await patch('/v1/users/boss', { password: 'another good one' }, asHr)).body.code).toBe('scope-not-granted');
  });

  test('has a password that is not easily guessed, and can change it', async () => {
    for (const weak of ['short', 'aaaaaaaaaaaaaa', 'password123', 'walter-1234', 'x'.repeat(300)]) {
      const answer = await post('/v1/users', { username: 'walter', role: 'viewer', password: weak });
      expect(answer.body, weak).toMatchObject({ status: 422, code: 'weak-password' });
    }
    await post('/v1/users', { username: 'walter', role: 'viewer', password });
    const asWalter = { authorization: `Bearer ${(await login('walter')).body.accessToken}` };
    const change = (currentPassword: string) =>
      api.send('PUT', '/v1/users/me/password', { currentPassword, newPassword: 'staple of another kind' }, asWalter);
    expect((await change('wrong')).body.code).toBe('invalid-credentials');
    expect((await change(password)).status).toBe(200);
    await expect.poll(async () => (await api.get('/v1/vehicles', asWalter)).status).toBe(401);
  });

  test('who is the last administrator cannot be demoted', async () => {
    expect((await api.send('DELETE', '/v1/users/boss')).body).toMatchObject({ status: 409, code: 'conflict' });
    expect((await patch('/v1/users/boss', { role: 'viewer' })).status).toBe(409);
  });
});

describe('the audit trail', () => {
  test('records who changed which values, and detects changed rows', async () => {
    await post('/v1/vehicles', { targa: 'AUDIT1' });
    const { id } = (await patch('/v1/vehicles/AUDIT1', { year: 2022 })).body;
    const { items } = (await api.get(`/v1/audit?object=${id}`)).body;
    expect(items).toMatchObject([
      { actor: 'API_KEY', action: 'POST /v1/vehicles', before: null, after: { targa: 'AUDIT1' }, ip: '127.0.0.1' },
      { action: 'PATCH /v1/vehicles/:targa', before: { year: null }, after: { year: 2022 } },
    ]);
    const tenantId = await api.database.tenantId('default');
    const unsealed = async () =>
      (await api.database.ingest.query('select count(*)::int as n from audit where block is null')).rows[0].n;
    await expect.poll(unsealed, { timeout: 60_000 }).toBe(0);
    expect((await api.get('/v1/audit/chain')).body).toMatchObject({ intact: true, brokenBlock: null });
    // nobody that the application is may change it
    for (const pool of [api.database.app, api.database.ingest]) {
      await expect(pool.query(`update audit set actor = 'me' where tenant_id = $1`, [tenantId])).rejects.toThrow(
        /denied/,
      );
      await expect(pool.query('delete from audit')).rejects.toThrow(/denied/);
    }
  });
});
