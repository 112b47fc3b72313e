import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, SCOPES } from '../../../src/server/index.ts';
import { type CommandWorld, openCommands } from './commands/support.ts';

let world: CommandWorld;
beforeAll(async () => {
  world = await openCommands();
});
afterAll(() => world?.stop());

const problems = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const answer = await world.api.send(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(422);
  return answer.body.errors;
};

describe('a request is refused', () => {
  const maintenance = {
    notification_data: { type: 'maintenance', params: { dueAt: 1_777_622_400 }, users: ['admin'] },
  };
  const command = { imei: 'X-1', gprsCommand: 'getinfo' };
  test.each([
    ['POST', '/v1/vehicles', { targa: 'A1', colour: 'red' }, '/colour', 'unknown member'],
    ['POST', '/v1/gprsCommands/', { ...command, conditions: { speed: 1 } }, '/conditions/speed', 'unknown member'],
    ['POST', '/v1/gprsCommands/?waits=1', command, '/waits', 'unknown query parameter'],
    ['GET', '/v1/groups?limits=1', undefined, '/limits', 'unknown query parameter'],
    ['GET', '/v1/app/version?x=1', undefined, '/x', 'unknown query parameter'],
    ['GET', '/v1/groups?limit=many', undefined, '/limit', 'not a number'],
    ['POST', '/v1/vehicles', {}, '/targa', 'required'],
    ['GET', '/v1/vehicles/routesV2?from=2026-05-01&to=2026-05-01', undefined, '/targa', 'required'],
    [
      ...(['POST', '/v1/pairings', { targa: 'A1', imei: 'X-1', from: 1_777_622_400 }, '/from'] as const),
      'before 1990: expected Unix milliseconds, not seconds',
    ],
    ['GET', '/v1/audit?from=1777622400', undefined, '/from', 'before 1990: expected Unix milliseconds, not seconds'],
    ['GET', '/v1/audit?to=1989-12-30', undefined, '/to', 'before 1990'],
    [
      ...(['PUT', '/v1/v1/notifications', maintenance, '/notification_data/params/dueAt'] as const),
      'before 1990: expected Unix milliseconds, not seconds',
    ],
  ])('%s %s %j', async (method, path, body, pointer, detail) => {
    expect(await problems(method, path, body)).toContainEqual({ pointer, detail });
  });
});

test('every operation refuses unknown members and query parameters', async () => {
  const { paths } = (await world.api.get('/openapi.json')).body;
  const open: string[] = [];
  const walk = (schema: unknown, name: string): void => {
    if (schema === null || typeof schema !== 'object') return;
    const { type, properties, additionalProperties } = schema as Record<string, unknown>;
    if (type === 'object' && properties !== undefined && additionalProperties === undefined) open.push(name);
    for (const [key, part] of Object.entries(schema)) walk(part, `${name}/${key}`);
  };
  for (const [path, operations] of Object.entries<Record<string, never>>(paths)) {
    if (path.startsWith('/v1/internal/') || path === '/v1/positions') continue;
    for (const [method, operation] of Object.entries<Record<string, never>>(operations)) {
      const { requestBody } = operation as { requestBody?: { content: Record<string, { schema: unknown }> } };
      walk(requestBody?.content['application/json']?.schema, `${method} ${path}`);
    }
  }
  expect(open).toEqual([]);
});

test('a date is a day of the zone of the user at both ends', async () => {
  const { api } = world;
  await api.database.ingest.query(`update tenant set timezone = 'Europe/Rome'`);
  await api.send('POST', '/v1/vehicles', { targa: 'DAY1' });
  const { body } = await api.send('POST', '/v1/drivers', { name: 'Day' });
  const pairing = { targa: 'DAY1', driverId: body.id, from: '2026-05-01', to: '2026-05-02' };
  const made = await api.send('POST', '/v1/pairings', pairing);
  expect(made.body).toMatchObject({ from: '2026-04-30T22:00:00Z', to: '2026-05-02T21:59:59.999Z' });
  const found = await api.get('/v1/pairings?targa=DAY1&to=2026-04-30');
  expect(found.body.items).toEqual([]);
});

