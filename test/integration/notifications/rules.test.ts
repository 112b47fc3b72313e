import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, SCOPES } from '../../../src/server/index.ts';
import { type Notifying, report, startNotifying } from '../../support/alerts.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

let house: Notifying;
let admin: string;

beforeAll(async () => {
  house = await withDatabase((url) => startNotifying(url, {}, { adminPassword: 'words of the owner' }));
  admin = (await house.api.get('/v1/users/admin')).body.id;
});
afterAll(async () => {
  await house?.stop();
  await dropDatabases();
});

/** A vehicle with a device of its own. */
async function vehicle(targa: string): Promise<string> {
  const imei = `imei-${targa}`;
  await house.api.send('POST', '/v1/vehicles', { targa });
  await house.drive(report(imei, '2026-01-01T00:00:00Z'));
  await house.api.send('POST', '/v1/pairings', { targa, imei, from: 1_000_000_000_001 });
  return imei;
}

const put = (data: object, headers = {}) =>
  house.api.send('PUT', '/v1/v1/notifications', { notification_data: { users: ['admin'], ...data } }, headers);
const notified = async (query = '') => (await house.api.get(`/v1/notifications/admin?limit=500${query}`)).body;
const of = async (ruleId: string) =>
  (await notified()).items.filter((item: { ruleId: string }) => item.ruleId === ruleId).reverse();

