import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VERSION } from '../../../src/apps/version.ts';
import { untilAnalysed } from '../../support/analysed.ts';
import { API_KEY, type RunningApi, startApi } from '../../support/api.ts';
import { readDocument, requestExamples, sendPlain } from '../../support/example-calls.ts';
import { longNumbers } from '../../support/long-numbers.ts';
import { positionEvent } from '../../support/positions.ts';
import {
  cardFile,
  datesFrom,
  dayOf,
  insertion,
  ordinary,
  secondsOf,
  unitDay,
  unitFile,
} from '../../support/tachograph.ts';
import { type CommandWorld, openCommands } from './commands/support.ts';

const IMEI = '356307042441013';
const OTHER_IMEI = '356307042441021';

let world: CommandWorld;
/** of the user and the stream of the examples */
const ids = new Map<string, string>();
/** every JSON answer to an example, by the name of its operation */
const answered = new Map<string, unknown>();

/** Everything that the examples make, twice, so that each list has a second page. Nothing is removed. */
beforeAll(async () => {
  world = await openCommands({ diagnostics: true });
  const { api } = world;
  let isOver = false;
  await requestExamples(api, API_KEY, async (call) => {
    isOver ||= call.method === 'DELETE' && !call.template.endsWith('/otp');
    if (isOver) return { status: 200, text: '{}' };
    const answer = await sendPlain(api.url, call);
    if (answer.status === 200 && answer.text.startsWith('{')) answered.set(call.name, JSON.parse(answer.text));
    const change = OTHERS[call.name];
    if (change !== undefined) await sendPlain(api.url, { ...call, body: change(call.body as Body) });
    return answer;
  });
  await addRest();
}, 300_000);
afterAll(() => world?.stop());

type Body = Record<string, unknown>;
const named = (name: string) => (body: Body) => ({ ...body, name });
const same = (body: Body) => body;
/** as a codec makes it of what a device has sent */
const decimal = (value: number) => Number(value.toFixed(3));

/** Further records, by the request that makes the first ones. */
const OTHERS: Readonly<Record<string, (body: Body) => unknown>> = {
  'POST /v1/groups': named('Southern depot'),
  'POST /v1/vehicles': (body) => ({ ...body, targa: 'EF456GH', vin: 'ZFA25000002000002' }),
  'POST /v1/geofences': named('Quay'),
  'POST /v1/users': (body) => ({ ...body, username: 'dario', email: 'dario@example.org' }),
  'POST /v1/devices': (body) => ({ ...body, imei: OTHER_IMEI }),
  'POST /v1/drivers': (body) => ({ ...body, name: 'Dario Bruni', cardNumber: 'I000000012345700' }),
  'POST /v1/expenses': same,
  'POST /v1/pairings': () => ({ targa: 'EF456GH', imei: OTHER_IMEI, from: '2026-04-01T00:00:00Z' }),
  'POST /v1/tenants': (body) => ({
    ...body,
    name: 'verdi',
    admin: { username: 'verdi-admin', password: 'nine red foxes' },
  }),
  'POST /v1/keys': same,
  // a second route of the same day, of numbers that are sums of no short binary fractions
  'POST /v1/positions': ({ positions }) => ({
    positions: (positions as Body[]).map((each, n) => ({
      ...each,
      fixTime: String(each['fixTime']).replace('T08:', 'T15:'),
      latitude: Number((45.464_212_7 + n / 1e4).toFixed(9)),
      longitude: Number((9.190_033_1 + (n * 3) / 1e3).toFixed(9)),
      speed: decimal((n + 3) * 18.52),
      altitude: decimal(44.2 * (n + 1)),
      attributes: { ignition: n < 4, fuelUsed: decimal(100.1 + n * 0.7), fuelLevel: decimal(44.2 - n / 10) },
    })),
  }),
  'POST /v1/drivers/ddd/letters': same,
  'POST /v1/drivers/ddd/corrections': (body) => ({ ...body, from: '2026-05-05T05:00:00Z', to: '2026-05-05T05:30:00Z' }),
  'POST /v1/drivers/ddd/transports': same,
  'POST /v1/drivers/ddd/attestations': same,
  'POST /v1/drivers/ddd/absences': (body) => ({ ...body, from: '2026-06-01', to: '2026-06-02' }),
  'POST /v1/gprsCommands/': (body) => ({ ...body, dedupeKey: 'other' }),
  'POST /v1/webhooks': same,
  'POST /v1/report-schedules': named('Weekly'),
  'POST /v1/report-schedules/{id}/run': same,
  'POST /v1/streams': named('Other'),
  'POST /v1/qora/vehicles/': () => ({ vehicles: [{ externalId: 'Q-1002', targa: 'EF456GH', fields: [] }] }),
};

