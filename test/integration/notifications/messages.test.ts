import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Notifying, report, startNotifying } from '../../support/alerts.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

const PASSWORD = 'words of the owner';
let house: Notifying;
let admin: string;
let asAdmin: { authorization: string };
let asDriver: { authorization: string };

async function login(username: string): Promise<{ authorization: string }> {
  const { body } = await house.api.send('POST', '/v1/auth/credentials', { username, password: PASSWORD });
  return { authorization: `Bearer ${body.accessToken}` };
}
const sos = (at: string): object => report('imei-1', at, { attributes: { alarm: 'sos' } });
/** the last one of 31 May in Rome, two of 1 June */
const TIMES = ['2026-05-31T21:59:59Z', '2026-05-31T22:00:01Z', '2026-06-01T12:00:00Z'];

beforeAll(async () => {
  house = await withDatabase((url) => startNotifying(url, {}, { adminPassword: PASSWORD }));
  const { api } = house;
  admin = (await api.get('/v1/users/admin')).body.id;
  await api.send('PATCH', '/v1/users/admin', { timezone: 'Europe/Rome' });
  await api.send('POST', '/v1/users', { username: 'ugo', role: 'driver', allVehicles: true, password: PASSWORD });
  [asAdmin, asDriver] = [await login('admin'), await login('ugo')];
  await api.send('POST', '/v1/vehicles', { targa: 'MS001' });
  await house.drive(report('imei-1', '2026-01-01T00:00:00Z'));
  await api.send('POST', '/v1/pairings', { targa: 'MS001', imei: 'imei-1', from: 1_000_000_000_001 });
  const rule = {
    type: 'sos',
    priority: 'high',
    vehicles: ['MS001'],
    users: ['admin', 'ugo'],
    params: { clearSeconds: 0 },
  };
  await api.send('PUT', '/v1/v1/notifications', { notification_data: { id: 'help', ...rule } });
  for (const at of TIMES) await house.drive(sos(at));
});
afterAll(async () => {
  await house?.stop();
  await dropDatabases();
});

const timesOf = (body: { items: { occurredAt: string }[] }) => body.items.map(({ occurredAt }) => occurredAt);

