import polyline from '@mapbox/polyline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { route } from '../../support/track.ts';
import { store } from './support.ts';

const START = Date.UTC(2026, 4, 1, 8);
const iso = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace('.000', '');

/** on 1 … 602: 10 km; off; on 1203 … 1504: 5 km; a day later 5 km more */
const track = route(START)
  .ignition(true)
  .drive(10, 60)
  .ignition(false)
  .stand(600)
  .ignition(true)
  .drive(5, 60)
  .ignition(false)
  .stand(600)
  .silent(86_400)
  .ignition(true)
  .drive(5, 60)
  .ignition(false).fixes;
const interval = { from: START, to: START + 3 * 86_400_000 };
const query = `from=${interval.from}&to=${interval.to}`;

let api: RunningApi;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
  await api.send('POST', '/v1/devices', { imei: 'T-empty' });
  const fuel = (_: unknown, n: number) => ({ attributes: { ignition: track[n]!.ignition, fuelUsed: 100 + n / 10 } });
  await store(api, 'T-1', track, fuel);
  const shuffled = track.map((fix, n) => [(n * 7919) % track.length, fix] as const).sort(([a], [b]) => a - b);
  await store(
    api,
    'T-2',
    shuffled.map(([, fix]) => fix),
  );
  await store(api, 'T-2', track.slice(0, 10));
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

describe('addresses', () => {
  test('of routes, stops and positions are those of the nearest places', async () => {
    const { items } = (await api.get(`/v1/vehicles/routesV2?targa=T-1&${query}&include=address&lang=it`)).body;
    for (const { start, end } of items) for (const { address } of [start, end]) expect(address).toMatch(/, Italia$/);
    const body = { targa: 'T-1', ...interval, include: ['stops', 'address'], maxPoints: 2 };
    const { stops } = (await api.send('PUT', '/v1/vehicles/percorso', body)).body;
    expect(stops.length).toBeGreaterThan(0);
    for (const { address } of stops) expect(address).toMatch(/, Italy$/);
    const { start } = items[0];
    const place = await api.get(`/v1/places?latitude=${start.latitude}&longitude=${start.longitude}&lang=it`);
    expect(place.body).toEqual({ address: start.address, source: 'offline', attribution: 'GeoNames (CC BY 4.0)' });
  });

  test('are left out unless asked for', async () => {
    const { items } = (await api.get(`/v1/vehicles/routesV2?targa=T-1&${query}`)).body;
    expect(items[0].start.address).toBeNull();
  });
});

