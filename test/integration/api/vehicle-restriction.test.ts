import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDispatch } from '../../../src/apps/dispatch.ts';
import { openDatabase } from '../../../src/server/database/index.ts';
import { type Answer, hasRowsOnly, silent, startApi } from '../../support/api.ts';
import { positionEvent } from '../../support/positions.ts';
import { testSettings } from '../../support/settings.ts';
import { type CommandWorld, openCommands } from './commands/support.ts';
import { INSERT_UNIT_FILE } from './tachograph/stored-file.ts';

// biome-ignore lint/suspicious/noExplicitAny: the API document and answers are looked into freely
type Json = any;

const OWN = { targa: 'OWN001', imei: '100000000000001' };
const FOREIGN = { targa: 'FRN002', imei: '200000000000002', vin: 'ZFA25000009999999', name: 'hidden device' };
const PASSWORD = 'correct horse battery';
const INTERVAL = { from: '2026-05-01T00:00:00Z', to: '2026-05-02T00:00:00Z' };

let world: CommandWorld;
let operations: readonly { method: string; path: string; operation: Json }[];
let foreign: Record<string, string>;
let restricted: { authorization: string };
let everything: { authorization: string };

const create = async (path: string, body: object): Promise<Json> => {
  const answer = await world.api.send('POST', path, body);
  if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

const login = async (username: string): Promise<{ authorization: string }> => {
  const body = { username, password: PASSWORD };
  const answer = await world.api.send('POST', '/v1/auth/credentials', body, { authorization: '' });
  return { authorization: `Bearer ${answer.body.accessToken}` };
};

async function createVehicle({ targa, imei }: typeof OWN, more: object = {}): Promise<Record<string, string>> {
  const vehicle = await create('/v1/vehicles', { targa, ...more });
  const driver = await create('/v1/drivers', { name: 'Anna Neri' });
  const from = '2026-05-01T06:00:00Z';
  const pairing = await create('/v1/pairings', { targa, imei, from });
  await create('/v1/pairings', { targa, driverId: driver.id, from });
  return { vehicleId: vehicle.id, driverId: driver.id, pairingId: pairing.id };
}

beforeAll(async () => {
  world = await openCommands({ autoRegister: true });
  const { api, sql } = world;
  await api.events([1, 2, 3, 4].map((n) => positionEvent(OWN.imei, n)));
  await api.events(
    [1, 2, 3, 4].map((n) => positionEvent(FOREIGN.imei, n, { latitude: 33.3333 + n, longitude: 44.4444 })),
    'spool-2',
  );
  await api.send('PATCH', `/v1/devices/${FOREIGN.imei}`, { name: FOREIGN.name });
  await createVehicle(OWN);
  const ids = await createVehicle(FOREIGN, { vin: FOREIGN.vin });
  const command = await create('/v1/gprsCommands/', { imei: FOREIGN.imei, gprsCommand: 'hidden-text' });
  foreign = { ...ids, ...FOREIGN, commandId: command.commandId, fileId: 'ddd_foreign', infringementId: 'inf_foreign' };
  await sql(INSERT_UNIT_FILE, ['ddd_foreign', 'hidden.ddd', FOREIGN.targa]);
  await sql(
    `insert into infringement (id, tenant_id, driver_id, rule, article, severity, began, ended, measured, allowed, content)
     select 'inf_foreign', tenant_id, id, 'D1', 'hidden article', 'SI', '2026-05-01', '2026-05-01', 1, 1, '{}'
     from driver where id = $1`,
    [foreign['driverId']],
  );
  const users = { role: 'admin', password: PASSWORD };
  await create('/v1/users', { ...users, username: 'restricted', targhe: [OWN.targa] });
  await create('/v1/users', { ...users, username: 'everything' });
  await sql(
    `insert into notification (id, tenant_id, user_id, rule_id, type, priority, title, body, targa, imei, device_id, vehicle_id,
       occurred_at)
     select 'ntf_' || u.username, v.tenant_id, u.id, 'nrl_none', 'sos', 'high', 'hidden title', 'hidden body', v.targa, d.imei,
       d.id, v.id, '2026-05-01T08:00:00Z'
     from vehicle v join device d on d.imei = $2 join app_user u on u.username in ('restricted', 'everything')
     where v.targa = $1`,
    [FOREIGN.targa, FOREIGN.imei],
  );
  restricted = await login('restricted');
  everything = await login('everything');
  const document = (await api.get('/openapi.json')).body;
  operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
});
afterAll(() => world?.stop());

/** The id of the other user's data that a parameter or member of this name takes. */
function foreignValue(name: string, path: string): string | undefined {
  if (/^imeis?$|^deviceId$/i.test(name)) return foreign['imei'];
  if (/^(targ|plate|vehicles?$)/i.test(name)) return foreign['targa'];
  if (/^driver(_id|Id|s)$/.test(name)) return foreign['driverId'];
  if (/^fileIds?$/.test(name)) return foreign['fileId'];
  if (/^commandIds?$/.test(name)) return foreign['commandId'];
  if (name === 'target') return path.endsWith('/reset') ? foreign['imei'] : undefined;
  if (name === 'user_id') return 'me';
  if (name === 'from') return INTERVAL.from;
  if (name === 'to') return INTERVAL.to;
  if (name !== 'id') return undefined;
  if (path.includes('/pairings/')) return foreign['pairingId'];
  if (path.includes('/drivers/ddd/files/')) return foreign['fileId'];
  if (path.includes('/infringements/')) return foreign['infringementId'];
  if (path.includes('/drivers/')) return foreign['driverId'];
  if (path.includes('/alert/')) return 'ntf_restricted';
  return 'me';
}

function aimed(value: Json, path: string): Json {
  if (Array.isArray(value)) return value.map((each) => aimed(each, path));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries<Json>(value).map(([name, member]) => {
      const aim = foreignValue(name, path);
      const isList = Array.isArray(member) && typeof member[0] === 'string';
      if (aim === undefined || (typeof member === 'object' && !isList)) return [name, aimed(member, path)];
      return [name, isList ? [aim] : aim];
    }),
  );
}