/** What no example makes. */
async function addRest(): Promise<void> {
  const { api, sql } = world;
  // other versions of days, with time that was not declared
  const evening = [...ordinary, ['18:00', 'unknown'], ['20:00', 'rest']] as const;
  const days = datesFrom('2026-05-18', 5).map((date) => dayOf(date, evening, 390));
  const form = new FormData();
  const file = Uint8Array.from(cardFile({ days, lastDownload: secondsOf('2026-05-30T20:00:00Z') }));
  form.append('file', new Blob([file]), 'other.ddd');
  const headers = { authorization: `Bearer ${API_KEY}` };
  const uploaded = await fetch(`${api.url}/v1/drivers/ddd`, { method: 'POST', body: form, headers });
  await untilAnalysed(api, ((await uploaded.json()) as { fileId: string }).fileId);
  // a vehicle that was driven without a card
  const nobody = { driverBegin: null, coDriverBegin: null, driverEnd: null, coDriverEnd: null };
  const events = ['2026-05-20T18', '2026-05-21T18'].map((hour) => {
    const [begin, end] = [secondsOf(`${hour}:00:00Z`), secondsOf(`${hour}:30:00Z`)];
    return { type: 4, purpose: 0, begin, end, similarEvents: 0, ...nobody };
  });
  const inserted = insertion('I000000012345800', '2026-05-20T05:00:00Z', '2026-05-20T15:15:00Z');
  const download = { now: '2026-05-22T10:00:00Z', days: [unitDay('2026-05-20', [inserted], ordinary)], events };
  const fileBase64 = Buffer.from(unitFile({ plate: 'AB 123 CD', ...download })).toString('base64');
  await api.send('POST', '/v1/drivers/ddd', { fileBase64, fileName: 'unit.ddd' });
  for (const label of ['a', 'b']) {
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await api.send('POST', '/v1/share-links', { targa: 'AB123CD', until, label });
  }
  for (const name of ['a', 'b']) {
    const { body } = await api.send('POST', '/v1/maintenance', { name, vehicles: ['AB123CD'], everyKm: 10_000 });
    await api.send('POST', `/v1/maintenance/${body.id}/done`, { targa: 'AB123CD' });
  }
  const { body: drivers } = await api.get('/v1/drivers');
  for (const whose of [{ targa: 'AB123CD' }, { driverId: drivers.items[0].id }]) {
    await api.send('PUT', '/v1/drivers/ddd/remote', { ...whose, everyDays: 28 });
  }
  const verdi = await world.key(['devices:write'], 'verdi');
  for (const imei of [IMEI, OTHER_IMEI]) await api.send('POST', '/v1/devices', { imei }, verdi);
  const presence = { clock: Date.now(), connections: [] };
  await api.send('POST', '/v1/internal/presence', presence, await api.gateway('gw-2'));
  const link = { imei: IMEI, conn: 'run.1', protocol: 'h02', transport: 'tcp', remote: '198.51.100.4:40210' };
  const frame = { type: 'frame', at: Date.now() - 60_000, ...link, bytes: 'AAE=' };
  await api.events(
    [1, 2].map((seq) => ({ ...frame, seq })),
    'spool-2',
    'gw-2',
  );
  const [user] = await sql(`select id, tenant_id from app_user where username = 'carla'`);
  ids.set('user', String(user!['id']));
  const [stream] = await sql('select id from stream limit 1');
  ids.set('stream', String(stream!['id']));
  for (const n of [1, 2]) {
    await sql(
      `insert into notification (id, tenant_id, user_id, type, priority, title, body, occurred_at)
       values ($1, $2, $3, 'overspeed', 'high', 'x', 'x', '2026-05-01T09:00:00Z')`,
      [`ntf_${n}`, user!['tenant_id'], user!['id']],
    );
    await sql('insert into usage_day (tenant_id, day) values ($1, $2)', [user!['tenant_id'], `2026-05-0${n}`]);
    await sql(
      `insert into set_aside_record (gateway, id, target, what, at, code, detail, size, is_replaying)
       values ('gw-2', $1, 'push', 'position', date_trunc('milliseconds', now()), 'invalid', 'x', 1, false)`,
      [`0:${n}`],
    );
    await sql(
      `insert into stream_dead_letter (stream_id, tenant_id, message_id, kind, tenant, at, body, reason)
       values ($1, $2, $3, 'position', 'default', now(), '{}', 'status 422')`,
      [ids.get('stream'), user!['tenant_id'], `m-${n}`],
    );
  }
}

