import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type RunningApi, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { positionEvent } from '../../../support/positions.ts';
import { pythonWith } from '../../../support/programs.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Json = any;

const OWN = '100000000000001';
const FOREIGN = '200000000000002';
const BARE = '300000000000003';
const PASSWORD = 'correct horse battery';
const python = pythonWith('pytraccar');

let api: RunningApi;
const basic = (name: string, password = PASSWORD): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});
const get = async (path: string, headers = basic('boss')): Promise<Json> =>
  (await api.get(`/api${path}`, headers)).body;

beforeAll(async () => {
  api = await withDatabase((url) => startApi(url, { COMPAT_TRACCAR: true }));
  await api.events([1, 2, 3].map((n) => positionEvent(OWN, n, { speed: 92.6 })));
  await api.events([positionEvent(FOREIGN, 1)], 'spool-2');
  await api.events([positionEvent(BARE, 1)], 'spool-3');
  for (const [targa, imei] of [
    ['OWN001', OWN],
    ['FRN002', FOREIGN],
  ]) {
    await api.send('POST', '/v1/vehicles', { targa, model: 'Ducato' });
    await api.send('POST', '/v1/pairings', { targa, imei, from: '2026-05-01T06:00:00Z' });
  }
  await api.send('POST', '/v1/users', {
    username: 'boss',
    role: 'admin',
    password: PASSWORD,
    email: 'boss@example.org',
  });
  await api.send('POST', '/v1/users', { username: 'view', role: 'viewer', password: PASSWORD, targhe: ['OWN001'] });
  await api.send('POST', '/v1/tenants', {
    name: 'acme',
    title: 'Acme',
    timezone: 'UTC',
    admin: { username: 'boss', password: PASSWORD, email: 'boss@acme.example' },
  });
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

test('without the setting there is no /api', async () => {
  const plain = await withDatabase((url) => startApi(url));
  try {
    expect((await plain.get('/api/server', {})).status).toBe(404);
  } finally {
    await plain.stop();
  }
});

test('the routes are not part of the API document', async () => {
  const { paths } = (await api.get('/openapi.json')).body;
  expect(Object.keys(paths).filter((path) => path.startsWith('/api'))).toEqual([]);
});

test('every route but those of the log-in needs a caller', async () => {
  for (const path of ['/devices', '/devices/1', '/positions']) {
    const answer = await api.get(`/api${path}`, { authorization: '' });
    expect([answer.status, answer.headers.get('www-authenticate')], path).toEqual([401, 'Basic realm="api"']);
  }
  expect((await api.get('/api/server', { authorization: '' })).status).toBe(200);
});

test('operations without a counterpart answer that they are not implemented', async () => {
  const answer = await api.get('/api/share/group', basic('boss'));
  expect(answer).toMatchObject({
    status: 501,
    body: { code: 'not-implemented', detail: expect.stringContaining('share/group') },
  });
  expect((await api.get('/api/share/group', { authorization: '' })).status).toBe(401);
});

describe('a session', () => {
  const form = (fields: Record<string, string>) =>
    fetch(`${api.url}/api/session`, { method: 'POST', body: new URLSearchParams(fields) });
  const logIn = async (): Promise<string> => {
    const answer = await form({ email: 'boss@example.org', password: PASSWORD });
    expect(answer.status).toBe(200);
    return answer.headers.get('set-cookie')!.split(';', 1)[0]!;
  };

  test('begins with a form, is kept by a cookie, and ends', async () => {
    const cookie = await logIn();
    const held = { authorization: '', cookie };
    expect((await api.get('/api/session', held)).body).toMatchObject({
      email: 'boss@example.org',
      administrator: true,
    });
    expect((await api.get('/api/devices', held)).body).toHaveLength(3);
    expect((await api.send('DELETE', '/api/session', undefined, held)).status).toBe(204);
    expect((await api.get('/api/session', held)).status).toBe(404);
    expect((await api.get('/api/devices', held)).status).toBe(401);
  });

  test('does not begin with a wrong password', async () => {
    expect((await form({ email: 'boss', password: 'wrong' })).status).toBe(401);
    expect((await api.get('/api/devices', basic('boss', 'wrong'))).status).toBe(401);
  });

  test('ends where the user is disabled, whatever holds it', async () => {
    await api.send('POST', '/v1/users', { username: 'leaver', role: 'viewer', password: PASSWORD, allVehicles: true });
    const answer = await form({ email: 'leaver', password: PASSWORD });
    const held = { authorization: '', cookie: answer.headers.get('set-cookie')!.split(';', 1)[0]! };
    const token = (await api.send('POST', '/api/session/token', undefined, held)).body;
    expect((await api.get('/api/devices', { authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await api.get('/api/devices', basic('leaver'))).status).toBe(200);
    await api.send('PATCH', '/v1/users/leaver', { active: false });
    const bearer = { authorization: `Bearer ${token}` };
    for (const headers of [held, bearer, basic('leaver')]) {
      await expect.poll(async () => (await api.get('/api/devices', headers)).status).toBe(401);
    }
  });

  test('token logs in, also in a query, until it is revoked', async () => {
    const cookie = await logIn();
    const held = { authorization: '', cookie };
    const token = (await api.send('POST', '/api/session/token', undefined, held)).body as string;
    const bearer = { authorization: `Bearer ${token}` };
    expect((await api.get('/api/devices', bearer)).body).toHaveLength(3);
    const byQuery = await fetch(`${api.url}/api/session?token=${token}`);
    expect([byQuery.status, byQuery.headers.get('set-cookie')]).toEqual([200, expect.stringContaining('JSESSIONID=')]);
    const revoked = await fetch(`${api.url}/api/session/token/revoke`, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({ token }),
    });
    expect(revoked.status).toBe(204);
    expect((await api.get('/api/devices', bearer)).status).toBe(401);
    // the session that made it goes on
    expect((await api.get('/api/devices', held)).status).toBe(200);
  });

  test('token belongs to the session that made it: revoking it leaves the session, the end of the session ends it', async () => {
    const { accessToken, refreshToken } = (
      await api.send('POST', '/v1/auth/credentials', { username: 'boss', password: PASSWORD }, { authorization: '' })
    ).body;
    const own = { authorization: `Bearer ${accessToken}` };
    const token = async () => (await api.send('POST', '/api/session/token', undefined, own)).body as string;
    const statusOf = async (secret: string) =>
      (await api.get('/api/devices', { authorization: `Bearer ${secret}` })).status;
    const [first, second] = [await token(), await token()];
    const byQuery = await fetch(`${api.url}/api/session?token=${first}`);
    const cookie = byQuery.headers.get('set-cookie')!.split(';', 1)[0]!;
    await api.send('DELETE', '/api/session', undefined, { authorization: '', cookie });
    expect(await statusOf(first)).toBe(200);
    await api.send('POST', '/api/session/token/revoke', { token: first }, own);
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
    await api.send('POST', '/v1/auth/revoke', { refreshToken }, own);
    expect(await statusOf(second)).toBe(401);
  });

  test.each([
    ['a form', { 'sec-fetch-site': 'cross-site' }],
    ['a form of an old browser', { origin: 'https://elsewhere.example' }],
  ])('does not begin by %s on a page of another site', async (_what, headers) => {
    const body = new URLSearchParams({ email: 'boss', password: PASSWORD });
    const posted = await fetch(`${api.url}/api/session`, { method: 'POST', headers, body });
    expect([posted.status, posted.headers.get('set-cookie')]).toEqual([401, null]);
    const token = (
      await api.send('POST', '/api/session/token', undefined, { authorization: '', cookie: await logIn() })
    ).body as string;
    const linked = await fetch(`${api.url}/api/session?token=${token}`, { headers });
    expect([linked.status, linked.headers.get('set-cookie')]).toEqual([401, null]);
  });

  test('cookie changes nothing for a page of another site', async () => {
    const held = { authorization: '', cookie: await logIn(), origin: 'https://elsewhere.example' };
    expect((await api.send('POST', '/api/session/token', undefined, held)).status).toBe(401);
  });
});

describe('devices', () => {
  test('have a number that stays, and what is known of them', async () => {
    const devices = await get('/devices');
    expect(devices).toHaveLength(3);
    const device = devices.find(({ uniqueId }: Json) => uniqueId === OWN);
    expect(device).toMatchObject({ name: 'OWN001', model: 'Ducato', disabled: false, groupId: 0 });
    expect((await get('/devices')).map(({ id }: Json) => id)).toEqual(devices.map(({ id }: Json) => id));
    expect(await get(`/devices?uniqueId=${OWN}`)).toEqual([device]);
    expect(await get(`/devices/${device.id}`)).toEqual(device);
    expect((await api.get('/api/devices/999', basic('boss'))).status).toBe(404);
    expect(await get('/devices?uniqueId=none&id=999')).toEqual([]);
  });

  test('of other vehicles are hidden from a user who is given some', async () => {
    const all = await get('/devices');
    const foreign = all.find(({ uniqueId }: Json) => uniqueId === FOREIGN);
    const view = basic('view');
    expect((await get('/devices', view)).map(({ uniqueId }: Json) => uniqueId)).toEqual([OWN]);
    expect((await get('/positions', view)).map(({ deviceId }: Json) => deviceId)).not.toContain(foreign.id);
    const interval = 'from=2026-05-01T00:00:00Z&to=2026-05-02T00:00:00Z';
    for (const path of [
      `/devices/${foreign.id}`,
      `/positions?deviceId=${foreign.id}`,
      `/positions?id=${foreign.positionId}`,
    ]) {
      expect((await api.get(`/api${path}`, view)).status, path).toBe(404);
    }
    // asked for by name, it is missing in the list
    expect(await get(`/devices?uniqueId=${FOREIGN}&uniqueId=${OWN}`, view)).toMatchObject([{ uniqueId: OWN }]);
    expect(await get(`/devices?id=${foreign.id}`, view)).toEqual([]);
    const positions = await api.get(`/api/positions?deviceId=${foreign.id}&${interval}`, view);
    expect(positions.status === 404 || positions.body.length === 0).toBe(true);
  });

  test('of other tenants are hidden', async () => {
    expect(await get('/devices', basic('acme/boss'))).toEqual([]);
    const [device] = await get('/devices');
    expect((await api.get(`/api/devices/${device.id}`, basic('acme/boss'))).status).toBe(404);
  });
});

describe('positions', () => {
  test('have speeds in knots, and are found by interval and by number', async () => {
    const [device] = await get(`/devices?uniqueId=${OWN}`);
    const interval = 'from=2026-05-01T08:00:00Z&to=2026-05-01T09:00:00Z';
    const positions = await get(`/positions?deviceId=${device.id}&${interval}`);
    expect(positions.map(({ fixTime }: Json) => fixTime)).toEqual(
      [1, 2, 3].map((second) => `2026-05-01T08:00:0${second}Z`),
    );
    expect(positions[2]).toMatchObject({ id: device.positionId, speed: 50, attributes: { ignition: true, sat: 11 } });
    expect(await get(`/positions?id=${positions[0].id}`)).toEqual([positions[0]]);
    expect(await get(`/positions?deviceId=${device.id}`)).toEqual([positions[2]]);
  });
});

describe('the socket', () => {
  const connect = (path: string, headers: Record<string, string> = {}): WebSocket =>
    new WebSocket(`${api.url.replace('http', 'ws')}${path}`, { headers });
  const statusOf = (socket: WebSocket): Promise<number> =>
    new Promise((resolve) => {
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode!));
      socket.on('error', () => {});
    });
  const tokenOf = async (name: string): Promise<string> =>
    (await api.send('POST', '/api/session/token', undefined, basic(name))).body;

  test('is closed to those who have no session, and to pages of other sites', async () => {
    expect(await statusOf(connect('/api/socket'))).toBe(401);
    const authorization = `Bearer ${await tokenOf('boss')}`;
    expect(await statusOf(connect('/api/socket', { authorization, origin: 'https://elsewhere.example' }))).toBe(403);
    expect(await statusOf(connect('/elsewhere', { authorization }))).toBe(404);
  });

  test('sends the newest positions, then those of the vehicles of the user as they come', async () => {
    const socket = connect(`/api/socket?token=${await tokenOf('view')}`);
    const messages: Json[] = [];
    socket.on('message', (text) => messages.push(JSON.parse(String(text))));
    await expect.poll(() => messages).toHaveLength(1);
    const [own] = await get(`/devices?uniqueId=${OWN}`);
    expect(messages[0].positions).toMatchObject([{ deviceId: own.id, id: own.positionId }]);
    await api.events([positionEvent(FOREIGN, 9)], 'spool-4');
    await api.events([positionEvent(OWN, 10)], 'spool-5');
    await expect.poll(() => messages.length).toBeGreaterThan(1);
    const [after] = await get(`/devices?uniqueId=${OWN}`);
    expect(messages.slice(1).flatMap(({ positions = [] }) => positions.map(({ deviceId }: Json) => deviceId))).toEqual([
      own.id,
    ]);
    expect(messages[1]).toMatchObject({
      positions: [{ id: after.positionId }],
      devices: [{ id: own.id, positionId: after.positionId }],
    });
    socket.terminate();
  });
});

test.skipIf(python === undefined)('pytraccar reads the server, devices and positions, and subscribes', async () => {
  const { port } = new URL(api.url);
  const client = spawn(python!, [join(import.meta.dirname, 'client.py'), '127.0.0.1', port, 'boss', PASSWORD]);
  let errors = '';
  client.stderr.on('data', (text) => {
    errors += text;
  });
  const lines: Json[] = [];
  createInterface({ input: client.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
  const left = new Promise((resolve) => client.on('close', resolve));
  await expect.poll(() => lines.length, { timeout: 60_000, message: errors }).toBe(2);
  expect(lines[0].devices.map(({ uniqueId }: Json) => uniqueId).sort()).toEqual([OWN, FOREIGN, BARE]);
  expect(lines[0].positions).toHaveLength(3);
  expect(lines[1].positions).toHaveLength(3);
  await api.events([positionEvent(BARE, 20)], 'spool-6');
  await left;
  expect(errors).toBe('');
  expect(lines[2]).toMatchObject({ positions: [{ deviceId: expect.any(Number) }], devices: [{ uniqueId: BARE }] });
});