function requestOf({ method, path, operation }: { method: string; path: string; operation: Json }) {
  const parameters = (operation.parameters ?? []) as Json[];
  const argumentOf = ({ name, example, schema }: Json) =>
    foreignValue(name, path) ??
    (name === 'version' ? 'v1' : (example ?? schema?.example ?? schema?.enum?.[0] ?? 'none'));
  let url = path;
  for (const parameter of parameters.filter((each) => each.in === 'path')) {
    url = url.replace(`{${parameter.name}}`, encodeURIComponent(argumentOf(parameter)));
  }
  const query = parameters
    .filter(
      ({ in: where, name, required }) => where === 'query' && (required || foreignValue(name, path) !== undefined),
    )
    .map((parameter) => `${parameter.name}=${encodeURIComponent(argumentOf(parameter))}`);
  const content = operation.requestBody?.content?.['application/json'];
  const example = content?.example ?? Object.values<Json>(content?.examples ?? {})[0]?.value;
  const bodies = example === undefined ? [undefined] : [aimed(example, path), onlyOneTarget(aimed(example, path))];
  const urls = query.length === 0 ? [url] : [url, `${url}?${query.join('&')}`];
  return { method, urls, bodies };
}

/** Many operations take one of several names: with all of them they refuse the request as such. */
function onlyOneTarget(body: Json): Json {
  const {
    group: _g,
    driverId: _d,
    drivers: _s,
    type: _t,
    attributes: _a,
    callbackUrl: _c,
    matched: _m,
    ...rest
  } = body;
  return rest;
}

