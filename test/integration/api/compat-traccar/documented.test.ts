import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { positionEvent } from '../../../support/positions.ts';
import { type CommandWorld, openCommands } from '../commands/support.ts';
import { operations, problemsOf } from './document/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Json = any;

const PASSWORD = 'correct horse battery';
const IMEI = '860000000000021';
const authorization = `Basic ${Buffer.from(`boss:${PASSWORD}`).toString('base64')}`;

/** Rows of a table of the documentation, cell by cell. */
function tableOf(heading: string): string[][] {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/traccar.md'), 'utf8');
  const section = page.split(`\n### ${heading}\n`)[1]?.split(/\n##+ /)[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
const quoted = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text!);
/** The reason of an answer of 501; undefined where the operation is served. */
const refusalOf = (answer = ''): string | undefined => /^501: (.+)$/.exec(answer)?.[1];

/** What the documentation says of each operation, and of each of its optional parameters. */
const served = new Map(
  tableOf('Operations').flatMap(([names, answer]) => quoted(names).map((name) => [name, answer!])),
);
const parameters = new Map(
  tableOf('Parameters').flatMap(([names, of, answer]) =>
    quoted(of).flatMap((operation) => quoted(names).map((name) => [`${operation} ${name}`, answer!] as const)),
  ),
);

let world: CommandWorld;
/** records that operations are called with, by path */
const numbers = new Map<string, number>();
let values: Readonly<Record<string, string | number>>;
let bodies: Readonly<Record<string, unknown>>;
let permission: object;

const call = (method: string, path: string, body?: unknown): Promise<Json> =>
  world.api.send(method, `/api${path}`, body, { authorization });

beforeAll(async () => {
  world = await openCommands({ COMPAT_TRACCAR: true });
  const { api } = world;
  const boss = { username: 'boss', role: 'admin', password: PASSWORD, email: 'boss@example.org', allVehicles: true };
  expect((await api.send('POST', '/v1/users', boss)).status).toBe(200);
  const made: Record<string, object> = {
    '/groups': { name: 'North' },
    '/drivers': { name: 'Carla', uniqueId: '1' },
    '/geofences': { name: 'Yard', area: 'CIRCLE (45.4642 9.19, 250)' },
    '/devices': { name: 'DOC001', uniqueId: IMEI },
    '/users': { name: 'Nina', email: 'nina@example.org', password: PASSWORD, readonly: true },
    '/commands': { description: 'Where', type: 'custom', attributes: { data: 'WHERE#' } },
    '/notifications': { type: 'ignitionOn', always: true, notificators: 'web' },
  };
  for (const [path, body] of Object.entries(made)) {
    const { status, body: record } = await call('POST', path, body);
    expect(status, `${path}: ${JSON.stringify(record)}`).toBe(200);
    numbers.set(path, record.id);
    // what is made in the tests has a name of its own
    made[path] = { ...body, ...('uniqueId' in body ? { uniqueId: '860000000000022' } : {}), name: `DOC002${path}` };
  }
  expect((await api.events([positionEvent(IMEI, 1)], 'documented')).body.rejected).toEqual([]);
  const deviceId = numbers.get('/devices')!;
  const [{ id: position }] = (await call('GET', `/positions?deviceId=${deviceId}`)).body;
  numbers.set('/positions', position);
  const event = await world.sql(
    `insert into notification (id, tenant_id, rule_id, user_id, imei, type, priority, title, body, occurred_at)
     select 'ntf_doc', tenant_id, null, id, $1, 'overspeed', 'normal', 'Too fast', '', '2026-05-01T10:00:00Z'
     from app_user where username = 'boss' returning id`,
    [IMEI],
  );
  expect(event).toHaveLength(1);
  const interval = { from: '2026-05-01T00:00:00Z', to: '2026-05-02T00:00:00Z' };
  const events = (await call('GET', `/reports/events?${new URLSearchParams(interval)}`)).body;
  numbers.set('/events', events[0].id);
  const tokenOf = async (): Promise<string> => (await call('POST', '/session/token', {})).body;
  values = {
    ...interval,
    all: 'true',
    userId: numbers.get('/users')!,
    deviceId,
    groupId: numbers.get('/groups')!,
    geofenceId: numbers.get('/geofences')!,
    uniqueId: IMEI,
    refresh: 'true',
    excludeAttributes: 'true',
    limit: 1,
    offset: 1,
    keyword: 'o',
    latitude: 45.46,
    longitude: 9.19,
    textChannel: 'true',
    token: await tokenOf(),
    announcement: 'true',
    daily: 'true',
    type: '%',
    alarm: 'sos',
  };
  permission = { userId: numbers.get('/users')!, deviceId };
  bodies = {
    ...Object.fromEntries(Object.entries(made).map(([path, body]) => [`POST ${path}`, body])),
    'POST /users': { ...made['/users'], email: 'nora@example.org' },
    'POST /commands/send': { deviceId, type: 'custom', attributes: { data: 'WHERE#' } },
    'POST /permissions': permission,
    'DELETE /permissions': permission,
    'POST /permissions/bulk': [permission],
    'DELETE /permissions/bulk': [permission],
    'POST /session': { email: 'boss', password: PASSWORD },
    'POST /session/token/revoke': { token: await tokenOf() },
  };
});
afterAll(() => world?.stop());

/** With a record that exists in place of `{id}`, and with what the operation needs. */
function urlOf(path: string, names: readonly string[], type = 'xlsx'): string {
  const collection = `/${path.split('/')[1]}`;
  const id = numbers.get(collection) ?? 1;
  const textFor = (name: string): string => String(name === 'id' ? id : values[name]);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'type' ? type : String(id)));
  const query = new URLSearchParams(names.map((name): [string, string] => [name, textFor(name)]));
  if (path === '/permissions') for (const [name, value] of Object.entries(permission)) query.set(name, String(value));
  // positions of an interval are those of a device
  if (path === '/positions' && (names.includes('from') || names.includes('to'))) {
    for (const name of ['deviceId', 'from', 'to']) query.set(name, textFor(name));
  }
  return `${filled}?${query}`;
}