/** Of lists that otherwise contain recent records. */
const INTERVALS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'GET /v1/usage': { from: '2026-05-01', to: '2026-05-28' },
  'GET /v1/vehicles/ddd/without_card': { from: '2026-05-01T00:00:00Z', to: '2026-05-28T00:00:00Z' },
};

async function sessionOf(username: string): Promise<{ authorization: string }> {
  const login = { username, password: 'seven grey herons' };
  const { body } = await world.api.send('POST', '/v1/auth/credentials', login);
  return { authorization: `Bearer ${body.accessToken}` };
}

interface Call {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Requests of the operations that have a parameter of this name, with their examples as its values. */
function callsWith(isWanted: (name: string) => boolean, over: Readonly<Record<string, string>> = {}): Call[] {
  return Object.entries(readDocument().paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [] }]) => {
      if (!parameters.some(({ name }) => isWanted(name))) return [];
      const query = new URLSearchParams();
      let path = template;
      for (const { name, in: where, required, example } of parameters) {
        const value = over[name] ?? String(example);
        if (where === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
        else if (where === 'query' && (required === true || over[name] !== undefined)) query.set(name, value);
      }
      return [{ name: `${method.toUpperCase()} ${template}`, method: method.toUpperCase(), path, query }];
    }),
  );
}

describe('every list', () => {
  test('names its next page in a Link beside the cursor, and the last page names none', async () => {
    const mine = await sessionOf('carla');
    const lists = callsWith((name) => name === 'cursor');
    const single: string[] = [];
    for (const { name, path, query } of lists) {
      const own = name === 'GET /v1/app/alert' ? mine : {};
      const url = path.replace('str_0a1b2c3d4e5f6a7b8c', ids.get('stream')!);
      for (const [key, value] of Object.entries(INTERVALS[name] ?? {})) query.set(key, value);
      query.set('limit', '1');
      const first = await world.api.get(`${url}?${query}`, own);
      expect(first.status, `${name}: ${JSON.stringify(first.body)}`).toBe(200);
      const link = first.headers.get('link');
      if (first.body.nextCursor === null) {
        expect(link, name).toBeNull();
        single.push(name);
        continue;
      }
      const next = /^<([^>]+)>; rel="next"$/.exec(link ?? '')?.[1];
      expect(next, name).toBeDefined();
      expect(new URL(next!, world.api.url).searchParams.get('cursor'), name).toBe(first.body.nextCursor);
      const second = await world.api.get(next!, own);
      expect(second.status, name).toBe(200);
      expect(second.body, name).not.toEqual(first.body);
    }
    expect(single).toEqual([]);
  });
});

const UNKNOWN = { targa: 'ZZ000ZZ', imei: '999999999999999', deviceId: '999999999999999' };