/** Rows of the foreign vehicle, its device and driver in every table that names them. */
async function foreignRows(): Promise<Json> {
  const columns = await world.sql(
    `select c.table_name as "table", c.column_name as "column" from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'fleetgate' and c.column_name in ('vehicle_id', 'device_id', 'driver_id', 'plate')
       and t.table_type = 'BASE TABLE' and c.table_name not like 'position_2%' and c.table_name not like 'timeline_2%'
       -- what the server counts by itself from reports; corrections of a person are vehicle_counter_entry
       and c.table_name not in ('vehicle_counter', 'vehicle_counter_day', 'geofence_presence')
     order by 1, 2`,
  );
  const [device] = await world.sql('select id from device where imei = $1', [foreign['imei']]);
  const named: Json = {
    vehicle_id: foreign['vehicleId'],
    device_id: String(device!['id']),
    driver_id: foreign['driverId'],
    plate: foreign['targa'],
  };
  const rows: Json = {};
  for (const { table, column } of columns as { table: string; column: string }[]) {
    const found = await world.sql(`select to_jsonb(t) as row from ${table} t where ${column}::text = $1 order by 1`, [
      named[column],
    ]);
    rows[`${table}.${column}`] = found.map(({ row }) => row);
  }
  for (const [table, id] of [
    ['vehicle', named.vehicle_id],
    ['device', named.device_id],
    ['driver', named.driver_id],
  ]) {
    rows[table] = await world.sql(`select to_jsonb(t) as row from ${table} t where id::text = $1`, [id]);
  }
  return rows;
}

const HIDDEN = () => [
  foreign['vehicleId']!,
  foreign['pairingId']!,
  foreign['targa']!,
  foreign['imei']!,
  foreign['commandId']!,
  FOREIGN.vin,
  FOREIGN.name,
  '33.3333',
  '34.3333',
  '44.4444',
  'hidden',
  'hidden.ddd',
];

/** Ends the session, or changes the account, of whoever asks. */
const OF_THE_CALLER = /\/auth\/|\/app\/auth|recovery_mode|\/users\/me\/|\/internal\/|\/events$/;

interface Driven {
  readonly leaks: string[];
  readonly failures: string[];
  /** by request: was it refused? */
  readonly refused: Map<string, boolean>;
  readonly calls: number;
}

const REFUSALS = new Set([401, 403, 404]);
const isRefused = ({ status, body }: Answer): boolean =>
  REFUSALS.has(status) || String(body?.code).startsWith('unknown-');

async function driveAll(as: { authorization: string }, on = world.api): Promise<Driven> {
  const refused = new Map<string, boolean>();
  const leaks: string[] = [];
  const failures: string[] = [];
  let calls = 0;
  for (const each of operations.filter(({ path }) => !OF_THE_CALLER.test(path))) {
    const { method, urls, bodies } = requestOf(each);
    for (const url of urls) {
      for (const body of bodies) {
        const answer = await on.send(method, url, body, as);
        refused.set(`${method} ${url} ${JSON.stringify(body)}`, isRefused(answer));
        calls++;
        const asked = `${decodeURIComponent(url)} ${JSON.stringify(body)}`;
        const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
        const shown = HIDDEN().filter((word) => text.includes(word) && !asked.includes(word));
        if (answer.status < 300 && shown.length > 0) leaks.push(`${method} ${url}: ${shown.join(' ')}`);
        if (answer.status >= 500) failures.push(`${method} ${url}: ${answer.status} ${text}`);
      }
    }
  }
  return { leaks, failures, refused, calls };
}

test('many operations show vehicles to a user of all vehicles, so that the next test is meaningful', async () => {
  const reading = operations;
  operations = reading.filter(({ method }) => method === 'GET' || method === 'PUT');
  const { leaks } = await driveAll(everything);
  operations = reading;
  expect(leaks.length).toBeGreaterThan(15);
});

test('no operation of the API document shows or changes a vehicle that the user has no access to', async () => {
  // the test before has made schedules of foreign vehicles: their first round must not happen between the two readings
  await world.api.api.downloadRemotely();
  const before = await foreignRows();
  const { leaks, failures, calls } = await driveAll(restricted);
  expect(calls).toBeGreaterThan(operations.length);
  expect({ leaks, failures }).toEqual({ leaks: [], failures: [] });
  expect(await foreignRows()).toEqual(before);
});