describe('routes', () => {
  test('of a vehicle, with path and fuel', async () => {
    const { status, body } = await api.send('PUT', '/v1/vehicles/routes', { vehicles: ['T-1'], ...interval });
    expect(status).toBe(200);
    expect(body.items).toHaveLength(1);
    const [{ targa, routes }] = body.items;
    expect(targa).toBe('T-1');
    expect(routes.map((r: { start: { at: string }; end: { at: string } }) => [r.start.at, r.end.at])).toEqual([
      [iso(1), iso(602)],
      [iso(1203), iso(1504)],
      [iso(88505), iso(88806)],
    ]);
    expect(routes[0]).toMatchObject({
      id: expect.stringMatching(/^rt_/),
      targa: 'T-1',
      start: { latitude: 45, longitude: 9, address: null },
      durationS: 601,
      movingS: 600,
      idleS: 1,
      maxSpeed: 60,
      avgSpeed: expect.closeTo(60, 0),
      // 21 records of a tenth of a litre
      fuelUsedL: 2.1,
      driverId: null,
    });
    expect(routes[0].distanceM).toBeCloseTo(10_000, -2);
    expect(routes[1].stopBeforeS).toBe(601);
    const places = polyline.decode(routes[0].polyline);
    expect(places[0]).toEqual([45, 9]);
    expect(places.at(-1)![0]).toBeCloseTo(45 + 10 / 111.195, 4);
  });

  test('have the fuel of a level sensor, with what was put in on the way', async () => {
    // 0.3 l a km over 60 km, and 60 l put in at a stop of four minutes in the middle
    const way = route(START).ignition(true).drive(30, 60).stand(240).drive(30, 60).ignition(false).stand(900).fixes;
    const litres = 18;
    const stop = way.findIndex(({ speed }, n) => n > 10 && speed === 0);
    let driven = 0;
    const levels = way.map(({ latitude }, n) => {
      driven += n === 0 ? 0 : Math.abs(latitude - way[n - 1]!.latitude) * 111.195;
      return 100 - 0.3 * driven + (n > stop + 1 ? 60 : 0);
    });
    const level = (_: unknown, n: number) => ({ attributes: { ignition: way[n]!.ignition, fuel: levels[n] } });
    await store(api, 'T-level', way, level);
    const v1 = await api.send('PUT', '/v1/vehicles/routes', { vehicles: ['T-level'], ...interval });
    const [one] = v1.body.items[0].routes;
    expect(one).toMatchObject({ fuelUsedL: expect.any(Number), litresPer100Km: expect.any(Number) });
    expect(Math.abs(one.fuelUsedL - litres)).toBeLessThan(3);
    expect(one.litresPer100Km).toBeCloseTo(one.fuelUsedL / 0.6, 0);
    const v2 = (await api.get(`/v1/vehicles/routesV2?targa=T-level&${query}&include=fuel`)).body;
    expect(v2.items[0].fuelUsedL).toBe(one.fuelUsedL);
    const grouped = await api.send('POST', '/v1/routesGrouped', { vehicles: ['T-level'], ...interval });
    expect(grouped.body.totals.fuelUsedL).toBe(one.fuelUsedL);
  });

  test('are the same for records that arrive late, reordered and repeated', async () => {
    const ask = async (targa: string) =>
      (await api.get(`/v1/vehicles/routesV2?targa=${targa}&${query}&include=polyline`)).body;
    const [one, two] = [await ask('T-1'), await ask('T-2')];
    const bare = (list: object[]) => list.map((each) => ({ ...each, id: 0, targa: 0 }));
    expect(bare(two.items)).toEqual(bare(one.items));
    expect(one.items).toHaveLength(3);
  });

  test('are paged', async () => {
    const path = `/v1/vehicles/routesV2?targa=T-1&targa=T-2&targa=T-empty&${query}&limit=4`;
    const first = (await api.get(path)).body;
    expect(first.items.map((r: { targa: string }) => r.targa)).toEqual(['T-1', 'T-1', 'T-1', 'T-2']);
    expect(first.items[0]).toMatchObject({ polyline: null, fuelUsedL: null });
    const second = (await api.get(`${path}&cursor=${first.nextCursor}`)).body;
    expect(second.items).toHaveLength(2);
    expect(second.nextCursor).toBeNull();
    expect(second.totals).toEqual(first.totals);
    expect(first.totals).toMatchObject({ routes: 6, stops: 4, maxSpeed: 60 });
    expect((await api.get(`${path}&minStopS=900&cursor=${first.nextCursor}`)).body.code).toBe('bad-cursor');
  });

  test('are joined over stops shorter than the minimum', async () => {
    const { body } = await api.get(`/v1/vehicles/routesV2?targa=T-1&${query}&minStopS=900`);
    expect(body.items.map((r: { start: { at: string } }) => r.start.at)).toEqual([iso(1), iso(88505)]);
  });
});