test('a beginning before 1990 in a path is refused with a hint', async () => {
  await world.api.send('POST', '/v1/users', { username: 'dora', role: 'viewer', password: 'seven grey herons' });
  for (const [path, code] of [
    ['/v1/notifications/history/dora/1777622400', 'bad-from'],
    ['/v1/notifications/dora/1777622400', 'bad-date'],
    ['/v1/notifications/history/dora/2026-05-01?to=1777622400', 'invalid'],
  ]) {
    const { status, body } = await world.api.get(path!);
    expect({ status, code: body.code }).toEqual({ status: 422, code });
    expect(JSON.stringify(body)).toContain('before 1990: expected Unix milliseconds, not seconds');
  }
});

test('a date in a body, and in the history of notifications, is a day of its zone at both ends', async () => {
  const { api } = world;
  await api.database.ingest.query(`update tenant set timezone = 'Europe/Rome'`);
  await api.send('POST', '/v1/vehicles', { targa: 'DAY2' });
  const day = { vehicles: ['DAY2'], from: '2026-05-01', to: '2026-05-01' };
  const history = async (user: string) =>
    (await api.get(`/v1/notifications/history/${user}/2026-05-01?to=2026-05-01`)).body;
  await api.send('POST', '/v1/users', {
    username: 'zoe',
    role: 'viewer',
    password: 'seven grey herons',
    timezone: 'Asia/Tokyo',
  });
  expect(await history('zoe')).toMatchObject({ from: '2026-04-30T15:00:00Z', to: '2026-05-01T14:59:59.999Z' });
  await api.send('POST', '/v1/positions', {
    positions: [at('2026-04-30T21:59:00Z', 9.1), at('2026-04-30T22:01:00Z', 9.2), at('2026-05-01T21:59:00Z', 9.3)],
  });
  await api.send('POST', '/v1/pairings', { targa: 'DAY2', imei: 'DAY-2', from: '2026-04-01' });
  const { body } = await api.send('PUT', '/v1/vehicles/percorso', { targa: 'DAY2', from: day.from, to: day.to });
  expect(body.points.map(({ fixTime }: { fixTime: string }) => fixTime)).toEqual([
    '2026-04-30T22:01:00Z',
    '2026-05-01T21:59:00Z',
  ]);
  const grouped = { ...day, groupBy: 'day', tz: 'UTC' };
  expect((await api.send('POST', '/v1/routesGrouped', grouped)).status).toBe(200);
});

test('/ leads a browser to the console and a client to the documentation', async () => {
  const at = async (accept: string) => {
    const answer = await fetch(`${world.api.url}/`, { redirect: 'manual', headers: { accept } });
    return [answer.status, answer.headers.get('location')];
  };
  expect(await at('*/*')).toEqual([302, '/docs']);
  expect(await at('application/json')).toEqual([302, '/docs']);
  // this server has no console
  expect(await at('text/html,application/xhtml+xml')).toEqual([302, '/docs']);
});

const at = (fixTime: string, longitude: number) => ({
  imei: 'DAY-2',
  fixTime,
  valid: true,
  latitude: 45.4,
  longitude,
  speed: 50,
  attributes: { ignition: true },
});

describe('an Idempotency-Key', () => {
  test('creates one driver for two requests', async () => {
    const headers = { 'idempotency-key': 'driver-1' };
    const make = () => world.api.send('POST', '/v1/drivers', { name: 'Once' }, headers);
    const [first, second] = [await make(), await make()];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const { items } = (await world.api.get('/v1/drivers')).body;
    expect(items.filter(({ name }: { name: string }) => name === 'Once')).toHaveLength(1);
  });

  test('of another caller belongs to another request', async () => {
    const tenantId = await world.api.database.tenantId('default');
    const { key } = await createKey(world.api.database.ingest, { tenantId, name: 'other', scopes: SCOPES });
    const headers = { 'idempotency-key': 'group-1' };
    expect((await world.api.send('POST', '/v1/groups', { name: 'Mine' }, headers)).status).toBe(200);
    const other = { ...headers, authorization: `Bearer ${key}` };
    const { body } = await world.api.send('POST', '/v1/groups', { name: 'Mine' }, other);
    expect(body.code).toBe('idempotency-key-reused');
  });

  test('is refused where it cannot be honored', async () => {
    const headers = { 'idempotency-key': 'refused-1' };
    for (const [path, body] of [
      ['/v1/keys', { name: 'k', scopes: ['vehicles:read'] }],
      ['/v1/positions', { positions: [] }],
      ['/v1/auth/credentials', { username: 'a', password: 'b' }],
    ] as const) {
      const answer = await world.api.send('POST', path, body, headers);
      expect(answer.body, path).toMatchObject({ status: 400, code: 'idempotency-key-unsupported' });
    }
  });
});
