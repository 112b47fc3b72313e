import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

let api: RunningApi;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const upload = async (path: string, csv: string) => {
  const response = await fetch(api.url + path, {
    method: 'POST',
    body: csv,
    headers: { authorization: 'Bearer test-key-of-the-default-tenant', 'content-type': 'text/csv' },
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  return { status: response.status, body: (await response.json()) as any };
};

describe('records as CSV', () => {
  test('are imported line by line, and an export can be imported', async () => {
    await api.send('POST', '/v1/groups', { name: 'Rome, north' });
    const csv = 'targa,make,year,group\r\nAA 111 BB,"Fiat ""Ducato""",2020,"Rome, north"\r\n-,,,\r\nCC222DD,,20x0,\r\n';
    const first = await upload('/v1/vehicles/import', csv);
    expect(first.body.results).toMatchObject([
      { line: 2, outcome: 'created' },
      { line: 3, outcome: 'rejected', problem: { code: 'invalid' } },
      { line: 4, outcome: 'rejected', problem: { code: 'invalid' } },
    ]);
    const again = await upload('/v1/vehicles/import', 'targa,year\naa-111-bb,2021\n');
    expect(again.body.results).toMatchObject([{ outcome: 'updated', id: first.body.results[0].id }]);
    const { body, headers } = await api.get('/v1/vehicles/export', { accept: 'text/csv' });
    expect(headers.get('content-type')).toContain('text/csv');
    const [head, line] = body.split('\r\n');
    expect(head).toBe('id,targa,vin,make,model,year,group,fuelTankLitres');
    expect(line).toMatch(/^veh_\w+,AA111BB,,"Fiat ""Ducato""",,2021,grp_\w+,$/);
    const back = await upload('/v1/vehicles/import', body);
    expect(back.body.results).toMatchObject([{ outcome: 'updated' }]);
    expect((await api.get('/v1/vehicles/AA111BB')).body).toMatchObject({ make: 'Fiat "Ducato"', group: 'Rome, north' });
  });

  test('contain no formulas for spreadsheets', async () => {
    await api.send('POST', '/v1/drivers', { name: '=cmd()' });
    expect((await api.get('/v1/drivers/export', { accept: 'text/csv' })).body).toContain(",'=cmd(),");
  });

  test('of devices, users and pairings are the same after export and import', async () => {
    const devices = await upload(
      '/v1/devices/import',
      'imei,name,options\nCSV-1,first,"{""model"":""FMB920""}"\n!,x,\n',
    );
    expect(devices.body.results).toMatchObject([
      { id: 'CSV-1', outcome: 'created' },
      { outcome: 'rejected', problem: { code: 'invalid' } },
    ]);
    await api.send('POST', '/v1/vehicles', { targa: 'CSV1' });
    const users = await upload(
      '/v1/users/import',
      'username,email,role,allVehicles,targhe\nCarl,Carl@Example.org,viewer,false,"[""csv 1""]"\nbad,,king,,\n',
    );
    expect(users.body.results).toMatchObject([{ outcome: 'created' }, { outcome: 'rejected' }]);
    expect((await api.get('/v1/users/carl')).body).toMatchObject({ email: 'carl@example.org', targhe: ['CSV1'] });
    const pairings = await upload(
      '/v1/pairings/import',
      'targa,imei,from,to\ncsv-1,CSV-1,2026-01-01T00:00:00Z,2026-02-01T00:00:00Z\nCSV1,CSV-1,2026-02-01T00:00:00Z,\nCSV1,none,,\n',
    );
    expect(pairings.body.results).toMatchObject([
      { outcome: 'created' },
      { outcome: 'created' },
      { outcome: 'rejected', problem: { code: 'unknown-device' } },
    ]);
    for (const [plural, outcome] of [
      ['devices', 'updated'],
      ['users', 'updated'],
      ['pairings', 'unchanged'],
    ]) {
      const { body } = await api.get(`/v1/${plural}/export`, { accept: 'text/csv' });
      const before = (await api.get(`/v1/${plural}`)).body.items.map(
        ({ updatedAt: _, ...item }: Record<string, unknown>) => item,
      );
      const back = await upload(`/v1/${plural}/import`, body);
      expect(back.body.results.map((result: { outcome: string }) => result.outcome)).toEqual(before.map(() => outcome));
      expect((await api.get(`/v1/${plural}`)).body.items).toMatchObject(before);
    }
    const ended = await upload(
      '/v1/pairings/import',
      'targa,imei,from,to\nCSV1,CSV-1,2026-02-01T00:00:00Z,2026-03-01T00:00:00Z',
    );
    expect(ended.body.results).toMatchObject([{ outcome: 'updated' }]);
    expect(
      (await api.get('/v1/pairings?imei=CSV-1')).body.items.filter((each: { to: null }) => each.to === null),
    ).toEqual([]);
  });

  test('take effect in their order where lines name the same record', async () => {
    const lines = Array.from({ length: 12 }, (_, n) => [`order ${n % 3}`, n === 4 ? 'x' : 2000 + n].join(','));
    const { body } = await upload('/v1/vehicles/import', `targa,year\n${lines.join('\n')}\n`);
    expect(body.results.map((one: { line: number; outcome: string }) => `${one.line} ${one.outcome}`)).toEqual(
      lines.map((_, n) => `${n + 2} ${n === 4 ? 'rejected' : n < 3 ? 'created' : 'updated'}`),
    );
    const years = await Promise.all([0, 1, 2].map(async (n) => (await api.get(`/v1/vehicles/ORDER${n}`)).body.year));
    expect(years).toEqual([2009, 2010, 2011]);
  });

  test('are refused if they are malformed', async () => {
    expect((await upload('/v1/drivers/import', 'name\n"open')).body).toMatchObject({ status: 400, code: 'malformed' });
    expect((await api.send('POST', '/v1/drivers/import', { a: 1 })).status).toBe(415);
    const unknown = await upload('/v1/drivers/import', 'id,name\ndrv_none,X\n');
    expect(unknown.body.results[0].problem.code).toBe('unknown-driver');
  });
});

describe('a person', () => {
  test('who is a user gets all their stored data, with or without a driver record', async () => {
    const password = 'a word of Ines herself';
    const user = (await api.send('POST', '/v1/users', { username: 'ines', role: 'viewer', password })).body;
    const data = { type: 'sos', vehicles: ['INES1'], users: ['ines'], description: 'of Ines' };
    await api.send('POST', '/v1/vehicles', { targa: 'INES1' });
    expect((await api.send('PUT', '/v1/v1/notifications', { notification_data: data })).status).toBe(200);
    const login = await api.send('POST', '/v1/auth/credentials', { username: 'ines', password });
    const own = { authorization: `Bearer ${login.body.accessToken}` };
    await api.database.ingest.query(
      `insert into notification (id, tenant_id, user_id, type, priority, title, body, occurred_at)
       select 'ntf_ines', tenant_id, id, 'sos', 'high', 'SOS', 'help', now() from app_user where id = $1`,
      [user.id],
    );
    const expected = {
      username: 'ines',
      messages: [{ id: 'ntf_ines', title: 'SOS' }],
      rules: [{ description: 'of Ines' }],
      sessions: [{ user_id: user.id }],
      pushTargets: [],
    };
    for (const kept of [
      await api.get('/v1/users/ines/personal_data'),
      await api.get('/v1/users/me/personal_data', own),
    ]) {
      expect(kept.body.account).toMatchObject(expected);
      expect(kept.headers.get('cache-control')).toBe('no-store');
      expect(JSON.stringify(kept.body)).not.toMatch(/password_hash|tenant_id|secret/);
    }
    expect((await api.get('/v1/users/admin/personal_data', own)).body).toMatchObject({ code: 'missing-scope' });
    expect((await api.get('/v1/users/nobody/personal_data')).body).toMatchObject({ code: 'unknown-user' });
    // a driver's export holds the account, too
    const { id } = (await api.send('POST', '/v1/drivers', { name: 'Ines', userId: user.id })).body;
    expect((await api.get(`/v1/drivers/${id}/personal_data`)).body.account).toMatchObject(expected);
    expect((await api.send('DELETE', '/v1/users/ines')).status).toBe(200);
    const left = await api.database.ingest.query(`select id from notification where id = 'ntf_ines'`);
    expect(left.rows).toEqual([]);
  });

  test('gets all their stored data, and can be erased', async () => {
    const user = (await api.send('POST', '/v1/users', { username: 'hugo', role: 'driver' })).body;
    const fields = { name: 'Hugo', phone: '+39 1', cardNumber: 'I-1', userId: user.id };
    const { id } = (await api.send('POST', '/v1/drivers', fields)).body;
    await api.send('POST', '/v1/vehicles', { targa: 'HUGO1' });
    await api.send('POST', '/v1/pairings', { targa: 'HUGO1', driverId: id, from: 1_000_000_000_000 });
    const kept = await api.get(`/v1/drivers/${id}/personal_data`);
    expect(kept.body).toMatchObject({
      driver: { name: 'Hugo', phone: '+39 1' },
      pairings: [{ targa: 'HUGO1', to: null }],
      account: { username: 'hugo' },
    });
    expect(JSON.stringify(kept.body)).not.toMatch(/password_hash|tenant_id/);
    expect((await api.send('DELETE', `/v1/drivers/${id}/personal_data`)).status).toBe(200);
    expect((await api.get(`/v1/drivers/${id}`)).body).toMatchObject({ name: 'erased', phone: null, cardNumber: null });
    expect((await api.get('/v1/users/hugo')).status).toBe(404);
    expect((await api.get('/v1/pairings?targa=HUGO1')).body.items).toMatchObject([{ driverId: id }]);
    const { items } = (await api.get(`/v1/audit?object=${id}`)).body;
    expect(items.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['personal-data.exported', 'personal-data.erased']),
    );
  });
});