describe('routesGrouped', () => {
  const ask = async (over: object) =>
    (await api.send('POST', '/v1/routesGrouped', { vehicles: ['T-1', 'T-2'], ...interval, ...over })).body;

  test('aggregates by day, in a time zone', async () => {
    const { groups, totals } = await ask({});
    expect(groups).toMatchObject([
      { key: '2026-05-01', routes: 4, stops: 2, drivingS: 1_800 },
      { key: '2026-05-02', routes: 2, stops: 0 },
    ]);
    expect(groups[0].distanceM).toBeCloseTo(30_000, -3);
    expect(groups[0].items).toBeUndefined();
    expect(totals).toMatchObject({ routes: 6, stops: 4, fuelUsedL: expect.any(Number) });
    // 08:00 there is the evening before
    expect((await ask({ tz: 'Pacific/Honolulu' })).groups.map((g: { key: string }) => g.key)).toEqual([
      '2026-04-30',
      '2026-05-01',
    ]);
  });
  test('aggregates by the days of the time zone of the tenant, also when clocks change', async () => {
    // in Rome the 25th of October 2026 begins at 22:00 UTC of the 24th and has 25 hours
    const autumn = ['2026-10-24T21:30:00Z', '2026-10-24T22:00:00Z', '2026-10-25T22:30:00Z', '2026-10-25T23:00:00Z'];
    for (const begin of autumn) {
      await store(
        api,
        'T-dst',
        route(Date.parse(begin) - 1000)
          .ignition(true)
          .drive(10, 60)
          .ignition(false).fixes,
      );
    }
    const { ingest } = api.database;
    const inAutumn = async (over: object) => {
      const body = { vehicles: ['T-dst'], from: '2026-10-01T00:00:00Z', to: '2026-10-31T00:00:00Z', ...over };
      const answer = await api.send('POST', '/v1/routesGrouped', body);
      return answer.body.groups.map(({ key, routes }: { key: string; routes: number }) => [key, routes]);
    };
    expect(await inAutumn({})).toEqual([
      ['2026-10-24', 2],
      ['2026-10-25', 2],
    ]);
    await ingest.query(`update tenant set timezone = 'Europe/Rome' where name = 'default'`);
    try {
      const rome = [
        ['2026-10-24', 1],
        ['2026-10-25', 2],
        ['2026-10-26', 1],
      ];
      expect(await inAutumn({})).toEqual(rome);
      expect(await inAutumn({ tz: 'UTC' })).toHaveLength(2);
      const day = 'targa=T-dst&from=2026-10-25&to=2026-10-25';
      expect((await api.get(`/v1/vehicles/routesV2?${day}`)).body.items).toHaveLength(2);
      expect((await api.get(`/v1/vehicles/routesV2?${day}&tz=UTC`)).body.items).toHaveLength(2);
      expect((await api.get(`/v1/vehicles/T-dst/polyline?from=2026-10-25&to=2026-10-25`)).body).toMatchObject({
        from: '2026-10-24T22:00:00Z',
        to: '2026-10-25T22:59:59.999Z',
      });
    } finally {
      await ingest.query(`update tenant set timezone = 'UTC' where name = 'default'`);
    }
  });
  test('lists at most the requested number of routes, and reports the limit', async () => {
    expect((await ask({ includeRoutes: true })).truncated).toBe(false);
    expect((await ask({})).truncated).toBe(false);
  });
  test('aggregates by week, month, vehicle and driver', async () => {
    const keys = async (groupBy: string) => (await ask({ groupBy })).groups.map((g: { key: string }) => g.key);
    expect(await keys('week')).toEqual(['2026-W18']);
    expect(await keys('month')).toEqual(['2026-05']);
    expect(await keys('vehicle')).toEqual(['T-1', 'T-2']);
    expect((await ask({ groupBy: 'driver' })).groups).toMatchObject([{ key: '', driverId: null, routes: 6 }]);
  });
  test('lists the routes on request', async () => {
    const { groups } = await ask({ groupBy: 'vehicle', includeRoutes: true });
    expect(groups[0]).toMatchObject({ targa: 'T-1', items: [{ polyline: expect.any(String) }, {}, {}] });
  });
});