describe('a rule', () => {
  test('reports events of a vehicle, in the documented form', async () => {
    const imei = await vehicle('AA001AA');
    const data = {
      auth_hours: { monday: { min: 8, max: 18, all_day: false } },
      description: 'night use',
      priority: 'high',
      timezone: 'Europe/Rome',
      type: 'unauthorized_use',
      users: ['admin'],
      vehicles: ['aa-001 aa'],
    };
    const made = await put(data);
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({ message: 'Notification created', created: true, notification_data: data });
    const ruleId = made.body.notificationId;
    expect(ruleId).toMatch(/^nrl_/);
    // Monday, 2026-06-01, 12:00 in Rome: within the hours; 20:00: outside
    await house.drive(report(imei, '2026-06-01T10:00:00Z', { speed: 40 }));
    expect(await of(ruleId)).toEqual([]);
    await house.drive(
      report(imei, '2026-06-01T18:00:00Z', { speed: 40 }),
      report(imei, '2026-06-01T18:01:00Z', { speed: 50 }),
    );
    const [message, ...more] = await of(ruleId);
    expect(more).toEqual([]);
    expect(message).toMatchObject({
      userId: admin,
      type: 'unauthorized_use',
      priority: 'high',
      targa: 'AA001AA',
      imei,
      occurredAt: '2026-06-01T18:00:00Z',
      readAt: null,
      corrects: null,
      position: { latitude: 41.9, longitude: 12.5, speed: 40 },
      delivery: [{ channel: 'app', state: 'delivered' }],
    });
    expect(message.id).toMatch(/^ntf_/);
  });

  test('is unchanged when it is sent again, and replaced when it differs', async () => {
    await vehicle('AA002AA');
    const data = { id: 'mine', type: 'overspeed', vehicles: ['AA002AA'], params: { limitKmh: 90 } };
    const first = await put(data);
    expect(first.body).toMatchObject({ created: true, notificationId: 'nrl_mine' });
    const again = await put(data);
    expect(again.body).toMatchObject({ created: false, notificationId: 'nrl_mine' });
    expect(again.headers.get('etag')).toMatch(/^"v1\./);
    const changed = await put({ ...data, params: { limitKmh: 80 } }, { 'if-match': again.headers.get('etag')! });
    expect(changed.headers.get('etag')).toMatch(/^"v2\./);
    const stale = await put({ ...data, params: { limitKmh: 70 } }, { 'if-match': again.headers.get('etag')! });
    expect(stale.body).toMatchObject({ status: 412, code: 'precondition-failed' });
    const { rules } = await notified();
    expect(rules.filter(({ id }: { id: string }) => id === 'nrl_mine')).toMatchObject([{ params: { limitKmh: 80 } }]);
  });

  test('evaluates late data once, as a correction', async () => {
    const imei = await vehicle('AA003AA');
    const params = { limitKmh: 100, clearSeconds: 30 };
    const { notificationId } = (await put({ type: 'overspeed', vehicles: ['AA003AA'], params })).body;
    const at = (time: string, speed: number) => report(imei, `2026-06-01T${time}Z`, { speed });
    await house.drive(at('10:00:00', 80), at('10:05:00', 120), at('10:06:00', 130), at('10:07:00', 80));
    await house.drive(at('10:03:00', 125), at('10:04:00', 126));
    const [first, second, ...more] = await of(notificationId);
    expect(more).toEqual([]);
    expect([first, second].map(({ corrects, occurredAt }) => ({ corrects: corrects !== null, occurredAt }))).toEqual([
      { corrects: true, occurredAt: '2026-06-01T10:03:00Z' },
      { corrects: false, occurredAt: '2026-06-01T10:05:00Z' },
    ]);
    expect(first.corrects).toBe(second.id);
    // sent again, all of it: nothing new
    await house.drive(at('10:05:00', 120), at('10:03:00', 125));
    expect(await of(notificationId)).toHaveLength(2);
  });

  test('is removed with its state, and its notifications are kept', async () => {
    const imei = await vehicle('AA004AA');
    const { notificationId } = (await put({ type: 'ignition_on', vehicles: ['AA004AA'] })).body;
    const at = (time: string, ignition: boolean) => report(imei, `2026-06-01T${time}Z`, { attributes: { ignition } });
    await house.drive(at('10:00:00', false), at('10:01:00', true));
    expect(await of(notificationId)).toHaveLength(1);
    const gone = await house.api.send('DELETE', `/v1/notifications/${notificationId}`);
    expect(gone.body).toMatchObject({ deleted: 1, ids: [notificationId] });
    await house.drive(at('10:02:00', false), at('10:03:00', true));
    expect(await of(notificationId)).toHaveLength(1);
    expect((await house.api.send('DELETE', `/v1/notifications/${notificationId}`)).body).toMatchObject({
      status: 404,
      code: 'unknown-notification',
    });
  });
});

describe('invalid rules', () => {
  const valid = { type: 'sos', vehicles: ['BB001BB'], users: ['admin'] };
  const cases: readonly (readonly [string, object, number, string, string])[] = [
    ['an unknown zone', { timezone: 'Europe/Atlantis' }, 422, 'unknown-timezone', '/notification_data/timezone'],
    ['an offset for a zone', { timezone: '+01:00' }, 422, 'unknown-timezone', '/notification_data/timezone'],
    [
      'hours of 25',
      { auth_hours: { monday: { min: 1, max: 25 } } },
      422,
      'invalid',
      '/notification_data/auth_hours/monday/max',
    ],
    [
      'invalid hours',
      { auth_hours: { monday: { min: '8' } } },
      422,
      'invalid',
      '/notification_data/auth_hours/monday/min',
    ],
    [
      'an eighth day',
      { auth_hours: { someday: { min: 1, max: 2 } } },
      422,
      'invalid',
      '/notification_data/auth_hours/someday',
    ],
    [
      'an unknown vehicle',
      { vehicles: ['BB001BB', 'ZZ999ZZ'] },
      422,
      'unknown-vehicle',
      '/notification_data/vehicles/1',
    ],
    ['no vehicles', { vehicles: [] }, 422, 'invalid', '/notification_data/vehicles'],
    ['no users', { users: [] }, 422, 'invalid', '/notification_data/users'],
    ['an unknown user', { users: ['nobody'] }, 422, 'unknown-user', '/notification_data/users/0'],
    [
      'a thousand recipients',
      { users: Array.from({ length: 1_000 }, (_, n) => `u${n}`) },
      422,
      'invalid',
      '/notification_data/users',
    ],
    ['an unknown type', { type: 'eclipse' }, 422, 'invalid', '/notification_data/type'],
    ['an unknown priority', { priority: 'urgent' }, 422, 'invalid', '/notification_data/priority'],
    ['no limit', { type: 'overspeed' }, 422, 'invalid', '/notification_data/params'],
    [
      'an unknown geofence',
      { type: 'geofence_enter', params: { geofences: ['x'] } },
      422,
      'unknown-geofence',
      '/notification_data/params/geofences/0',
    ],
    ['an invalid parameter', { params: { limit: 3 } }, 422, 'invalid', '/notification_data/params/limit'],
  ];
  beforeAll(async () => {
    await vehicle('BB001BB');
  });

  test.each(cases)('%s', async (_, over, status, code, pointer) => {
    const answer = await put({ ...valid, ...over });
    expect(answer.body).toMatchObject({ status, code });
    expect(answer.body.errors.map((one: { pointer: string }) => one.pointer)).toContain(pointer);
  });

  test('users are missing, or all of it', async () => {
    const answer = await house.api.send('PUT', '/v1/1/notifications', {
      notification_data: { type: 'sos', vehicles: ['BB001BB'] },
    });
    expect(answer.body).toMatchObject({ status: 422, errors: [{ pointer: '/notification_data/users' }] });
    expect((await house.api.send('PUT', '/v1/1/notifications', {})).body).toMatchObject({ status: 422 });
  });

  test('another version of the operation', async () => {
    for (const version of ['v2', '9', 'abc']) {
      const answer = await house.api.send('PUT', `/v1/${version}/notifications`, { notification_data: valid });
      expect(answer.body).toMatchObject({ status: 409, code: 'version-unsupported' });
    }
  });

  test('not the rule of another tenant by its id, nor is its id taken', async () => {
    const notification_data = { id: 'nrl_shared', type: 'sos', vehicles: ['TWIN1'], users: ['twin'] };
    const tenantId = await house.api.database.tenantId('twin');
    const { key } = await createKey(house.api.database.ingest, { tenantId, name: 'twin', scopes: SCOPES });
    const theirs = { authorization: `Bearer ${key}` };
    const put = async (headers: Record<string, string>) => {
      await house.api.send('POST', '/v1/vehicles', { targa: 'TWIN1' }, headers);
      const user = { username: 'twin', role: 'viewer', password: 'a long word for twins' };
      await house.api.send('POST', '/v1/users', user, headers);
      return house.api.send('PUT', '/v1/v1/notifications', { notification_data }, headers);
    };
    expect((await put({})).status).toBe(200);
    expect((await put(theirs)).status).toBe(200);
    const remove = (headers: Record<string, string>) =>
      house.api.send('DELETE', '/v1/notifications/nrl_shared', undefined, headers);
    expect((await remove(theirs)).status).toBe(200);
    expect((await remove(theirs)).status).toBe(404);
    expect((await remove({})).status).toBe(200);
  });

  test('vehicles of another tenant', async () => {
    const tenantId = await house.api.database.tenantId('other');
    const scopes = [
      'vehicles:read',
      'vehicles:write',
      'notifications:write',
      'notifications:read',
      'users:read',
    ] as const;
    const { key } = await createKey(house.api.database.ingest, { tenantId, name: 'other', scopes });
    const other = { authorization: `Bearer ${key}` };
    await house.api.send('POST', '/v1/vehicles', { targa: 'OTHER1' }, other);
    expect((await put({ ...valid, vehicles: ['OTHER1'] })).body).toMatchObject({
      status: 422,
      code: 'unknown-vehicle',
    });
    const made = (await put({ ...valid, id: 'ours' })).body.notificationId;
    expect((await house.api.send('DELETE', `/v1/notifications/${made}`, undefined, other)).status).toBe(404);
    expect((await house.api.get('/v1/notifications/admin', other)).body).toMatchObject({ code: 'unknown-user' });
  });
});