describe('a vehicle or device that does not exist', () => {
  const isPlate = (name: string) => name in UNKNOWN;

  test('is answered with 404 by every operation that names it in its path or needs it', async () => {
    const { paths } = readDocument();
    const needed = callsWith(isPlate, UNKNOWN).filter(({ name }) => {
      const [method = '', template = ''] = name.split(' ');
      const { parameters = [] } = paths[template]![method.toLowerCase()]!;
      return parameters.some((each) => isPlate(each.name) && (each.in === 'path' || each.required === true));
    });
    expect(needed.map(({ name }) => name)).toEqual(expect.arrayContaining(HISTORY));
    const others: string[] = [];
    for (const { name, method, path, query } of needed) {
      const [, template = ''] = name.split(' ');
      const content = paths[template]![method.toLowerCase()]!.requestBody?.content['application/json'];
      const body = JSON.stringify(content?.example)?.replaceAll('AB123CD', UNKNOWN.targa);
      const answer = await world.api.send(
        method,
        `${path}?${query}`,
        body === undefined ? undefined : JSON.parse(body),
      );
      if (answer.status !== 404 || !/^unknown-(?:vehicle|device)$/.test(answer.body.code))
        others.push(`${name}: ${answer.status} ${answer.body.code}`);
    }
    expect(others).toEqual([]);
  });
});

/** Of what a vehicle or device has done. */
const HISTORY = [
  'GET /v1/devices/{imei}/positions',
  'GET /v1/devices/{imei}/timeline',
  'GET /v1/vehicles/routesV2',
  'GET /v1/vehicles/{targa}/polyline',
];

/** Every member of a JSON value, with the place where it stands. */
function* membersOf(value: unknown, place: string): Generator<readonly [place: string, name: string, value: unknown]> {
  for (const [name, inner] of Object.entries((typeof value === 'object' && value) || {})) {
    if (!Array.isArray(value)) yield [place, name, inner];
    yield* membersOf(inner, Array.isArray(value) ? place : `${place}.${name}`);
  }
}
const answeredMembers = () => [...answered].flatMap(([name, answer]) => [...membersOf(answer, name)]);

describe('lastPosition and driver of a vehicle', () => {
  const INCLUDED = ['lastPosition', 'driver', 'sessionSince'];

  test('are absent where they are not included, and null where they are and nothing is known', async () => {
    const calls = callsWith((name) => name === 'include').filter(({ name }) => name.startsWith('GET /v1/vehicles'));
    const vehicles: string[] = [];
    for (const { name, path, query } of calls) {
      const plain = (await world.api.get(`${path}?${query}`)).body;
      const [first] = (plain.items ?? [plain]) as Body[];
      // reports of a vehicle have other parts
      if (first?.['targa'] === undefined || first['status'] === undefined) continue;
      vehicles.push(name);
      for (const each of (plain.items ?? [plain]) as Body[])
        for (const member of INCLUDED) expect(each, name).not.toHaveProperty(member);
      query.set('include', 'lastPosition,driver,session');
      const { body } = await world.api.get(`${path}?${query}`);
      for (const each of (body.items ?? [body]) as Body[])
        for (const member of INCLUDED) expect(each, name).toHaveProperty(member);
    }
    expect(vehicles).toEqual([
      'GET /v1/vehicles',
      'GET /v1/vehicles/user/{user_id}',
      'GET /v1/vehicles/imei/{imei}',
      'GET /v1/vehicles/{targa}',
    ]);
    const { body } = await world.api.get('/v1/vehicles/EF456GH?include=lastPosition,driver');
    expect(body).toMatchObject({ lastPosition: null, driver: null });
  });

  test('are absent in the answers to changes, and for a partner that does not ask for them', async () => {
    for (const name of ['POST /v1/vehicles', 'PATCH /v1/vehicles/{targa}'])
      for (const member of INCLUDED) expect(answered.get(name), name).not.toHaveProperty(member);
    const { items } = (await world.api.get('/v1/qora/vehicles/')).body;
    const [asked, other] = ['Q-1001', 'Q-1002'].map((id) => items.find((each: Body) => each['externalId'] === id));
    expect(asked).toHaveProperty('lastPosition');
    expect(other).not.toHaveProperty('lastPosition');
  });
});