describe('invalid requests', () => {
  const century = { from: 1_000_000_000_000, to: 1_000_000_000_000 + 100 * 366 * 86_400_000 };
  test.each<[string, string, object | undefined, number, string]>([
    [
      'PUT',
      '/v1/vehicles/routes',
      { vehicles: ['T-1'], from: 1_000_000_000_002, to: 1_000_000_000_001 },
      422,
      'from-after-to',
    ],
    [
      'PUT',
      '/v1/vehicles/routes',
      { vehicles: ['T-1'], from: 1_000_000_000_000, to: 1_000_000_000_000 + 8 * 86_400_000 },
      422,
      'interval-too-long',
    ],
    ['PUT', '/v1/vehicles/routes', { vehicles: Array(51).fill('T-1'), ...interval }, 422, 'invalid'],
    ['PUT', '/v1/vehicles/routes', { vehicles: [], ...interval }, 422, 'invalid'],
    ['PUT', '/v1/vehicles/routes', { vehicles: ['T-1', 'nobody'], ...interval }, 404, 'unknown-vehicle'],
    ['GET', `/v1/vehicles/routesV2?${query}`, undefined, 422, 'invalid'],
    ['GET', `/v1/vehicles/routesV2?targa=T-1&${query}&include=all`, undefined, 422, 'invalid'],
    ['GET', `/v1/vehicles/routesV2?targa=T-1&${query}&cursor=x`, undefined, 422, 'bad-cursor'],
    ['GET', '/v1/vehicles/routesV2?targa=T-1&from=1996-01-01&to=2096-01-01', undefined, 422, 'interval-too-long'],
    ['POST', '/v1/routesGrouped', { vehicles: ['T-1'], ...century }, 422, 'interval-too-long'],
    ['POST', '/v1/routesGrouped', { vehicles: Array(201).fill('T-1'), ...interval }, 422, 'invalid'],
    ['POST', '/v1/routesGrouped', { ...interval }, 422, 'invalid'],
    ['POST', '/v1/routesGrouped', { group: 'nobody', ...interval }, 404, 'unknown-group'],
    ['POST', '/v1/routesGrouped', { vehicles: ['T-1'], ...interval, tz: 'Europe/Atlantis' }, 422, 'invalid'],
  ])('%s %s', async (method, path, body, status, code) => {
    expect(await api.send(method, path, body)).toMatchObject({ status, body: { code } });
  });
});

describe('polyline', () => {
  const ask = async (over: object, targa = 'T-1') =>
    api.send('PUT', `/v1/vehicles/${targa}/polyline`, { ...interval, ...over });

  test('is the path as a whole and between gaps', async () => {
    const { body } = await ask({});
    expect(body).toMatchObject({ targa: 'T-1', precision: 5, points: track.length, truncated: false });
    const decoded = polyline.decode(body.polyline);
    expect(decoded).toHaveLength(track.length);
    for (const [i, { latitude, longitude }] of track.entries()) {
      expect(decoded[i]![0]).toBeCloseTo(latitude, 4.9);
      expect(decoded[i]![1]).toBeCloseTo(longitude, 4.9);
    }
    expect(body.segments).toHaveLength(2);
    expect(body.segments.flatMap((s: { polyline: string }) => polyline.decode(s.polyline))).toEqual(decoded);
    expect(body.segments[1].from).toBe(iso(88504));
    expect(body.distanceM).toBeCloseTo(20_000, -2);
    expect(body.bbox).toEqual([9, 45, 9, expect.closeTo(45 + 20 / 111.195, 4)]);
  });
  test('is available with more precision, simplified, and for today', async () => {
    const { body } = await ask({ precision: 6, simplifyM: 20 });
    const decoded = polyline.decode(body.polyline, 6);
    expect(decoded.length).toBeLessThan(20);
    expect(decoded.at(-1)![0]).toBeCloseTo(track.at(-1)!.latitude, 6);
    const answer = await api.get('/v1/vehicles/T-1/polyline');
    expect(answer).toMatchObject({ status: 200, body: { polyline: '', segments: [], points: 0, bbox: null } });
  });
  test('is the same by query', async () => {
    const { body } = await api.get(`/v1/vehicles/T-1/polyline?${query}&precision=6`);
    expect(body).toEqual((await ask({ precision: 6 })).body);
  });
  test('matched to roads is refused, by query too', async () => {
    const { status, body } = await api.get(`/v1/vehicles/T-1/polyline?${query}&matched=true`);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'matching-unavailable' });
    expect((await api.get(`/v1/vehicles/T-1/polyline?${query}&matched=false`)).status).toBe(200);
  });
  test.each<[object, string, number, string]>([
    [{ from: 1_000_000_000_002, to: 1_000_000_000_001 }, 'T-1', 422, 'from-after-to'],
    [{ from: 1_000_000_000_000 }, 'T-1', 422, 'interval-too-long'],
    [{ precision: 7 }, 'T-1', 422, 'invalid'],
    [{ matched: true }, 'T-1', 422, 'matching-unavailable'],
    [{ matched: 'yes' }, 'T-1', 422, 'invalid'],
    [{}, 'nobody', 404, 'unknown-vehicle'],
    [{}, 'T-empty', 404, 'no-position-yet'],
  ])('refuses %j of %s', async (over, targa, status, code) => {
    expect(await ask(over, targa)).toMatchObject({ status, body: { code } });
  });
});

