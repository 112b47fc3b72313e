import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Notifying, report, startNotifying } from '../../support/alerts.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

const PASSWORD = 'correct horse battery';
let house: Notifying;

beforeAll(async () => {
  house = await withDatabase((url) => startNotifying(url, {}, { adminPassword: 'words of the owner' }));
  await house.api.send('POST', '/v1/groups', { name: 'Vans' });
});
afterAll(async () => {
  await house?.stop();
  await dropDatabases();
});

interface Scoped {
  readonly users?: readonly string[];
  readonly groups?: readonly string[];
  readonly allVehicles?: boolean;
}
type Headers = Record<string, string>;

const put = (data: object, headers: Headers = {}) =>
  house.api.send(
    'PUT',
    '/v1/v1/notifications',
    { notification_data: { type: 'overspeed', users: ['admin'], params: { limitKmh: 90 }, ...data } },
    headers,
  );
async function save(data: Scoped, headers: Headers = {}): Promise<string> {
  const { status, body } = await put(data, headers);
  expect([status, body]).toMatchObject([
    200,
    { notification_data: data.allVehicles === undefined ? {} : { allVehicles: true } },
  ]);
  return body.notificationId;
}
async function vehicle(targa: string, more: object = {}): Promise<string> {
  const imei = `imei-${targa}`;
  expect((await house.api.send('POST', '/v1/vehicles', { targa, ...more })).status).toBe(200);
  await house.drive(report(imei, '2026-01-01T00:00:00Z'));
  await house.api.send('POST', '/v1/pairings', { targa, imei, from: 1_000_000_000_001 });
  return imei;
}
let minute = 0;
/** Drives each of these too fast; the plates (or devices) that a rule notifies about. */
async function speeding(ruleId: string, user: string, ...imeis: readonly string[]): Promise<string[]> {
  const at = new Date(Date.UTC(2026, 5, 1, 10, minute++ * 10)).toISOString();
  await house.drive(...imeis.map((imei) => report(imei, at, { speed: 140 })));
  const slow = new Date(Date.parse(at) + 120_000).toISOString();
  await house.drive(...imeis.map((imei) => report(imei, slow, { speed: 50 })));
  const { body } = await house.api.get(`/v1/notifications/${user}?limit=500`);
  return body.items
    .filter(
      (item: { ruleId: string; occurredAt: string }) =>
        item.ruleId === ruleId && Date.parse(item.occurredAt) === Date.parse(at),
    )
    .map(({ targa, imei }: { targa: string | null; imei: string }) => targa ?? imei)
    .sort();
}
async function login(username: string): Promise<Headers> {
  const { body } = await house.api.send(
    'POST',
    '/v1/auth/credentials',
    { username, password: PASSWORD },
    { authorization: '' },
  );
  return { authorization: `Bearer ${body.accessToken}` };
}

test('a rule of a group watches the vehicles that are in it, also later ones, and no others', async () => {
  const one = await vehicle('SCOPE01', { group: 'Vans' });
  const other = await vehicle('SCOPE02');
  const rule = await save({ groups: ['Vans'] });
  expect(await speeding(rule, 'admin', one, other)).toEqual(['SCOPE01']);
  const later = await vehicle('SCOPE03', { group: 'Vans' });
  await house.api.send('PATCH', '/v1/vehicles/SCOPE02', { group: 'Vans' });
  await house.api.send('PATCH', '/v1/vehicles/SCOPE01', { group: null });
  expect(await speeding(rule, 'admin', one, other, later)).toEqual(['SCOPE02', 'SCOPE03']);
});

test('a rule of all vehicles watches those that come later, and devices in none', async () => {
  const one = await vehicle('SCOPE11');
  const rule = await save({ allVehicles: true });
  expect(await speeding(rule, 'admin', one)).toEqual(['SCOPE11']);
  const later = await vehicle('SCOPE12');
  await house.drive(report('imei-alone', '2026-01-01T00:00:00Z'));
  expect(await speeding(rule, 'admin', one, later, 'imei-alone')).toEqual(['SCOPE11', 'SCOPE12', 'imei-alone']);
});

test('a rule of a restricted user watches only vehicles that the user may see, also later', async () => {
  const mine = await vehicle('SCOPE21', { group: 'Vans' });
  const foreign = await vehicle('SCOPE22', { group: 'Vans' });
  const user = { username: 'carla', role: 'admin', password: PASSWORD, targhe: ['SCOPE21'] };
  expect((await house.api.send('POST', '/v1/users', user)).status).toBe(200);
  const carla = await login('carla');
  const all = await save({ allVehicles: true, users: ['me'] }, carla);
  const group = await save({ groups: ['Vans'], users: ['me'] }, carla);
  // whoever is notified: what the rule watches
  const watched = async (rule: string): Promise<string[]> => {
    const { rows } = await house.api.database.ingest.query<{ name: string }>(
      `select coalesce(v.targa, d.imei) as name from notification_rule r join notification_rule_subject s on s.rule_id = r.id
       left join vehicle v on v.id = s.vehicle_id left join device d on d.id = s.device_id where r.name = $1 order by 1`,
      [rule],
    );
    return rows.map(({ name }) => name);
  };
  expect([await watched(all), await watched(group)]).toEqual([['SCOPE21'], ['SCOPE21']]);
  expect(await speeding(all, 'carla', mine, foreign)).toEqual(['SCOPE21']);
  await house.api.send('PATCH', '/v1/users/carla', { targhe: ['SCOPE21', 'SCOPE22'] });
  expect([await watched(all), await watched(group)]).toEqual([
    ['SCOPE21', 'SCOPE22'],
    ['SCOPE21', 'SCOPE22'],
  ]);
  expect(await speeding(group, 'carla', mine, foreign)).toEqual(['SCOPE21', 'SCOPE22']);
  expect((await put({ groups: ['Hidden'] }, carla)).body).toMatchObject({ status: 422, code: 'unknown-group' });
});

test('a rule needs vehicles, groups or all; a backtest takes groups too', async () => {
  expect((await put({})).body).toMatchObject({ status: 422, errors: [{ pointer: '/notification_data/vehicles' }] });
  expect((await put({ groups: ['none'] })).body).toMatchObject({ status: 422, code: 'unknown-group' });
  const rule = { type: 'overspeed', params: { limitKmh: 90 }, users: ['admin'], groups: ['Vans'] };
  const interval = { from: '2026-06-01T00:00:00Z', to: '2026-06-02T00:00:00Z' };
  const { status, body } = await house.api.send('POST', '/v1/notifications/backtest', { rule, ...interval });
  expect(status).toBe(200);
  expect(body.messages.length).toBeGreaterThan(0);
});

test('a language that messages are not written in is refused', async () => {
  const user = { username: 'hans', role: 'viewer', password: PASSWORD };
  const { body } = await house.api.send('POST', '/v1/users', { ...user, locale: 'de' });
  expect(body).toMatchObject({ status: 422, errors: [{ pointer: '/locale' }] });
  expect((await house.api.send('POST', '/v1/users', { ...user, locale: 'it-CH' })).status).toBe(200);
});