describe('notifications of a user', () => {
  test('is paged, newest first, with the rules of the user', async () => {
    const first = await house.api.get('/v1/notifications/me?limit=2', asAdmin);
    expect(first.body).toMatchObject({ userId: admin, badge: 3, unread: 3, rules: [{ id: 'nrl_help', type: 'sos' }] });
    const next = await house.api.get(`/v1/notifications/me?limit=2&cursor=${first.body.nextCursor}`, asAdmin);
    expect([...timesOf(first.body), ...timesOf(next.body)]).toEqual([...TIMES].reverse());
    expect(next.body.nextCursor).toBeNull();
    const etag = first.headers.get('etag')!;
    expect((await house.api.get('/v1/notifications/me?limit=2', { ...asAdmin, 'if-none-match': etag })).status).toBe(
      304,
    );
    const other = await house.api.get(
      `/v1/notifications/me?limit=2&unread=true&cursor=${first.body.nextCursor}`,
      asAdmin,
    );
    expect(other.body).toMatchObject({ status: 422, code: 'bad-cursor' });
  });

  test('is listed by the day of the user’s time zone, or of another', async () => {
    const rome = (await house.api.get('/v1/notifications/me/2026-06-01', asAdmin)).body;
    expect(rome).toMatchObject({ userId: admin, date: '2026-06-01', timezone: 'Europe/Rome', unread: 2 });
    expect(timesOf(rome)).toEqual([TIMES[2], TIMES[1]]);
    expect(timesOf((await house.api.get('/v1/notifications/me/2026-06-01?tz=UTC', asAdmin)).body)).toEqual([TIMES[2]]);
    const ms = Date.parse(TIMES[0]!);
    expect((await house.api.get(`/v1/notifications/me/${ms}`, asAdmin)).body).toMatchObject({
      date: '2026-05-31',
      unread: 1,
    });
    for (const bad of ['2026-02-30', 'today', '99999999999999999']) {
      expect((await house.api.get(`/v1/notifications/me/${bad}`, asAdmin)).body).toMatchObject({
        status: 422,
        code: 'bad-date',
      });
    }
    expect((await house.api.get('/v1/notifications/me/2026-06-01?tz=Nowhere', asAdmin)).body.code).toBe(
      'unknown-timezone',
    );
  });

  test('has a history, which is under development', async () => {
    const answer = await house.api.get('/v1/notifications/history/admin/2026-06-01?priority=high&type=sos');
    expect(answer.headers.get('x-stability')).toBe('experimental');
    expect(answer.body).toMatchObject({
      userId: admin,
      from: '2026-05-31T22:00:00Z',
      stability: 'under-development',
      nextCursor: null,
    });
    expect(timesOf(answer.body)).toEqual([TIMES[2], TIMES[1]]);
    const path = `/v1/notifications/history/me/${Date.parse(TIMES[1]!)}?to=${TIMES[1]}`;
    expect(timesOf((await house.api.get(path, asAdmin)).body)).toEqual([TIMES[1]]);
    expect((await house.api.get('/v1/notifications/history/admin/2026-05-01?priority=low')).body.items).toEqual([]);
    expect((await house.api.get('/v1/notifications/history/admin/soon')).body).toMatchObject({
      status: 422,
      code: 'bad-from',
    });
    expect((await house.api.get('/v1/notifications/history/nobody/0')).body).toMatchObject({
      status: 404,
      code: 'unknown-user',
    });
  });

  test('is available to the user; others need a scope', async () => {
    expect((await house.api.get('/v1/notifications/me', asDriver)).body).toMatchObject({ unread: 3 });
    for (const path of [
      '/v1/notifications/admin',
      '/v1/notifications/admin/2026-06-01',
      '/v1/notifications/history/admin/0',
      '/v1/notifications/nobody',
    ]) {
      expect((await house.api.get(path, asDriver)).body, path).toMatchObject({ status: 403, code: 'missing-scope' });
    }
    expect((await house.api.send('POST', '/v1/v1/notifications/badge/admin', undefined, asDriver)).status).toBe(403);
    const { items } = (await house.api.get('/v1/notifications/me', asAdmin)).body;
    expect((await house.api.send('DELETE', `/v1/notifications/${items[0].id}`, undefined, asDriver)).status).toBe(404);
    expect((await house.api.send('DELETE', '/v1/notifications/nrl_help', undefined, asDriver)).status).toBe(404);
    const theirs = { type: 'sos', vehicles: ['MS001'], users: ['admin'] };
    const refused = await house.api.send('PUT', '/v1/v1/notifications', { notification_data: theirs }, asDriver);
    expect(refused.body).toMatchObject({ status: 403, code: 'missing-scope' });
  });

  test('counts in the badge of the user until it is reset', async () => {
    const reset = await house.api.send('POST', '/v1/v1/notifications/badge/me', undefined, asDriver);
    expect(reset.body).toMatchObject({ badge: 0, previous: 3 });
    expect((await house.api.send('POST', '/v1/1/notifications/badge/me', {}, asDriver)).body).toMatchObject({
      previous: 0,
    });
    expect((await house.api.get('/v1/notifications/me', asDriver)).body).toMatchObject({ badge: 0, unread: 3 });
    expect((await house.api.get('/v1/app/me', asAdmin)).body.badge).toBe(3);
    await house.drive(sos('2026-06-02T12:00:00Z'));
    expect((await house.api.get('/v1/app/me', asDriver)).body.badge).toBe(1);
    expect((await house.api.send('POST', '/v1/v7/notifications/badge/me', undefined, asDriver)).body.code).toBe(
      'version-unsupported',
    );
  });

  test('is an alert of the app until the user has seen it', async () => {
    const alerts = await house.api.get('/v1/app/alert?severity=high', asDriver);
    expect(alerts.headers.get('retry-after')).toBe('30');
    expect(alerts.body).toMatchObject({ unread: 4 });
    const [newest] = alerts.body.items;
    expect(newest).toMatchObject({
      severity: 'high',
      kind: 'sos',
      targa: 'MS001',
      occurredAt: '2026-06-02T12:00:00Z',
      ack: false,
    });
    const seen = await house.api.send('POST', `/v1/app/alert/${newest.id}/ack`, undefined, asDriver);
    expect(seen.body).toMatchObject({ id: newest.id, ack: true });
    expect((await house.api.get('/v1/app/alert', asDriver)).body).toMatchObject({ unread: 3 });
    expect((await house.api.get('/v1/app/alert?severity=critical', asDriver)).body.items).toEqual([]);
    expect((await house.api.get('/v1/app/alert?since=2026-06-02', asDriver)).body.items).toHaveLength(1);
    expect((await house.api.send('POST', `/v1/app/alert/${newest.id}/ack`, undefined, asAdmin)).status).toBe(404);
    expect((await house.api.get('/v1/app/alert')).body).toEqual({ items: [], unread: 0, nextCursor: null });
  });

  test('can be marked as read and deleted by the user', async () => {
    const before = (await house.api.get('/v1/notifications/me?markRead=true&limit=1', asAdmin)).body;
    expect(before.items[0].readAt).toBeNull();
    const after = (await house.api.get('/v1/notifications/me', asAdmin)).body;
    expect(after.unread).toBe(before.unread - 1);
    expect(after.items[0].readAt).not.toBeNull();
    expect((await house.api.get('/v1/notifications/me?unread=false', asAdmin)).body.items).toHaveLength(1);
    const ids = after.items.map(({ id }: { id: string }) => id);
    const one = await house.api.send('DELETE', `/v1/notifications/${ids[0]}`, undefined, asAdmin);
    expect(one.body).toMatchObject({ deleted: 1, ids: [ids[0]] });
    expect((await house.api.send('DELETE', `/v1/notifications/${ids[0]}`, undefined, asAdmin)).body.code).toBe(
      'unknown-notification',
    );
    const bulk = await house.api.send('DELETE', `/v1/notifications?ids=${ids.join(',')},nrl_none`, undefined, asAdmin);
    expect(bulk.body.ids.sort()).toEqual(ids.slice(1).sort());
    expect((await house.api.get('/v1/notifications/me', asAdmin)).body).toMatchObject({ items: [], unread: 0 });
    // the driver has his own
    expect((await house.api.get('/v1/notifications/me', asDriver)).body.items).toHaveLength(4);
    // a repeated report notifies nobody
    await house.drive(sos(TIMES[2]!));
    expect((await house.api.get('/v1/notifications/me', asAdmin)).body.items).toEqual([]);
  });
});

