import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RECORDS_MEDIA_TYPE } from '../../../src/contract/records.ts';
import { packFrame } from '../../../src/contract/telemetry/index.ts';
import { FRAME } from '../../../src/gateway/spool/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createKey } from '../../../src/server/index.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { createDatabase, dropDatabases } from '../../support/databases.ts';
import { positionOf } from '../../support/positions.ts';
import { packedPosition, type SpoolRecord, spoolBody } from '../../support/spool-records.ts';

const DAY_MS = 86_400_000;
const HOUR_S = 3_600;
const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

// a clock that stands, so that no midnight passes while the test counts
const start = systemClock.now();
let offset = 0;
const clock = { ...systemClock, now: () => start + offset };

let url: string;
let one: RunningApi;
let two: RunningApi;
/** of another tenant */
let theirs: { authorization: string };
const start2 = (): Promise<RunningApi> => startApi(url, { USAGE_SECONDS: HOUR_S, autoRegister: false }, { clock });

beforeAll(async () => {
  url = await createDatabase();
  one = await start2();
  two = await start2();
  const tenantId = await one.database.tenantId('other');
  const scopes = ['users:read', 'devices:write', 'positions:write'] as const;
  theirs = { authorization: `Bearer ${(await createKey(one.database.ingest, { tenantId, name: 'k', scopes })).key}` };
  for (const imei of ['A1', 'A2', 'A3']) await one.send('POST', '/v1/devices', { imei });
  await one.send('POST', '/v1/devices', { imei: 'B1' }, theirs);
});
afterAll(async () => {
  await one?.stop();
  await two?.stop();
  await dropDatabases();
});

async function report(api: RunningApi, spool: string, records: readonly SpoolRecord[]): Promise<void> {
  const response = await fetch(`${api.url}/v1/internal/events?spool=${spool}`, {
    method: 'POST',
    headers: { ...(await api.gateway()), 'content-type': RECORDS_MEDIA_TYPE },
    body: new Uint8Array(spoolBody(records)),
  });
  expect(response.status).toBe(200);
}

const frame = (seq: number, imei: string): SpoolRecord => {
  const head = { at: start, imei, conn: 'run.1', protocol: 'h02', transport: 'tcp', remote: '10.0.0.1:2' } as const;
  return { seq, kind: FRAME, bytes: packFrame(head, Buffer.from('*HQ#'))! };
};

const nothing = {
  requests: 0,
  activeUsers: 0,
  activeDevices: 0,
  framesReceived: 0,
  positionsReceived: 0,
  positionsStored: 0,
};
type Day = typeof nothing & { readonly day: string };

async function today(api: RunningApi, headers = {}): Promise<typeof nothing> {
  const { items } = (await api.get(`/v1/usage?from=${start + offset}`, headers)).body as { items: Day[] };
  expect(items.map(({ day }) => day)).toEqual([dayOf(start + offset)]);
  const { day: _, ...counts } = items[0]!;
  return counts;
}

/** What `work` has added to the counts; asking for them is a request too. */
async function added(api: RunningApi, work: () => Promise<unknown>, headers = {}): Promise<typeof nothing> {
  const before = await today(api, headers);
  await work();
  const after = await today(api, headers);
  const difference = Object.entries(after).map(([name, count]) => [name, count - before[name as keyof typeof nothing]]);
  return { ...nothing, ...Object.fromEntries(difference), requests: after.requests - before.requests - 1 };
}

describe('records are counted', () => {
  test('are counted for the tenant of their device, and those of unknown devices for no tenant', async () => {
    const records = [
      packedPosition(1, 'A1', 1),
      packedPosition(2, 'B1', 1),
      packedPosition(3, 'A1', 2),
      frame(4, 'A1'),
      frame(5, 'A2'),
      frame(6, 'B1'),
      packedPosition(7, 'nobody', 1),
      packedPosition(8, 'A1', 3),
    ];
    const before = await today(one, theirs);
    expect(await added(one, () => report(one, 'first', records))).toEqual({
      ...nothing,
      activeDevices: 2,
      framesReceived: 2,
      positionsReceived: 3,
      positionsStored: 3,
    });
    expect(await today(one, theirs)).toEqual({
      ...before,
      requests: before.requests + 1,
      activeDevices: 1,
      framesReceived: 1,
      positionsReceived: 1,
      positionsStored: 1,
    });
  });

  test('once where a gateway sends a batch again, and as received where a device does', async () => {
    const records = [
      packedPosition(1, 'A1', 10),
      packedPosition(2, 'A1', 11),
      frame(3, 'A1'),
      packedPosition(4, 'B1', 9),
    ];
    expect(await added(one, () => report(one, 'again', records))).toMatchObject({
      framesReceived: 1,
      positionsReceived: 2,
      positionsStored: 2,
    });
    expect(await added(one, () => report(one, 'again', records))).toEqual(nothing);
    const more = [...records, packedPosition(5, 'A1', 12)];
    expect(await added(one, () => report(one, 'again', more))).toEqual({
      ...nothing,
      positionsReceived: 1,
      positionsStored: 1,
    });
    const repeated = [packedPosition(1, 'A1', 11), packedPosition(2, 'A1', 13), packedPosition(3, 'B1', 9)];
    expect(await added(one, () => report(one, 'repeats', repeated))).toEqual({
      ...nothing,
      positionsReceived: 2,
      positionsStored: 1,
    });
  });

  test('also if another service pushes them', async () => {
    const positions = [20, 21, 21].map((n) => {
      const { deviceId: imei, ...position } = positionOf('A3', n);
      return { imei, ...position };
    });
    expect(await added(one, () => one.send('POST', '/v1/positions', { positions }))).toEqual({
      ...nothing,
      requests: 1,
      activeDevices: 1,
      positionsReceived: 3,
      positionsStored: 2,
    });
  });
});

