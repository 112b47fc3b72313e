import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApi, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { positionEvent } from '../../../support/positions.ts';
import { problemsOf } from './document/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Json = any;

const PASSWORD = 'correct horse battery';
const FIRST = '860000000000031';
const SECOND = '860000000000032';
const INTERVAL = 'from=2026-05-01T00:00:00Z&to=2026-05-02T00:00:00Z';

let api: RunningApi;
async function call(method: string, path: string, body?: unknown, user = 'boss', status = 200): Promise<Json> {
  const authorization = `Basic ${Buffer.from(`${user}:${PASSWORD}`).toString('base64')}`;
  const answer = await api.send(method, `/api${path}`, body, { authorization });
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  if (status < 300) expect(problemsOf(method, path, answer.status, answer.body)).toEqual([]);
  return answer.body;
}
const get = (path: string, user?: string): Promise<Json> => call('GET', path, undefined, user);
const refused = (path: string, status: number, user?: string): Promise<Json> =>
  call('GET', path, undefined, user, status);
const namesOf = async (path: string, user?: string): Promise<string[]> =>
  (await get(path, user)).map(({ name }: Json) => name);

/** numbers by name */
const device: Record<string, number> = {};
const user: Record<string, number> = {};
const group: Record<string, number> = {};

beforeAll(async () => {
  api = await withDatabase((url) => startApi(url, { COMPAT_TRACCAR: true }));
  const people = { boss: 'admin', view: 'viewer', wheel: 'driver' };
  for (const [username, role] of Object.entries(people)) {
    const body = { username, role, password: PASSWORD, email: `${username}@example.org` };
    expect((await api.send('POST', '/v1/users', { ...body, allVehicles: true })).status).toBe(200);
  }
  for (const { id, login } of await get('/users')) user[login] = id;
  for (const name of ['Outer', 'Inner', 'Innermost', 'Other']) {
    const within = { Inner: 'Outer', Innermost: 'Inner' }[name] ?? '';
    group[name] = (await call('POST', '/groups', { name, groupId: group[within] ?? 0 })).id;
  }
  const made = [
    { name: 'FLT002', uniqueId: SECOND, groupId: group['Innermost'], model: 'Ducato', attributes: { a: 1 } },
    { name: 'FLT001', uniqueId: FIRST, groupId: group['Outer'], phone: '+39 02 1' },
  ];
  for (const body of made) device[body.name] = (await call('POST', '/devices', body)).id;
  await api.events([positionEvent(FIRST, 1)], 'filters-1');
  await api.events([positionEvent(SECOND, 2)], 'filters-2');
  for (const name of ['Carla', 'Aldo', 'Bruno']) {
    await call('POST', '/drivers', { name, uniqueId: `${name.length}-${name}` });
    await call('POST', '/geofences', { name: `${name} depot`, area: 'CIRCLE (45.4642 9.19, 250)' });
  }
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

describe('a list', () => {
  test('is in the order of names, and read page by page', async () => {
    expect(await namesOf('/drivers')).toEqual(['Aldo', 'Bruno', 'Carla']);
    expect(await namesOf('/drivers?limit=2')).toEqual(['Aldo', 'Bruno']);
    expect(await namesOf('/drivers?limit=2&offset=2')).toEqual(['Carla']);
    expect(await namesOf('/drivers?offset=1')).toEqual(['Bruno', 'Carla']);
    expect(await namesOf('/devices')).toEqual(['FLT001', 'FLT002']);
  });

  test('has the records with a keyword, in the members that Traccar looks at', async () => {
    expect(await namesOf('/drivers?keyword=5-B')).toEqual(['Bruno']);
    expect(await namesOf('/geofences?keyword=ALDO')).toEqual(['Aldo depot']);
    expect(await namesOf('/devices?keyword=ducato')).toEqual(['FLT002']);
    expect(await namesOf('/devices?keyword=%2B39')).toEqual(['FLT001']);
    expect(await namesOf('/users?keyword=wheel@')).toEqual(['wheel']);
    expect(await namesOf('/groups?keyword=none')).toEqual([]);
  });

  test('leaves attributes out where they are not wanted', async () => {
    const attributesOf = async (query: string) =>
      (await get(`/devices?keyword=FLT002${query}`)).map(({ attributes }: Json) => attributes);
    expect(await attributesOf('')).toEqual([{ a: 1 }]);
    expect(await attributesOf('&excludeAttributes=true')).toEqual([{}]);
    expect(await attributesOf('&excludeAttributes=false')).toEqual([{ a: 1 }]);
  });

  test.each(['limit=x', 'offset=-1', 'deviceId=1.5', 'userId=me', 'all=yes', 'refresh=1', 'id=a'])(
    'is refused with %s',
    async (query) => {
      const [name] = query.split('=');
      const { errors } = await refused(`/drivers?${query}`, 422);
      expect(errors).toMatchObject([{ pointer: `/${name}` }]);
    },
  );

  test('of a user has what the role of the user may read', async () => {
    for (const [path, count] of [
      ['/groups', 4],
      ['/drivers', 3],
      ['/geofences', 3],
    ] as const) {
      expect(await get(`${path}?userId=${user['view']}`), path).toHaveLength(count);
      expect(await get(`${path}?userId=${user['wheel']}`), path).toEqual([]);
      expect(await get(`${path}?userId=${user['wheel']}&all=true`), path).toHaveLength(count);
      expect(await get(`${path}?userId=${user['view']}`, 'view'), path).toHaveLength(count);
      await refused(`${path}?userId=${user['boss']}`, 403, 'view');
      await refused(`${path}?userId=9999`, 404);
    }
  });

  test('of nothing here is empty, for records that the caller sees', async () => {
    expect(await get(`/maintenance?deviceId=${device['FLT001']}&groupId=${group['Outer']}`)).toEqual([]);
    expect(await get(`/calendars?userId=${user['view']}`)).toEqual([]);
    await refused('/maintenance?deviceId=9999', 404);
    await refused('/maintenance?groupId=9999', 404);
    await refused(`/calendars?userId=${user['boss']}`, 403, 'view');
  });
});

test('reports and commands of a group are of the groups inside of it too', async () => {
  const devicesOf = async (...names: string[]) => {
    const query = names.map((name) => `groupId=${group[name]}`).join('&');
    const rows = await get(`/reports/route?${query}&${INTERVAL}`);
    return rows.map(({ deviceId }: Json) => deviceId).sort();
  };
  const both = [device['FLT001'], device['FLT002']].sort();
  expect(await devicesOf('Outer')).toEqual(both);
  expect(await devicesOf('Inner')).toEqual([device['FLT002']]);
  expect(await devicesOf('Other')).toEqual([]);
  expect(await devicesOf('Other', 'Innermost')).toEqual([device['FLT002']]);
  // groups that are inside of each other
  const outer = await get(`/groups/${group['Outer']}`);
  await call('PUT', `/groups/${group['Outer']}`, { ...outer, groupId: group['Innermost'] });
  expect(await devicesOf('Inner')).toEqual(both);
  await call('PUT', `/groups/${group['Outer']}`, outer);
});

test('notifications are those of a user, and of a device where they are not for all', async () => {
  const wanted = { type: 'ignitionOn', always: true, notificators: 'web' };
  const always = await call('POST', '/notifications', { ...wanted, description: 'For all' });
  const rule = { type: 'ignition_off', users: ['boss'], vehicles: ['FLT001'], description: 'For one' };
  expect((await api.send('PUT', '/v1/v1/notifications', { notification_data: rule })).status).toBe(200);
  const [, some] = await get('/notifications');
  expect(await get('/notifications')).toEqual([always, some]);
  expect(some).toMatchObject({ description: 'For one', always: false });
  expect(await get(`/notifications?deviceId=${device['FLT001']}`)).toEqual([some]);
  expect(await get(`/notifications?deviceId=${device['FLT002']}`)).toEqual([]);
  await refused('/notifications?deviceId=9999', 404);
  expect(await get(`/notifications?userId=${user['boss']}`)).toEqual([always, some]);
  expect(await get(`/notifications?userId=${user['view']}`)).toEqual([]);
  await refused(`/notifications?userId=${user['boss']}`, 403, 'view');
  expect(await get('/notifications/notificators')).toContainEqual({ type: 'web' });
  const announcing = await get('/notifications/notificators?announcement=true');
  expect(announcing).not.toContainEqual({ type: 'web' });
  expect(announcing).toContainEqual({ type: 'mail' });
});

test('positions of an interval are those of a device', async () => {
  const query = `deviceId=${device['FLT001']}`;
  expect(await get(`/positions?${query}&${INTERVAL}`)).toHaveLength(1);
  for (const wrong of [INTERVAL, `${query}&from=2026-05-01T00:00:00Z`, `${query}&to=2026-05-01T00:00:00Z`, 'id=x']) {
    await refused(`/positions?${wrong}`, 422);
  }
  const yard = await get('/geofences?limit=1');
  expect(await get(`/positions?geofenceId=${yard[0].id}`)).toEqual([]);
});

test('what is not served is refused before its body is read', async () => {
  const authorization = `Basic ${Buffer.from(`boss:${PASSWORD}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'image/jpeg' };
  const url = `${api.url}/api/devices/${device['FLT001']}/image`;
  const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(16) });
  expect([answer.status, await answer.json()]).toMatchObject([501, { detail: expect.stringContaining('no images') }]);
});