// a second API does not find the files of the first one, where positions are files
test.skipIf(!hasRowsOnly())('operations refuse the same with warm caches as with cold ones', async () => {
  const database = await openDatabase({ url: world.databaseUrl, log: silent });
  const { engine, ...parts } = await startDispatch(database, silent, testSettings());
  const cold = await startApi(world.databaseUrl, {}, parts);
  try {
    // the first calls of this process are those of the restricted user
    const before = await driveAll(restricted, cold);
    for (const command of [{ gprsCommand: 'getver' }, { type: 'positionSingle' }]) {
      await cold.send('POST', '/v1/gprsCommands/', { imei: FOREIGN.imei, ...command }, everything);
    }
    const reading = operations;
    operations = reading.filter(({ method }) => method === 'GET' || method === 'PUT');
    await driveAll(everything, cold);
    operations = reading;
    const after = await driveAll(restricted, cold);
    expect({ leaks: after.leaks, failures: after.failures }).toEqual({ leaks: [], failures: [] });
    const changed = [...before.refused].filter(([request, was]) => was && after.refused.get(request) === false);
    expect(changed.map(([request]) => request)).toEqual([]);
  } finally {
    await cold.stop();
    await engine.stop();
    await database.close();
  }
});

test('records of a vehicle without access are not found by name', async () => {
  for (const path of [
    `/v1/vehicles/${FOREIGN.targa}`,
    `/v1/vehicles/imei/${FOREIGN.imei}`,
    `/v1/vehicles/${FOREIGN.imei}/position`,
    `/v1/devices/${FOREIGN.imei}`,
    `/v1/devices/${FOREIGN.imei}/positions`,
    `/v1/devices/${FOREIGN.imei}/timeline`,
    `/v1/gprsCommands/${foreign['commandId']}`,
    `/v1/gprsCommands/pending/${FOREIGN.imei}`,
    `/v1/drivers/ddd/files/${foreign['fileId']}`,
  ]) {
    expect((await world.api.get(path, everything)).status, path).toBe(200);
    expect((await world.api.get(path, restricted)).status, path).toBe(404);
  }
  const command = { imei: FOREIGN.imei, gprsCommand: 'getinfo' };
  expect((await world.enqueue(command, restricted)).body).toMatchObject({ status: 404, code: 'unknown-device' });
  expect((await world.enqueue({ ...command, imei: OWN.imei }, restricted)).status).toBeLessThan(300);
});

test('the vehicles of the user are unchanged', async () => {
  const { get } = world.api;
  expect((await get(`/v1/devices/${OWN.imei}/positions`, restricted)).body.items).toHaveLength(4);
  expect((await get(`/v1/vehicles/${OWN.targa}`, restricted)).status).toBe(200);
  expect((await get(`/v1/vehicles/${OWN.imei}/position`, restricted)).body).toMatchObject({ targa: OWN.targa });
  expect((await get('/v1/vehicles', restricted)).body.items).toMatchObject([{ targa: OWN.targa }]);
  expect((await get('/v1/devices', restricted)).body.items).toMatchObject([{ imei: OWN.imei }]);
});

test('a device that is moved to another vehicle brings its current position, and its past positions stay with the previous vehicle', async () => {
  const targa = 'OWN003';
  const imei = '300000000000003';
  await world.api.events(
    [1, 2, 3].map((n) => positionEvent(imei, n)),
    'spool-3',
  );
  await create('/v1/vehicles', { targa });
  await create('/v1/users', { username: 'mover', role: 'admin', password: PASSWORD, targhe: [targa] });
  await create('/v1/pairings', { targa, imei, from: '2026-05-01T07:00:00Z', to: '2026-05-01T08:00:02.500Z' });
  await create('/v1/pairings', { targa: FOREIGN.targa, imei, from: '2026-05-01T08:00:02.500Z' }).catch(() => {});
  const mover = await login('mover');
  const interval = `from=${INTERVAL.from}&to=${INTERVAL.to}`;
  const { body: positions } = await world.api.get(`/v1/devices/${imei}/positions?${interval}`);
  expect(positions.items).toHaveLength(3);
  for (const path of [`/v1/devices/${imei}`, `/v1/vehicles/${imei}/position`, `/v1/devices/${imei}/positions`]) {
    expect((await world.api.get(path, mover)).status, path).toBe(404);
  }
  const path = `/v1/vehicles/percorso`;
  const body = { targa, ...INTERVAL, fields: ['fixTime'] };
  const track = await world.api.send('PUT', path, body, mover);
  expect(track.status, JSON.stringify(track.body)).toBe(200);
  expect(JSON.stringify(track.body)).toContain('2026-05-01T08:00:02');
  expect(JSON.stringify(track.body)).not.toContain('2026-05-01T08:00:03');
  expect((await world.api.get(`/v1/pairings?imei=${imei}&${interval}`, mover)).body.items).toHaveLength(1);
  expect((await world.enqueue({ imei, gprsCommand: 'getinfo' }, mover)).body.code).toBe('unknown-device');
});