describe('trip detection', () => {
  /** four drives of 10 km with stops of half an hour between them, the ignition always on; afterwards parked */
  const wired = route(START)
    .ignition(true)
    .drive(10, 60)
    .stand(1_800)
    .drive(10, 60)
    .stand(1_800)
    .drive(10, 60)
    .stand(1_800)
    .drive(10, 60)
    .stand(1_800).fixes;
  const running = [
    ...wired,
    ...route(wired.at(-1)!.at + 10_000)
      .ignition(false)
      .stand(600)
      .fixes.map((fix) => ({ ...fix, latitude: wired.at(-1)!.latitude, longitude: wired.at(-1)!.longitude })),
  ];
  const ask = async (targa: string, over: object = {}) => {
    const { status, body } = await api.send('PUT', '/v1/vehicles/routes', { vehicles: [targa], ...interval, ...over });
    expect(status, JSON.stringify(body)).toBe(200);
    const [item] = body.items;
    return { used: item.tripDetection, routes: item.routes as { stops: object[]; tripDetection: string }[] };
  };
  beforeAll(async () => {
    await store(api, 'T-wired', wired);
    await store(api, 'T-running', running);
  });

  test('recognises an ignition that never changes, and says so', async () => {
    const found = await ask('T-wired');
    expect(found.used).toBe('motion');
    expect(found.routes).toHaveLength(4);
    expect((await ask('T-wired', { tripDetection: 'ignition' })).routes).toHaveLength(1);
  });

  test('is by ignition where that changes, and lists the stops with the engine running', async () => {
    const found = await ask('T-running');
    expect(found.used).toBe('ignition');
    expect(found.routes).toHaveLength(1);
    // the last one before the ignition is off
    expect(found.routes[0]!.stops).toHaveLength(4);
    expect(found.routes[0]!.stops[0]).toMatchObject({
      durationS: expect.closeTo(1_800, -3),
      latitude: expect.any(Number),
    });
  });

  test('is chosen by the request, then by the device, its group and its tenant', async () => {
    for (const tripDetection of ['motion', 'ignition-and-motion'] as const) {
      const found = await ask('T-running', { tripDetection });
      expect([found.used, found.routes.length]).toEqual([tripDetection, 4]);
    }
    expect((await ask('T-running', { tripDetection: 'motion', stopSeconds: 3_600 })).routes).toHaveLength(1);
    expect((await ask('T-running', { tripDetection: 'motion', minTripMetres: 20_000 })).routes).toHaveLength(0);
    await api.send('POST', '/v1/groups', { name: 'Wired', options: { tripDetection: 'ignition-and-motion' } });
    await api.send('POST', '/v1/vehicles', { targa: 'TRIP01', group: 'Wired' });
    await api.send('POST', '/v1/pairings', { targa: 'TRIP01', imei: 'T-running', from: START - 86_400_000 });
    expect((await ask('TRIP01')).used).toBe('ignition-and-motion');
    await api.send('PATCH', '/v1/devices/T-running', { options: { tripDetection: 'motion', stopSeconds: 3_600 } });
    const found = await ask('TRIP01');
    expect([found.used, found.routes.length]).toEqual(['motion', 1]);
    expect((await ask('TRIP01', { tripDetection: 'ignition' })).used).toBe('ignition');
    const v2 = (await api.get(`/v1/vehicles/routesV2?targa=TRIP01&${query}&tripDetection=motion&stopSeconds=300`)).body;
    expect([v2.tripDetection, v2.items.length]).toEqual(['motion', 4]);
    const grouped = await api.send('POST', '/v1/routesGrouped', { vehicles: ['T-wired'], ...interval });
    expect(grouped.body).toMatchObject({ tripDetection: 'motion', totals: { routes: 4 } });
    const wrong = await api.send('PATCH', '/v1/devices/T-running', { options: { tripDetection: 'sometimes' } });
    expect(wrong.status).toBe(422);
  });
});