test('userId is the id of a user in every answer, whichever way the request names the user', async () => {
  const id = ids.get('user')!;
  const found = answeredMembers().filter(([, name]) => name === 'userId');
  expect(new Set(found.map(([, , value]) => value))).toEqual(new Set([id, null]));
  const driver = { name: 'Elio Fermi', userId: id };
  expect((await world.api.send('POST', '/v1/drivers', driver)).body).toMatchObject({ userId: id });
  const byName = await world.api.send('POST', '/v1/drivers', { ...driver, name: 'x', userId: 'carla' });
  expect(byName.body).toMatchObject({ status: 404, code: 'unknown-user' });
  for (const each of ['carla', id]) {
    for (const path of [
      `/v1/vehicles/user/${each}`,
      `/v1/notifications/${each}/2026-05-01`,
      `/v1/notifications/${each}`,
    ]) {
      const { body } = await world.api.get(path);
      expect(body, path).toMatchObject({ userId: id });
      for (const [place, name, value] of membersOf(body, path)) if (name === 'userId') expect(value, place).toBe(id);
    }
  }
});

test('the id of a device is imei, and nothing else, in answers and events', async () => {
  const places = answeredMembers().filter(([, , value]) => value === IMEI || value === OTHER_IMEI);
  expect(places.length).toBeGreaterThan(30);
  expect([...new Set(places.map(([, name]) => name))]).toEqual(['imei']);
  // of the telephone that logs in
  const others = answeredMembers().filter(([, name]) => name === 'deviceId');
  expect(others.map(([place]) => place)).toEqual(['POST /v1/app/auth']);
  const closing = new AbortController();
  const headers = { authorization: `Bearer ${API_KEY}` };
  const events = await fetch(`${world.api.url}/v1/events`, { headers, signal: closing.signal });
  await world.api.events([{ seq: 1, ...positionEvent(IMEI, 1) }], 'spool-3');
  let text = '';
  for await (const chunk of events.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes(`"imei":"${IMEI}"`)) break;
  }
  expect(text).not.toContain('deviceId');
});

test('one version is that of the package, its document and the server', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(VERSION).toBe(version);
  expect(readDocument()).toMatchObject({ info: { version } });
  const api = await startApi(world.databaseUrl, {}, { version: VERSION });
  try {
    expect((await api.get('/v1/app/version', { authorization: '' })).body.api).toBe(version);
    expect((await api.get('/openapi.json', { authorization: '' })).body.info.version).toBe(version);
  } finally {
    await api.stop();
  }
});

test('recovery is a feature where mail can be sent, and only there', async () => {
  const features = async (api: RunningApi) => (await api.get('/v1/app/version', { authorization: '' })).body.features;
  expect(await features(world.api)).toEqual({ recovery: false });
  const sending = await startApi(world.databaseUrl, {}, { sendMail: async () => {} });
  try {
    expect(await features(sending)).toEqual({ recovery: true });
  } finally {
    await sending.stop();
  }
});

/** Decimal places of what the API computes, as docs/api.md lists them; other numbers are what devices have sent. */
const COMPUTED: Readonly<Record<string, number>> = {
  distanceM: 0,
  radiusM: 0,
  areaM2: 0,
  durationS: 3,
  movingS: 3,
  drivingS: 3,
  idleS: 3,
  stopBeforeS: 3,
  overspeedS: 3,
  idlingS: 3,
  nightS: 3,
  maxSpeed: 1,
  avgSpeed: 1,
  fuelUsedL: 2,
};

test('numbers of every answer have the digits that are documented', () => {
  expect([...answered].flatMap(([name, answer]) => longNumbers(answer, name))).toEqual([]);
  const shown = new Set<string>();
  for (const [place, name, value] of answeredMembers()) {
    const places = COMPUTED[name];
    if (places === undefined || typeof value !== 'number') continue;
    expect(Number(value.toFixed(places)), `${place}.${name}`).toBe(value);
    if (value !== 0) shown.add(name);
  }
  // an example has each of them but for idling, speeding and driving at night
  expect([...shown].sort()).toEqual(
    Object.keys(COMPUTED)
      .filter((name) => !['idleS', 'nightS', 'overspeedS'].includes(name))
      .sort(),
  );
});