async function bodyFor(name: string, url: string): Promise<unknown> {
  if (name.startsWith('GET ')) return undefined;
  // as clients change a record: with all its members
  if (/^PUT \/\w+\/\{id\}$/.test(name)) {
    const { status, body } = await call('GET', url);
    return status === 200 ? body : {};
  }
  return bodies[name] ?? (name.startsWith('DELETE ') ? undefined : {});
}

async function demand(name: string, path: string, url: string, answer = ''): Promise<void> {
  const method = name.split(' ', 1)[0]!;
  const { status, body } = await call(method, url, await bodyFor(name, url));
  const refusal = refusalOf(answer);
  if (refusal !== undefined) {
    expect([status, body.code, body.detail], `${method} ${url}`).toEqual([
      501,
      'not-implemented',
      expect.stringContaining(refusal),
    ]);
    return;
  }
  expect(status, `${method} ${url}: ${JSON.stringify(body)}`).toBeLessThan(300);
  if (!path.includes('{type}')) expect(problemsOf(method, url, status, body)).toEqual([]);
}

type Named = Pick<(typeof operations)[number], 'name' | 'path' | 'required' | 'optional'>;

async function demandParameters({ name, path, required, optional }: Named): Promise<void> {
  if (refusalOf(served.get(name)) !== undefined) return;
  for (const parameter of optional) {
    await demand(name, path, urlOf(path, [...required, parameter]), parameters.get(`${name} ${parameter}`));
  }
}

test('the documentation lists the operations and parameters of the document, and no others', () => {
  expect([...served.keys()].sort()).toEqual(operations.map(({ name }) => name).sort());
  const optional = operations
    .filter(({ name }) => refusalOf(served.get(name)) === undefined)
    .flatMap(({ name, optional: names }) => names.map((parameter) => `${name} ${parameter}`));
  expect([...parameters.keys()].sort()).toEqual(optional.sort());
});

/** what removes records comes last */
const orderOf = ({ method, path }: (typeof operations)[number]): number =>
  ['GET', 'PUT', 'POST', 'DELETE'].indexOf(method) + (path.endsWith('{id}') ? 0.5 : 0);
const inOrder = [...operations].sort((a, b) => orderOf(a) - orderOf(b));

describe('each operation answers as the documentation says', () => {
  test.each(inOrder.filter(({ method }) => method === 'GET'))('$name', async ({ name, path, required, optional }) => {
    await demand(name, path, urlOf(path, required), served.get(name));
    await demandParameters({ name, path, required, optional });
    const byMail = '501: Reports are not sent by mail here';
    if (path.includes('{type}')) await demand(name, path, urlOf(path, required, 'mail'), byMail);
  });
  test.each(inOrder.filter(({ method }) => method !== 'GET'))('$name', async ({ name, path, required, optional }) => {
    await demandParameters({ name, path, required, optional });
    await demand(name, path, urlOf(path, required), served.get(name));
  });
});
