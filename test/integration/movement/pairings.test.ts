import polyline from '@mapbox/polyline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { route } from '../../support/track.ts';
import { store } from './support.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 4, 1);
const at = (day: number, hour: number): number => START + day * DAY + hour * 3_600_000;
const iso = (epochMs: number): string => new Date(epochMs).toISOString().replace('.000', '');
/** 10 km from 8 to 10 past 8, ignition from on to off, each day of so many */
const days = (count: number) =>
  Array.from(
    { length: count },
    (_, day) => route(at(day, 8)).ignition(true).drive(10, 60).ignition(false).fixes,
  ).flat();
const week = { from: START, to: START + 7 * DAY };

let api: RunningApi;
/** a device in a vehicle, or a driver: from one day to another, null: until further notice */
const pair = async (targa: string, what: { imei: string } | { driverId: string }, from: number, to: number | null) => {
  const body = { targa, ...what, from: iso(from), ...(to === null ? {} : { to: iso(to) }) };
  const answer = await api.send('POST', '/v1/pairings', body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
};
const vehicle = async (targa: string): Promise<void> => {
  const answer = await api.send('POST', '/v1/vehicles', { targa });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
};

beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
  await store(api, 'OLD', days(7));
  await store(
    api,
    'NEW',
    days(7).map((fix) => ({ ...fix, longitude: 11 })),
  );
  await store(api, 'LATE', days(7));
  await api.send('POST', '/v1/devices', { imei: 'SILENT' });
  for (const targa of ['AA1', 'BB2', 'CC3', 'DD4', 'EE5']) await vehicle(targa);
  // AA1 had OLD up to the third day, then nothing for a day, then NEW; OLD went to BB2
  await pair('AA1', { imei: 'OLD' }, at(0, 0), at(3, 0));
  await pair('AA1', { imei: 'NEW' }, at(4, 0), null);
  await pair('BB2', { imei: 'OLD' }, at(3, 0), null);
  await pair('CC3', { imei: 'LATE' }, at(5, 0), null);
  await pair('EE5', { imei: 'SILENT' }, at(0, 0), null);
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const startsOf = async (targa: string): Promise<string[]> => {
  const { body } = await api.get(`/v1/vehicles/routesV2?targa=${targa}&from=${week.from}&to=${week.to}`);
  return body.items.map((found: { start: { at: string } }) => found.start.at.slice(8, 10));
};

describe('the path of a vehicle is that of its paired devices, each for the period of its pairing', () => {
  test('as routes', async () => {
    expect(await startsOf('AA1')).toEqual(['01', '02', '03', '05', '06', '07']);
    expect(await startsOf('BB2')).toEqual(['04', '05', '06', '07']);
    expect(await startsOf('OLD')).toEqual(['01', '02', '03', '04', '05', '06', '07']);
  });

  test('as polyline, path and file', async () => {
    const { body } = await api.send('PUT', '/v1/vehicles/AA1/polyline', week);
    const longitudes = polyline.decode(body.polyline).map(([, longitude]) => longitude);
    expect(new Set(longitudes)).toEqual(new Set([9, 11]));
    expect(longitudes.lastIndexOf(9)).toBeLessThan(longitudes.indexOf(11));
    expect(body.points).toBe(6 * days(1).length);
    const path = await api.send('PUT', '/v1/vehicles/percorso', { targa: 'AA1', ...week, include: ['stops'] });
    expect(path.body.points).toHaveLength(body.points);
    const file = await api.send('POST', '/v1/vehicles/download_route', { targa: 'AA1', ...week, format: 'csv' });
    expect(file.body.trimEnd().split('\r\n')).toHaveLength(body.points + 1);
    const own = await api.send('PUT', '/v1/vehicles/percorso', { imei: 'OLD', ...week });
    expect(own.body.points).toHaveLength(7 * days(1).length);
    expect(await api.send('PUT', '/v1/vehicles/percorso', { imei: 'AA1', ...week })).toMatchObject({
      status: 404,
      body: { code: 'unknown-device' },
    });
  });

  test('with one distance in all operations', async () => {
    const { body: routes } = await api.get(`/v1/vehicles/routesV2?targa=AA1&from=${week.from}&to=${week.to}`);
    const ofRoutes = routes.items.reduce((sum: number, { distanceM }: { distanceM: number }) => sum + distanceM, 0);
    expect(ofRoutes).toBeCloseTo(60_000, -3);
    const grouped = await api.send('POST', '/v1/routesGrouped', { vehicles: ['AA1'], ...week, groupBy: 'vehicle' });
    const safety = await api.get(`/v1/vehicles/safety/me?from=${week.from}&to=${week.to}`);
    const path = await api.send('PUT', '/v1/vehicles/percorso', { targa: 'AA1', ...week });
    const asked = { vehicles: ['AA1'], from: iso(week.from), to: iso(week.to), kind: 'device' };
    const history = await api.send('POST', '/v1/vehicles/reports/pairing_history', asked);
    const found = [
      grouped.body.groups[0].distanceM,
      safety.body.items.find(({ targa }: { targa: string }) => targa === 'AA1').distanceM,
      path.body.distanceM,
      history.body.items.reduce((sum: number, { distanceM }: { distanceM: number }) => sum + distanceM, 0),
    ];
    // each route is rounded
    for (const distance of found) expect(Math.abs(distance - ofRoutes)).toBeLessThan(7);
  });

  test('as visits; the imei is that of the last one', async () => {
    const around = (x: number) => [
      [x - 1, 44],
      [x + 1, 44],
      [x + 1, 46],
      [x - 1, 46],
      [x - 1, 44],
    ];
    const ask = (over: object) =>
      api.send('PUT', '/v1/vehicles/AA1/checkpoi', { polygon: around(9), ...week, ...over });
    expect((await ask({})).body).toMatchObject({ imei: 'NEW', visitCount: 3, evaluatedPoints: 6 * days(1).length });
    expect((await ask({ polygon: around(11) })).body.visitCount).toBe(3);
    expect((await ask({ to: at(2, 0) })).body).toMatchObject({ imei: 'OLD', visitCount: 2 });
    // BB2 did not carry OLD a minute before: where it was then is not where BB2 was
    const polygon = around(9);
    const begin = { from: at(3, 0), to: at(4, 0), polygon };
    expect((await api.send('PUT', '/v1/vehicles/BB2/checkpoi', begin)).body.visits).toMatchObject([
      { entry: { beforeInterval: false } },
    ]);
  });

  test('positions that a device recorded before its first pairing belong to that vehicle', async () => {
    expect(await startsOf('CC3')).toHaveLength(7);
  });

  test('a route has the driver of its time', async () => {
    await api.send('POST', '/v1/drivers', { name: 'Ada' });
    const { body } = await api.get('/v1/drivers?limit=1');
    const driverId = body.items[0].id;
    await pair('AA1', { driverId }, at(1, 0), at(2, 0));
    const grouped = await api.send('POST', '/v1/routesGrouped', { vehicles: ['AA1'], ...week, groupBy: 'driver' });
    expect(grouped.body.groups).toMatchObject([
      { key: '', driverId: null, routes: 5 },
      { key: driverId, driverId, routes: 1 },
    ]);
  });
});

test.each<[string, string, number, string | undefined]>([
  ['a vehicle that never had a device', 'DD4', 404, 'unknown-device'],
  ['a device that has not reported', 'EE5', 404, 'no-position-yet'],
  ['a vehicle that nobody knows', 'ZZ9', 404, 'unknown-vehicle'],
])('%s is reported as such by all operations that need its positions', async (_, targa, status, code) => {
  const polygon = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ];
  const asked: [string, string, object | undefined][] = [
    ['PUT', `${targa}/checkpoi`, { polygon, ...week }],
    ['PUT', `${targa}/polyline`, week],
    ['GET', `${targa}/polyline`, undefined],
    ['PUT', 'percorso', { targa, ...week }],
    ['POST', 'download_route', { targa, ...week, format: 'gpx' }],
  ];
  for (const [method, path, body] of asked) {
    expect(await api.send(method, `/v1/vehicles/${path}`, body)).toMatchObject({ status, body: { code } });
  }
});

test.each(['DD4', 'EE5'])('%s has no routes, no fuel and no score', async (targa) => {
  expect(await startsOf(targa)).toEqual([]);
  const fuel = await api.send('POST', '/v1/vehicles/get_fuel_levels', { vehicles: [targa], ...week });
  expect(fuel.body.items).toMatchObject([{ targa, series: [], refuels: [], drains: [] }]);
  const safety = await api.get(`/v1/vehicles/safety/me?from=${week.from}&to=${week.to}`);
  const item = safety.body.items.find((each: { targa: string }) => each.targa === targa);
  expect(item).toMatchObject({ score0to100: null, distanceM: 0, events: [] });
});
