import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unzip } from '../../../support/documents.ts';
import { positionEvent } from '../../../support/positions.ts';
import { type CommandWorld, openCommands } from '../commands/support.ts';
import { problemsOf } from './document/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Json = any;

const PASSWORD = 'correct horse battery';
const DAY = 'from=2026-05-01T00:00:00Z&to=2026-05-02T00:00:00Z';
let world: CommandWorld;
const basic = (name: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${name}:${PASSWORD}`).toString('base64')}`,
});

/** Every answer is held to Traccar's own document. */
async function call(method: string, path: string, body?: unknown, user = 'boss', headers = {}): Promise<Json> {
  const answer = await world.api.send(method, `/api${path}`, body, { ...basic(user), ...headers });
  if (answer.status < 300) expect(problemsOf(method, path, answer.status, answer.body)).toEqual([]);
  return answer;
}
const get = async (path: string, user?: string): Promise<Json> => {
  const { status, body } = await call('GET', path, undefined, user);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

beforeAll(async () => {
  world = await openCommands({ COMPAT_TRACCAR: true });
  const { api } = world;
  for (const [username, role] of [
    ['boss', 'admin'],
    ['view', 'viewer'],
  ]) {
    const user = {
      username,
      role,
      password: PASSWORD,
      email: `${username}@example.org`,
      allVehicles: role === 'admin',
    };
    expect((await api.send('POST', '/v1/users', user)).status).toBe(200);
  }
});
afterAll(() => world?.stop());

describe('a device', () => {
  test('is made with its vehicle, changed and removed', async () => {
    const attributes = { 'web.reportColor': '#1e88e5' };
    const made = await call('POST', '/devices', {
      name: 'ab 123 cd',
      uniqueId: '860000000000001',
      model: 'Ducato',
      phone: '+39 02 1',
      category: 'van',
      attributes,
    });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({
      name: 'ab 123 cd',
      model: 'Ducato',
      phone: '+39 02 1',
      category: 'van',
      attributes,
    });
    expect((await world.api.get('/v1/vehicles/AB123CD')).body).toMatchObject({ imei: '860000000000001' });
    const group = (await call('POST', '/groups', { name: 'North', attributes: { color: 'red' } })).body;
    const changed = { ...made.body, name: 'Van', groupId: group.id, contact: 'Anna' };
    const { body } = await call('PUT', `/devices/${made.body.id}`, changed);
    expect(body).toMatchObject({ id: made.body.id, name: 'Van', groupId: group.id, contact: 'Anna', attributes });
    expect((await world.api.get('/v1/vehicles/AB123CD')).body.group).toBe('North');
    expect((await get('/devices?keyword=va')).map(({ id }: Json) => id)).toEqual([body.id]);
    expect((await call('PUT', `/devices/${body.id}`, { ...body, uniqueId: 'other' })).status).toBe(501);
    expect((await call('PUT', `/devices/${body.id}`, { ...body, disabled: true })).status).toBe(501);
    expect((await call('DELETE', `/devices/${body.id}`)).status).toBe(204);
    expect((await call('GET', `/devices/${body.id}`)).status).toBe(404);
  });

  test('is not made by whoever may not, and leaves nothing behind', async () => {
    const made = await call('POST', '/devices', { name: 'X', uniqueId: '860000000000002' }, 'view');
    expect(made.status).toBe(403);
    expect((await call('POST', '/devices', { name: 'X' })).body.errors).toEqual([
      { pointer: '/uniqueId', detail: 'required' },
    ]);
    expect(await get('/devices?keyword=860000000000002')).toEqual([]);
  });
});

test.each([
  ['groups', { name: 'Depot', attributes: { a: 1 } }, { name: 'Depot 2' }],
  ['drivers', { name: 'Carla', uniqueId: '123', attributes: {} }, { name: 'Clara' }],
  [
    'geofences',
    { name: 'Yard', description: 'Milan', area: 'CIRCLE (45.4642 9.19, 250)', attributes: { color: '#f00' } },
    { area: 'POLYGON ((45.4 9.1, 45.4 9.2, 45.5 9.2, 45.4 9.1))' },
  ],
  [
    'geofences',
    {
      name: 'Road',
      description: '',
      area: 'LINESTRING (45.4 9.1, 45.4 9.2, 45.5 9.2)',
      attributes: { polylineDistance: 40, color: '#00f' },
    },
    { area: 'LINESTRING (45.4 9.1, 45.45 9.2)', attributes: { polylineDistance: 60 } },
  ],
])('%s are made, listed, changed and removed', async (path, members, changes) => {
  const made = (await call('POST', `/${path}`, members)).body;
  expect(made).toMatchObject(members);
  expect(await get(`/${path}`)).toContainEqual(made);
  expect(await get(`/${path}/${made.id}`)).toEqual(made);
  const changed = (await call('PUT', `/${path}/${made.id}`, { ...made, ...changes })).body;
  expect(changed).toEqual({ ...made, ...changes });
  expect((await call('PUT', `/${path}/${made.id}`, made, 'view')).status).toBeGreaterThan(400);
  expect(await get(`/${path}/${made.id}`)).toEqual(changed);
  expect((await call('DELETE', `/${path}/${made.id}`)).status).toBe(204);
  expect((await get(`/${path}`)).map(({ id }: Json) => id)).not.toContain(made.id);
});

test('an area that is not WKT is refused', async () => {
  const { status, body } = await call('POST', '/geofences', { name: 'Bad', area: 'POINT (1 2)' });
  expect([status, body.errors]).toEqual([422, [{ pointer: '/area', detail: 'the text is no POINT' }]]);
});

describe('users', () => {
  test('are made, given a device and removed', async () => {
    const made = (
      await call('POST', '/users', { name: 'Nina', email: 'nina@example.org', password: PASSWORD, readonly: true })
    ).body;
    expect(made).toMatchObject({ name: 'Nina', email: 'nina@example.org', readonly: true, administrator: false });
    const device = (await call('POST', '/devices', { name: 'NIN001', uniqueId: '860000000000003' })).body;
    expect(await get('/devices', 'nina@example.org')).toEqual([]);
    expect((await call('POST', '/permissions', { userId: made.id, deviceId: device.id })).status).toBe(204);
    expect((await get('/devices', 'nina@example.org')).map(({ id }: Json) => id)).toEqual([device.id]);
    const links = [{ userId: made.id, deviceId: device.id }];
    expect(await get(`/permissions?userId=${made.id}&deviceId=0`)).toEqual(links);
    expect(await get(`/permissions?deviceId=${device.id}&userId=${made.id}`)).toEqual(links);
    const [boss] = await get('/users?keyword=boss');
    // who sees all devices sees this one
    const given = await get(`/permissions?userId=0&deviceId=${device.id}`);
    expect(given).toEqual(expect.arrayContaining([...links, { userId: boss.id, deviceId: device.id }]));
    const [view] = await get('/users?keyword=view');
    expect(given.map(({ userId }: Json) => userId)).not.toContain(view.id);
    expect((await call('GET', '/permissions?userId=0&deviceId=0')).status).toBe(422);
    expect((await call('GET', `/permissions?userId=${made.id}&deviceId=0`, undefined, 'view')).status).toBe(403);
    const idsOf = async (path: string, user?: string) => (await get(path, user)).map(({ id }: Json) => id);
    expect(await idsOf(`/devices?userId=${made.id}`)).toEqual([device.id]);
    expect(await idsOf(`/devices?userId=${made.id}`, 'nina@example.org')).toEqual([device.id]);
    expect(await idsOf(`/devices?userId=${boss.id}`)).toEqual(await idsOf('/devices'));
    expect(await idsOf(`/devices?userId=${made.id}&all=true`)).toEqual(await idsOf('/devices'));
    expect((await call('GET', `/devices?userId=${boss.id}`, undefined, 'nina@example.org')).status).toBe(403);
    const seeing = await idsOf(`/users?deviceId=${device.id}`);
    expect(seeing).toEqual(expect.arrayContaining([made.id, boss.id]));
    expect(seeing).not.toContain(view.id);
    // nobody is managed by a user here
    expect(await get(`/users?userId=${boss.id}`)).toEqual([]);
    expect((await call('DELETE', '/permissions', { userId: made.id, deviceId: device.id })).status).toBe(204);
    expect(await get('/devices', 'nina@example.org')).toEqual([]);
    expect(await get(`/devices?userId=${made.id}`)).toEqual([]);
    expect(await get(`/permissions?userId=${made.id}&deviceId=0`)).toEqual([]);
    expect((await call('POST', '/permissions', { deviceId: device.id, geofenceId: 1 })).status).toBe(501);
    expect((await call('GET', '/permissions?geofenceId=1&deviceId=0')).status).toBe(501);
    // what only clients use is hers to change
    const own = await call('PUT', `/users/${made.id}`, { ...made, attributes: { theme: 'dark' } }, 'nina@example.org');
    expect(own.body).toMatchObject({ attributes: { theme: 'dark' }, readonly: true });
    const promoted = await call('PUT', `/users/${made.id}`, { ...made, administrator: true }, 'nina@example.org');
    expect(promoted.status).toBe(403);
    expect((await call('DELETE', `/users/${made.id}`)).status).toBe(204);
  });
});

describe('commands', () => {
  test('are saved, offered by what the device takes, and sent', async () => {
    const imei = '860000000000004';
    const device = (await call('POST', '/devices', { name: 'CMD001', uniqueId: imei })).body;
    expect(await get(`/commands/types?deviceId=${device.id}`)).toEqual([{ type: 'custom' }]);
    const { api } = world;
    await api.send('PATCH', `/v1/devices/${imei}`, { options: { protocol: 'gt06' } });
    await api.events([positionEvent(imei, 1, { protocol: 'gt06' })], 'commands');
    const types = (await get(`/commands/types?deviceId=${device.id}`)).map(({ type }: Json) => type);
    expect(types).toEqual(expect.arrayContaining(['custom', 'engineStop']));
    expect((await get('/commands/types')).length).toBeGreaterThan(types.length);
    const template = { description: 'Where', type: 'custom', attributes: { data: 'WHERE#' } };
    const saved = (await call('POST', '/commands', template)).body;
    expect(await get('/commands')).toEqual([expect.objectContaining({ ...template, id: saved.id })]);
    expect((await get(`/commands/send?deviceId=${device.id}`))[0].id).toBe(saved.id);
    expect((await call('POST', '/commands', template, 'view')).status).toBe(403);
    const sent = await call('POST', '/commands/send', { id: saved.id, deviceId: device.id });
    expect([sent.status, sent.body]).toMatchObject([202, { deviceId: device.id, type: 'custom' }]);
    expect((await api.get(`/v1/gprsCommands/?imei=${imei}`)).body.items).toMatchObject([{ gprsCommand: 'WHERE#' }]);
    const queue = await world.api.get(`/api/commands/queue?deviceId=${device.id}`, basic('boss'));
    expect(queue.body).toMatchObject([{ id: sent.body.id, attributes: { data: 'WHERE#' } }]);
    expect((await call('POST', '/commands/send', { deviceId: device.id, type: 'takeOff' })).status).toBe(422);
    expect((await call('DELETE', `/commands/${saved.id}`)).status).toBe(204);
    expect(await get('/commands')).toEqual([]);
  });
});

describe('reports', () => {
  let device: Json;
  beforeAll(async () => {
    const imei = '860000000000005';
    const { api } = world;
    await api.send('POST', '/v1/devices', { imei, name: 'REP001' });
    await api.send('POST', '/v1/vehicles', { targa: 'REP001' });
    await api.send('POST', '/v1/pairings', { targa: 'REP001', imei, from: '2026-04-01T00:00:00Z' });
    [device] = await get(`/devices?uniqueId=${imei}`);
    const at = (n: number) => new Date(Date.UTC(2026, 4, 1, 8) + n * 30_000).toISOString();
    const drive = Array.from({ length: 60 }, (_, n) => {
      const isOn = n < 40;
      const step = Math.min(n, 40) * 0.004;
      return positionEvent(imei, n, {
        id: undefined as never,
        deviceTime: at(n),
        fixTime: at(n),
        serverTime: at(n),
        latitude: 45 + step,
        longitude: 9,
        speed: isOn ? 53 : 0,
        attributes: { ignition: isOn },
      });
    }).map(({ position, ...event }) => {
      const { id: _, ...rest } = position;
      return {
        ...event,
        position: { ...rest, id: `r${rest.fixTime}`.replaceAll(/\W/g, '').padEnd(22, '0').slice(0, 22) },
      };
    });
    const stored = await api.events(drive, 'reports');
    expect(stored.body.rejected).toEqual([]);
  });

  test('have the trips, stops, positions and totals of a device', async () => {
    const query = `deviceId=${device.id}&${DAY}`;
    expect(await get(`/reports/route?${query}`)).toHaveLength(60);
    const trips = await get(`/reports/trips?${query}`);
    expect(trips).toMatchObject([{ deviceId: device.id, deviceName: 'REP001', startTime: '2026-05-01T08:00:00Z' }]);
    expect(trips[0].distance).toBeGreaterThan(16_000);
    expect(trips[0].duration).toBeGreaterThanOrEqual(19 * 60_000);
    expect(trips[0].maxSpeed).toBeCloseTo(28.6, 1);
    const stops = await get(`/reports/stops?${query}`);
    expect(stops).toMatchObject([{ deviceId: device.id, lat: expect.closeTo(45.16, 2) }]);
    const [summary] = await get(`/reports/summary?${query}`);
    expect(summary).toMatchObject({ deviceId: device.id, distance: trips[0].distance, maxSpeed: trips[0].maxSpeed });
    expect(await get(`/reports/events?${query}&type=allEvents`)).toEqual([]);
    const [line] = await get(`/reports/combined?${query}`);
    expect(line).toMatchObject({ deviceId: device.id, events: [], positions: [] });
    expect(line.route).toHaveLength(60);
    expect(line.route[0]).toEqual([9, 45]);
    expect((await call('GET', `/reports/trips/mail?${query}`)).status).toBe(501);
  });

  test('have the visits to geofences that began and ended in the interval', async () => {
    const { api } = world;
    const asleep = '860000000000006';
    // a night in the depot, between two reports
    const night = [
      ['05:55', 45],
      ['06:00', 45],
      ['06:05', 45.08],
      ['06:10', 45.08],
      ['10:00', 45.08],
      ['10:05', 45.08],
      ['10:10', 45.12],
    ] as const;
    const events = night.map(([time, latitude], n) => {
      const at = `2026-05-01T${time}:00.000Z`;
      return positionEvent(asleep, n, {
        deviceTime: at,
        fixTime: at,
        serverTime: at,
        latitude,
        longitude: 9,
        speed: 30,
      });
    });
    expect((await api.events(events, 'night')).body.rejected).toEqual([]);
    const [depot, end, road] = await Promise.all(
      [
        ['depot', 'CIRCLE (45.08 9, 1000)'],
        ['end', 'CIRCLE (45.16 9, 1000)'],
        ['road', 'POLYGON ((45.02 8.99, 45.03 8.99, 45.03 9.01, 45.02 9.01, 45.02 8.99))'],
      ].map(async ([name, area]) => (await call('POST', '/geofences', { name, area })).body.id),
    );
    const [sleeper] = await get(`/devices?uniqueId=${asleep}`);
    const devices = `deviceId=${device.id}&deviceId=${sleeper.id}`;
    const rows = await get(
      `/reports/geofences?${devices}&geofenceId=${depot}&geofenceId=${end}&geofenceId=${road}&${DAY}`,
    );
    // 0.004° in 30 s, 111,195 m to a degree; the first device has not left its last place
    expect(rows.map(({ deviceId, geofenceId }: Json) => [deviceId, geofenceId])).toEqual([
      [sleeper.id, road],
      [sleeper.id, depot],
      [device.id, road],
      [device.id, depot],
    ]);
    const seconds = (time: string) => Math.round((Date.parse(time) - Date.UTC(2026, 4, 1, 6)) / 1_000);
    expect(rows.map(({ startTime, endTime }: Json) => [seconds(startTime), seconds(endTime)])).toEqual([
      [75, 113],
      [266, 14_767],
      [7_350, 7_425],
      [7_733, 7_867],
    ]);
    expect(rows[0].deviceName).toBe(sleeper.name);
    expect(await get(`/reports/geofences?${devices}&${DAY}`)).toEqual([]);
    // positions that lie in one: every 0.004° of 45.02 to 45.03
    const inside = `deviceId=${device.id}&geofenceId=${road}&${DAY}`;
    expect((await get(`/positions?${inside}`)).map(({ latitude }: Json) => latitude)).toEqual([45.02, 45.024, 45.028]);
    const csv = await (await fetch(`${world.api.url}/api/positions/csv?${inside}`, { headers: basic('boss') })).text();
    expect(csv.trim().split('\r\n')).toHaveLength(4);
    expect((await call('GET', `/positions?deviceId=${device.id}&geofenceId=9999&${DAY}`)).status).toBe(404);
  });

  test('are spreadsheets and tracks too', async () => {
    const query = `deviceId=${device.id}&${DAY}`;
    for (const name of ['route', 'trips', 'stops', 'summary', 'events', 'devices']) {
      const response = await fetch(`${world.api.url}/api/reports/${name}/xlsx?${query}`, { headers: basic('boss') });
      const files = await unzip(new Uint8Array(await response.arrayBuffer()));
      expect([...files.keys()], name).toContain('xl/workbook.xml');
    }
    const text = async (format: string) =>
      (await fetch(`${world.api.url}/api/positions/${format}?${query}`, { headers: basic('boss') })).text();
    const csv = await text('csv');
    expect(csv.split('\r\n')[0]).toMatch(
      /^id,deviceId,protocol,serverTime,deviceTime,fixTime,outdated,valid,latitude,longitude/,
    );
    expect(csv.trim().split('\r\n')).toHaveLength(61);
    expect((await text('gpx')).match(/<trkpt /g)).toHaveLength(60);
    expect(await text('kml')).toContain('<kml');
  });
});

test('notifications are rules of the user, and what they find are events', async () => {
  const types = (await get('/notifications/types')).map(({ type }: Json) => type);
  expect(types).toEqual(expect.arrayContaining(['alarm', 'deviceOverspeed', 'geofenceEnter']));
  const made = (await call('POST', '/notifications', { type: 'ignitionOn', always: true, notificators: 'web,mail' }))
    .body;
  expect(made).toMatchObject({ type: 'ignitionOn', always: true, notificators: 'web,mail' });
  expect(await get('/notifications')).toEqual([made]);
  expect((await call('POST', '/notifications', { type: 'media', always: true, notificators: 'web' })).status).toBe(501);
  expect((await call('POST', '/notifications', { type: 'alarm', always: false, notificators: 'web' })).status).toBe(
    501,
  );
  const [device] = await get('/devices');
  const user = (await world.api.get('/v1/users/boss')).body.id;
  await world.sql(
    `insert into notification (id, tenant_id, rule_id, user_id, imei, type, priority, title, body, occurred_at)
     select 'ntf_test', tenant_id, null, $1, $2, 'overspeed', 'normal', 'Too fast', '91 km/h', '2026-05-01T10:00:00Z'
     from app_user where id = $1`,
    [user, device.uniqueId],
  );
  const events = await get(`/reports/events?deviceId=${device.id}&${DAY}`);
  expect(events).toMatchObject([{ type: 'deviceOverspeed', deviceId: device.id, eventTime: '2026-05-01T10:00:00Z' }]);
  expect(await get(`/events/${events[0].id}`)).toEqual(events[0]);
  expect((await call('GET', `/events/${events[0].id}`, undefined, 'view')).status).toBe(404);
  expect(await get(`/reports/events?deviceId=${device.id}&type=geofenceEnter&${DAY}`)).toEqual([]);
  expect((await call('DELETE', `/notifications/${made.id}`)).status).toBe(204);
  expect(await get('/notifications')).toEqual([]);
});

test('a rule that is saved again keeps what is not shown', async () => {
  const { api } = world;
  const rule = {
    id: 'nrl_shared',
    type: 'overspeed',
    description: 'Fast',
    priority: 'high',
    timezone: 'Europe/Rome',
    users: ['me', 'view'],
    vehicles: ['CMD001', 'REP001'],
    channels: ['app', 'webhook'],
    cooldownSeconds: 60,
    auth_hours: { monday: { min: 8, max: 18, all_day: false } },
    params: { limitKmh: 90, webhookUrl: 'https://example.org/hook' },
  };
  const login = { username: 'boss', password: PASSWORD };
  const { accessToken } = (await api.send('POST', '/v1/auth/credentials', login, { authorization: '' })).body;
  const own = { authorization: `Bearer ${accessToken}` };
  const saved = await api.send('PUT', '/v1/v1/notifications', { notification_data: rule }, own);
  expect([saved.status, JSON.stringify(saved.body.errors)]).toEqual([200, undefined]);
  const boss = (await api.get('/v1/users/boss')).body.id;
  const stored = async (): Promise<Json> => {
    const { rules } = (await api.get('/v1/notifications/view')).body;
    return rules.find(({ id }: Json) => id === rule.id);
  };
  // `me` is whoever has made the rule, also when another user saves it
  expect((await stored()).users).toEqual([boss, 'view']);
  const shown = (await get('/notifications')).find(({ description }: Json) => description === 'Fast');
  const changes = { description: 'Too fast', notificators: 'mail' };
  const changed = await call('PUT', `/notifications/${shown.id}`, { ...shown, ...changes });
  expect([changed.status, changed.body]).toEqual([200, { ...shown, ...changes }]);
  const { type, priority, timezone, cooldownSeconds, auth_hours, params } = rule;
  expect(await stored()).toMatchObject({ type, priority, timezone, cooldownSeconds, auth_hours, params });
  expect(await stored()).toMatchObject({ users: [boss, 'view'], channels: ['email', 'webhook'] });
  // a rule for some vehicles remains one for them, until it is saved for all
  expect(shown.always).toBe(false);
  expect(await stored()).toMatchObject({ vehicles: rule.vehicles });
  const everywhere = await call('PUT', `/notifications/${shown.id}`, { ...shown, always: true });
  expect([everywhere.status, everywhere.body.always]).toEqual([200, true]);
  expect((await call('PUT', `/notifications/${shown.id}`, { ...shown, always: false })).status).toBe(501);
  expect((await call('DELETE', `/notifications/${shown.id}`)).status).toBe(204);
});

test('a place has an address, with its source', async () => {
  const path = '/api/server/geocode?latitude=45.4642&longitude=9.19';
  const { status, body, headers } = await world.api.get(path, basic('boss'));
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(body).toMatch(/Milan.*\(GeoNames/);
  expect((await world.api.get(path, { authorization: '' })).status).toBe(401);
  expect((await world.api.get('/api/server/geocode?latitude=95&longitude=9', basic('boss'))).status).toBe(422);
  expect((await get('/server')).geocoderEnabled).toBe(true);
});

test('statistics are those of days, for administrators', async () => {
  const start = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;
  const path = `/statistics?from=${start}&to=2090-01-01T00:00:00Z`;
  const read = async () => (await get(path)).at(-1);
  const before = await read();
  expect(before.activeDevices).toBeGreaterThan(1);
  expect(before.messagesStored).toBeGreaterThan(60);
  // whatever operations an answer needs, it is one request; this one is a second
  await get('/devices');
  const imei = '860000000000007';
  await world.api.send('POST', '/v1/devices', { imei });
  const at = new Date().toISOString();
  const frame = {
    type: 'frame',
    at: Date.parse(at),
    imei,
    conn: 'run.7',
    protocol: 'h02',
    transport: 'tcp',
    remote: 'x',
    bytes: 'KkhR',
  };
  const batch = [positionEvent(imei, 1), positionEvent(imei, 2), frame];
  expect((await world.api.events(batch, 'counted')).body.rejected).toEqual([]);
  const after = await read();
  expect(after).toEqual({
    ...before,
    captureTime: expect.any(String),
    requests: before.requests + 3,
    activeDevices: before.activeDevices + 1,
    messagesReceived: before.messagesReceived + 1,
    messagesStored: before.messagesStored + 2,
  });
  expect(Date.parse(after.captureTime)).toBeGreaterThanOrEqual(Date.parse(at));
  // a day is captured when it is over
  const tenant = (await world.sql("select tenant_id as id from tenant where name = 'default'"))[0]!['id'];
  await world.sql(
    `insert into usage_day (tenant_id, day, requests, active_users, active_devices, frames, positions_stored)
     values ($1, '2026-05-01', 1, 2, 3, 4, 5)`,
    [tenant],
  );
  expect(await get(`/statistics?${DAY}`)).toEqual([
    {
      id: 20_574,
      captureTime: '2026-05-02T00:00:00.000Z',
      requests: 1,
      activeUsers: 2,
      activeDevices: 3,
      messagesReceived: 4,
      messagesStored: 5,
      attributes: {},
    },
  ]);
  expect(await get('/statistics?from=2026-05-02T00:00:01Z&to=2026-05-03T00:00:00Z')).toEqual([]);
  expect((await call('GET', path, undefined, 'view')).status).toBe(403);
  const manager = { username: 'mara', role: 'manager', password: PASSWORD, email: 'mara@example.org' };
  expect((await world.api.send('POST', '/v1/users', manager)).status).toBe(200);
  expect((await call('GET', path, undefined, 'mara')).status).toBe(403);
});

test('object types that do not exist here are an empty list, and cannot be created', async () => {
  for (const path of ['/calendars', '/maintenance', '/attributes/computed', '/orders']) {
    expect(await get(path)).toEqual([]);
    expect((await call('POST', path, { name: 'x' })).status).toBe(501);
  }
  expect((await world.api.get('/api/health', { authorization: '' })).body).toBe('OK');
});
