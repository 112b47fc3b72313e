import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

const MINUTE_MS = 60_000;
let now = Math.floor(systemClock.now() / MINUTE_MS) * MINUTE_MS;
const START = now - 3 * 1_440 * MINUTE_MS;
/** degrees of latitude for a kilometer */
const KM = 1 / 111.195;

let api: RunningApi;
/** ms that the monotonic clock of the server is ahead */
let skew = 0;

const made = async (path: string, body: object, method = 'POST') => {
  const answer = await api.send(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};

interface Given {
  readonly km?: number;
  readonly ignition?: boolean;
  readonly [attribute: string]: number | boolean | undefined;
}

/** Follows what is stored, once no transaction before it is under way. */
async function follow() {
  do await api.api.reported.run();
  while ((await api.api.reported.lag()) > 0);
}

/** Reports of a device by the minute, a kilometer north of the one before or where they say. */
async function report(imei: string, reports: Readonly<Record<number, Given>>) {
  const positions = Object.entries(reports).map(([minute, { km = Number(minute), ...attributes }]) => ({
    imei,
    fixTime: new Date(START + Number(minute) * MINUTE_MS).toISOString(),
    valid: true,
    latitude: 45 + km * KM,
    longitude: 9,
    speed: 60,
    attributes,
  }));
  expect((await made('/v1/positions', { positions })).rejected).toEqual([]);
  await follow();
}

/** Counts again what late reports have changed. */
async function recount() {
  skew += MINUTE_MS;
  await follow();
}

const counters = async (targa: string) => (await api.get(`/v1/vehicles/${targa}/counters`)).body;

let vehicles = 0;
async function vehicle(): Promise<{ targa: string; imei: string }> {
  const targa = `CNT00${++vehicles}`;
  const imei = `count-${vehicles}`;
  await made('/v1/vehicles', { targa });
  await device(targa, imei, -60);
  return { targa, imei };
}
async function device(targa: string, imei: string, minute: number) {
  await made('/v1/devices', { imei });
  await made('/v1/pairings', { targa, imei, from: new Date(START + minute * MINUTE_MS).toISOString() });
}

beforeAll(async () => {
  const clock = { ...systemClock, now: () => now, monotonic: () => systemClock.monotonic() + skew };
  api = await withDatabase((url) => startApi(url, {}, { clock }));
  await follow();
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

describe('the counters of a vehicle', () => {
  test('are those of the device, through resets, rollovers and jumps', async () => {
    const { targa, imei } = await vehicle();
    expect(await counters(targa)).toMatchObject({ odometerKm: null, engineHours: null, setAt: null });
    await report(imei, { 0: { odometer: 84_000_000, hours: 3_600_000 * 2_000 }, 5: { odometer: 84_005_200 } });
    expect(await counters(targa)).toMatchObject({
      odometerKm: 84_005.2,
      engineHours: 2_000,
      odometerSource: 'device',
      engineHoursSource: 'device',
    });
    // a reset: the distance of the positions fills the gap
    await report(imei, { 10: { odometer: 100 }, 12: { odometer: 2_100 } });
    expect((await counters(targa)).odometerKm).toBeCloseTo(84_005.2 + 5 + 2, 1);
    // a jump that no vehicle can drive
    await report(imei, { 13: { odometer: 900_000_000 }, 14: { odometer: 900_001_000 } });
    expect((await counters(targa)).odometerKm).toBeCloseTo(84_005.2 + 5 + 2 + 1 + 1, 1);
  });

  test('are those of positions and of the ignition without readings', async () => {
    const { targa, imei } = await vehicle();
    await report(imei, {
      0: { ignition: true },
      30: { ignition: true },
      60: { ignition: false },
      70: { ignition: false },
    });
    const found = await counters(targa);
    expect(found).toMatchObject({ engineHours: 1, odometerSource: 'gps', engineHoursSource: 'ignition' });
    expect(found.odometerKm).toBeCloseTo(70, 1);
  });

  test('count a stuck odometer by positions', async () => {
    const { targa, imei } = await vehicle();
    await report(imei, { 0: { odometer: 1_000_000 }, 10: { odometer: 1_000_000 }, 11: { odometer: 1_000_000 } });
    const found = await counters(targa);
    expect(found.odometerSource).toBe('gps');
    expect(found.odometerKm).toBeCloseTo(1_011, 1);
  });

  test('can be set, with a history, and go on from there with another device', async () => {
    const { targa, imei } = await vehicle();
    await report(imei, { 0: { odometer: 5_000_000 }, 10: { odometer: 5_010_000 } });
    const set = await made(`/v1/vehicles/${targa}/counters`, { odometerKm: 120_000, note: 'dashboard' }, 'PUT');
    expect(set).toMatchObject({ odometerKm: 120_000, engineHours: null, setAt: expect.any(String) });
    await made(`/v1/vehicles/${targa}/counters`, { engineHours: 55 }, 'PUT');
    const { items } = (await api.get(`/v1/vehicles/${targa}/counters/history`)).body;
    expect(items).toMatchObject([
      { odometerKm: null, engineHours: 55 },
      { odometerKm: 120_000, odometerKmBefore: 5_010, note: 'dashboard' },
    ]);
    await device(targa, `${imei}-new`, 3 * 1_440);
    now += 20 * MINUTE_MS;
    await report(`${imei}-new`, { 4_321: { odometer: 17_000 }, 4_331: { odometer: 27_500 } });
    expect((await counters(targa)).odometerKm).toBeCloseTo(120_010.5, 1);
  });

  test('do not depend on the order in which reports arrive', async () => {
    const { targa, imei } = await vehicle();
    const [early, late] = [
      { 0: {}, 10: {}, 20: { km: 25 } },
      { 25: { km: 20 }, 1_500: { km: 20 }, 1_510: { km: 30 } },
    ];
    await report(imei, late);
    expect((await counters(targa)).odometerKm).toBeCloseTo(10, 1);
    await report(imei, early);
    await recount();
    // 20 km, 5 km and a half-hour to 25, 5 km back, a day at rest, 10 km
    expect((await counters(targa)).odometerKm).toBeCloseTo(10 + 15 + 5 + 10, 1);
    const straight = await vehicle();
    await report(straight.imei, { ...early, ...late });
    expect((await counters(straight.targa)).odometerKm).toBe((await counters(targa)).odometerKm);
  });

  test('follow a pairing that is entered afterwards', async () => {
    await made('/v1/devices', { imei: 'count-late' });
    await report('count-late', { 0: {}, 10: {} });
    await made('/v1/vehicles', { targa: 'CNTLATE' });
    await made('/v1/pairings', { targa: 'CNTLATE', imei: 'count-late', from: new Date(START).toISOString() });
    await recount();
    expect((await counters('CNTLATE')).odometerKm).toBeCloseTo(10, 1);
  });

  test('are hidden from users of other vehicles', async () => {
    const { targa } = await vehicle();
    await made('/v1/vehicles', { targa: 'CNTOWN' });
    const password = 'correct horse battery';
    await made('/v1/users', { username: 'one', role: 'admin', password, targhe: ['CNTOWN'] });
    const { accessToken } = (
      await api.send('POST', '/v1/auth/credentials', { username: 'one', password }, { authorization: '' })
    ).body;
    const by = { authorization: `Bearer ${accessToken}` };
    expect((await api.get('/v1/vehicles/CNTOWN/counters', by)).status).toBe(200);
    expect((await api.get(`/v1/vehicles/${targa}/counters`, by)).status).toBe(404);
    expect((await api.get(`/v1/vehicles/${targa}/counters/history`, by)).status).toBe(404);
    expect((await api.send('PUT', `/v1/vehicles/${targa}/counters`, { odometerKm: 1 }, by)).status).toBe(404);
    expect((await api.send('PUT', '/v1/vehicles/CNTOWN/counters', { odometerKm: 1 }, by)).status).toBe(200);
  });
});