test('a user of all vehicles changes them by the same requests', async () => {
  const before = await foreignRows();
  await driveAll(everything);
  expect(await foreignRows()).not.toEqual(before);
});

test('drivers, groups and rules of vehicles that are not the own ones are not to be seen', async () => {
  const { api } = world;
  const theirs = { targa: 'FRN009', imei: '900000000000009' };
  await create('/v1/devices', { imei: theirs.imei });
  const { driverId } = await createVehicle(theirs);
  // users of their own: the tests before have called every operation in the name of the others
  const users = { role: 'admin', password: PASSWORD };
  await create('/v1/users', { ...users, username: 'some', targhe: [OWN.targa] });
  await create('/v1/users', { ...users, username: 'all' });
  const mine = await login('some');
  const others = (await create('/v1/groups', { name: 'others' })).id;
  const ours = (await create('/v1/groups', { name: 'ours' })).id;
  await api.send('PATCH', `/v1/vehicles/${theirs.targa}`, { group: 'others' });
  await api.send('PATCH', `/v1/vehicles/${OWN.targa}`, { group: 'ours' });
  const list = async (path: string, by = mine): Promise<Json[]> => (await api.get(path, by)).body.items;
  const groups = (await list('/v1/groups', await login('all'))).map(({ id }) => id);
  expect(groups).toEqual(expect.arrayContaining([others, ours]));
  expect((await list('/v1/groups')).map(({ id }) => id)).toEqual([ours]);

  const drivers = (await list('/v1/drivers')).map(({ id }) => id);
  expect(drivers).not.toContain(driverId);
  expect(drivers).toHaveLength(1);
  const made = await api.send('POST', '/v1/drivers', { name: 'Made by the restricted one' }, mine);
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  expect((await list('/v1/drivers')).map(({ id }) => id).sort()).toEqual([...drivers, made.body.id].sort());

  // whether a group of others exists is not told by the answer
  for (const path of ['/v1/gprsCommands/types?group=', '/v1/vehicles?group=', '/v1/groups/']) {
    const answers = await Promise.all(['others', 'nothing'].map((name) => api.get(path + name, mine)));
    const [one, other] = answers.map(({ status, body }) => JSON.stringify([status, body.code, body.items]));
    expect(one, path).toBe(other);
  }
  const grouped = await Promise.all(
    ['others', 'nothing'].map((group) =>
      api.send('POST', '/v1/vehicles/history/routesGrouped', { group, ...INTERVAL }, mine),
    ),
  );
  expect(grouped[0]!.status).toBe(grouped[1]!.status);

  const rule = {
    type: 'overspeed',
    vehicles: [OWN.targa, theirs.targa],
    users: ['some'],
    params: { limitKmh: 90 },
  };
  const saved = await api.send('PUT', '/v1/v1/notifications', { notification_data: { ...rule, description: 'both' } });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  const shown = await api.get('/v1/notifications/some', mine);
  expect(JSON.stringify(shown.body)).not.toContain(theirs.targa);
  expect(shown.body.rules).toMatchObject([{ vehicles: [OWN.targa], changeable: false }]);
});