test('requests are counted by tenant, also those that are refused, and not those of gateways or without a caller', async () => {
  const work = async (): Promise<void> => {
    await one.get('/v1/devices');
    await one.get('/v1/devices/none');
    await one.send('POST', '/v1/devices', { imei: '' });
    await one.get('/v1/tenants', theirs);
    await one.get('/v1/devices', { authorization: '' });
    await one.get('/v1/devices', { authorization: 'Bearer none' });
    await one.get('/openapi.json');
    await one.events([{ type: 'heartbeat', at: start, imei: 'A1', conn: 'run.1' }], 'idle');
  };
  expect(await added(one, work)).toEqual({ ...nothing, requests: 3 });
  expect(await added(one, work, theirs)).toEqual({ ...nothing, requests: 1 });
});

test('users are counted once a day, whatever process they ask', async () => {
  const password = 'a mountain of tarmac';
  const user = { username: 'nina', password, role: 'manager' };
  const bearerOf = async (api: RunningApi) => {
    const { body } = await api.send(
      'POST',
      '/v1/auth/credentials',
      { username: 'nina', password },
      { authorization: '' },
    );
    return { authorization: `Bearer ${body.accessToken}` };
  };
  expect((await one.send('POST', '/v1/users', user)).status).toBe(200);
  const token = await bearerOf(one);
  expect(await added(one, () => one.get('/v1/devices', token))).toEqual({ ...nothing, requests: 1, activeUsers: 1 });
  expect(await added(one, () => one.get('/v1/devices', token))).toEqual({ ...nothing, requests: 1 });
  expect(await added(two, () => two.get('/v1/devices', token))).toEqual({ ...nothing, requests: 1 });
  expect((await one.get('/v1/usage', token)).status).toBe(200);
  const viewer = { username: 'vera', password, role: 'viewer', allVehicles: true };
  expect((await one.send('POST', '/v1/users', viewer)).status).toBe(200);
  const login = { username: 'vera', password };
  const { accessToken } = (await one.send('POST', '/v1/auth/credentials', login, { authorization: '' })).body;
  const refused = await one.get('/v1/usage', { authorization: `Bearer ${accessToken}` });
  expect([refused.status, refused.body.code]).toEqual([403, 'missing-scope']);
});

test('what several processes count is added up, at the latest when they stop', async () => {
  const three = await start2();
  const before = await today(one);
  await report(three, 'third', [packedPosition(1, 'A1', 30), packedPosition(2, 'A2', 30), frame(3, 'A2')]);
  await three.get('/v1/devices');
  // not written yet
  expect(await today(one)).toEqual({ ...before, requests: before.requests + 1 });
  await three.stop();
  expect(await today(one)).toEqual({
    ...before,
    requests: before.requests + 3,
    framesReceived: before.framesReceived + 1,
    positionsReceived: before.positionsReceived + 2,
    positionsStored: before.positionsStored + 2,
  });
});

test('each day has its own counts, and what is over keeps the numbers only', async () => {
  const first = await today(one);
  const ids = async (): Promise<number> => {
    const { rows } = await one.database.ingest.query(
      'select (select count(*) from usage_user)::int + (select count(*) from usage_device)::int as n',
    );
    return rows[0].n;
  };
  offset = DAY_MS;
  const positions = [40, 41].map((n) => positionOf('A1', n)).map(({ deviceId: imei, ...rest }) => ({ imei, ...rest }));
  await one.send('POST', '/v1/positions', { positions });
  expect(await today(one)).toEqual({
    requests: 2,
    activeUsers: 0,
    activeDevices: 1,
    framesReceived: 0,
    positionsReceived: 2,
    positionsStored: 2,
  });
  const list = async (query: string): Promise<Day[]> => (await one.get(`/v1/usage?${query}`)).body.items;
  const days = await list('');
  expect(days.map(({ day }) => day)).toEqual([dayOf(start), dayOf(start + DAY_MS)]);
  expect(days[0]).toMatchObject({ ...first, day: dayOf(start) });
  // the day that has just ended may still be written to
  await one.api.housekeeping.run();
  const members = await ids();
  expect(members).toBeGreaterThan(first.activeUsers + first.activeDevices);
  offset = 2 * DAY_MS;
  await one.api.housekeeping.run();
  expect(await ids()).toBe(1);
  expect(await list(`to=${start}`)).toEqual([days[0]]);
  const page = (await one.get('/v1/usage?limit=1')).body;
  expect(page.items).toEqual([days[0]]);
  const next = (await one.get(`/v1/usage?limit=1&cursor=${encodeURIComponent(page.nextCursor)}`)).body;
  expect(next.items.map(({ day }: Day) => day)).toEqual([dayOf(start + DAY_MS)]);
});

test('counts wait where the database refuses them', async () => {
  const owner = new Client({ connectionString: url });
  await owner.connect();
  const before = await today(one);
  await owner.query('alter table fleetgate.usage_day rename to usage_day_away');
  const work = async (): Promise<void> => {
    await one.get('/v1/devices');
    expect((await one.get('/v1/usage')).status).toBe(500);
  };
  await work();
  await owner.query('alter table fleetgate.usage_day_away rename to usage_day');
  await owner.end();
  expect(await today(one)).toEqual({ ...before, requests: before.requests + 3 });
});