describe('a user without access to the vehicle', () => {
  test('is not notified', async () => {
    const { api } = house;
    await api.send('POST', '/v1/users', {
      username: 'eva',
      role: 'viewer',
      password: PASSWORD,
      allVehicles: false,
      targhe: [],
    });
    const data = { type: 'ignition_on', vehicles: ['MS001'], users: ['eva', 'admin'] };
    expect((await api.send('PUT', '/v1/v1/notifications', { notification_data: data })).status).toBe(200);
    const ignition = (at: string, on: boolean) => report('imei-1', at, { attributes: { ignition: on } });
    await house.drive(ignition('2026-06-03T10:00:00Z', false), ignition('2026-06-03T10:01:00Z', true));
    expect((await api.get('/v1/notifications/eva')).body.items).toEqual([]);
    expect((await api.get('/v1/notifications/admin')).body.items).toHaveLength(1);
    await api.send('PATCH', '/v1/users/eva', { targhe: ['MS001'] });
    await house.drive(ignition('2026-06-03T11:00:00Z', false), ignition('2026-06-03T11:01:00Z', true));
    expect((await api.get('/v1/notifications/eva')).body.items).toHaveLength(1);
  });
});

describe('an event that another part of the server reports', () => {
  test('is notified by rules of its type, once', async () => {
    const { createFindingNotifier } = await import('../../../src/server/alerts/evaluation/index.ts');
    const notifyFinding = createFindingNotifier(house.api.database.ingest, {
      channels: { email: false, web_push: false, fcm: false },
    });
    const data = { id: 'fines', type: 'infringement', vehicles: ['MS001'], users: ['admin'] };
    await house.api.send('PUT', '/v1/v1/notifications', { notification_data: data });
    const tenantId = await house.api.database.tenantId('default');
    const vehicleId = (await house.api.get('/v1/vehicles/MS001')).body.id;
    const finding = {
      tenantId,
      type: 'infringement',
      key: 'inf_1',
      at: Date.UTC(2026, 5, 5),
      vehicleId,
      detail: 'Daily rest too short',
    } as const;
    expect(await notifyFinding(finding)).toBe(1);
    expect(await notifyFinding(finding)).toBe(0);
    expect(await notifyFinding({ ...finding, type: 'ddd_due' })).toBe(0);
    const { items } = (await house.api.get('/v1/notifications/admin?type=infringement')).body;
    expect(items).toMatchObject([
      { ruleId: 'nrl_fines', targa: 'MS001', body: expect.stringContaining('Daily rest too short') },
    ]);
  });

  test('silence of a device is notified', async () => {
    await house.drive(report('silent', '2026-01-01T00:00:00Z', { serverTime: '2026-01-01T00:00:00Z' }));
    const data = {
      id: 'silence',
      type: 'device_offline',
      vehicles: ['silent'],
      users: ['admin'],
      params: { offlineSeconds: 60 },
    };
    expect((await house.api.send('PUT', '/v1/v1/notifications', { notification_data: data })).status).toBe(200);
    const notified = async () => {
      await house.alerts.run();
      return (await house.api.get('/v1/notifications/admin?type=device_offline')).body.items;
    };
    await expect.poll(notified, { timeout: 60_000 }).toMatchObject([{ imei: 'silent', targa: null }]);
  });
});
