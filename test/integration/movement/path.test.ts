import { check as readGeoJson } from '@placemarkio/check-geojson';
import { gpx as readGpx, kml as readKml } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY, hasRowsOnly, type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { route } from '../../support/track.ts';
import { store } from './support.ts';

const START = Date.UTC(2026, 4, 1, 8);
const iso = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace('.000', '');
const track = route(START)
  .ignition(true)
  .drive(5, 60)
  .ignition(false)
  .stand(600)
  .silent(3_600)
  .ignition(true)
  .drive(5, 60).fixes;
const interval = { from: START, to: START + 86_400_000 };

let api: RunningApi;
let databaseUrl: string;
beforeAll(async () => {
  api = await withDatabase((url) => {
    databaseUrl = url;
    return startApi(url);
  });
  await api.send('POST', '/v1/devices', { imei: 'P-1', name: 'A <&> "B"' });
  await api.send('POST', '/v1/devices', { imei: 'P-empty' });
  await store(api, 'P-1', track, (fix, n) => ({
    course: 10,
    ...(n === 2 ? {} : { altitude: 100 + n }),
    attributes: {
      ...(fix.ignition === undefined ? {} : { ignition: fix.ignition }),
      ...(n === 3 ? { alarm: 'sos' } : {}),
    },
  }));
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

describe('percorso', () => {
  const ask = (over: object) => api.send('PUT', '/v1/vehicles/percorso', { targa: 'P-1', ...interval, ...over });

  test('returns the points in order, stops and events', async () => {
    const { status, body } = await ask({ include: ['stops', 'events'] });
    expect(status).toBe(200);
    expect(body.points).toHaveLength(track.length);
    expect(body.points[0]).toEqual({
      fixTime: iso(0),
      latitude: 45,
      longitude: 9,
      speed: 0,
      course: 10,
      ignition: null,
    });
    expect(body.points[1]).toMatchObject({ fixTime: iso(1), ignition: true });
    expect(body.stops).toMatchObject([{ from: iso(302), to: iso(4503), durationS: 4_201 }]);
    expect(body.events).toEqual([{ at: iso(61), latitude: expect.any(Number), longitude: 9, type: 'sos' }]);
    expect(body).toMatchObject({ targa: 'A<&>"B"', downsampled: false, nextCursor: null });
  });
  test('reduces the points to the requested number and returns the requested fields', async () => {
    const { body } = await ask({ targa: undefined, imei: 'P-1', maxPoints: 10, fields: ['fixTime', 'course'] });
    expect(body.downsampled).toBe(true);
    expect(body.points.length).toBeLessThanOrEqual(10);
    expect(body.points.length).toBeGreaterThanOrEqual(5);
    expect(body.points[0]).toEqual({ fixTime: iso(0), course: 10 });
    expect(body.stops).toEqual([]);
  });
  test.each<[object, number, string]>([
    [{ imei: 'P-1' }, 422, 'invalid'],
    [{ targa: undefined }, 422, 'invalid'],
    [{ from: 1_000_000_000_000 }, 422, 'interval-too-long'],
    [{ targa: 'nobody' }, 404, 'unknown-vehicle'],
    [{ targa: 'P-empty' }, 404, 'no-position-yet'],
    [{ maxPoints: 50_001 }, 422, 'invalid'],
  ])('refuses %j', async (over, status, code) => {
    expect(await ask(over)).toMatchObject({ status, body: { code } });
  });
});

interface Geometry {
  readonly type: string;
  readonly coordinates: number[][] | number[][][];
}
interface Feature {
  readonly geometry: Geometry & { readonly geometries?: readonly Geometry[] };
  readonly properties: {
    readonly segment: number;
    readonly time: string;
    readonly coordTimes: string[];
    readonly coordinateProperties: { readonly times: string[] | string[][] };
  };
}
const documentOf = (text: string) => new DOMParser().parseFromString(text, 'text/xml') as never;
/** Coordinates and times (epoch ms) of all lines, in their order. */
const flat = (features: readonly Feature[]) => ({
  times: features
    .flatMap(({ properties }) => properties.coordinateProperties.times.flat())
    .map((time) => Date.parse(time)),
  coordinates: features.flatMap(({ geometry }) =>
    (geometry.geometries ?? [geometry]).flatMap(({ type, coordinates }) =>
      type === 'MultiLineString' ? (coordinates as number[][][]).flat() : (coordinates as number[][]),
    ),
  ),
});

describe('download_route', () => {
  const ask = (over: object) =>
    api.send('POST', '/v1/vehicles/download_route', { targa: 'P-1', ...interval, format: 'csv', ...over });

  test('writes CSV', async () => {
    const { status, headers, body } = await ask({});
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="A____B_-2026-05-01.csv"');
    const lines = body.trimEnd().split('\r\n');
    expect(lines).toHaveLength(track.length + 1);
    expect(lines[0]).toBe('time,latitude,longitude,speed,course,ignition,segment,altitude');
    expect(lines[1]).toBe('2026-05-01T08:00:00Z,45,9,0,10,,0,100');
    expect(lines[3]).toMatch(/,0,$/);
    expect(lines.at(-1)).toMatch(new RegExp(`,60,10,true,1,${99 + track.length}$`));
  });
  test('writes GeoJSON', async () => {
    const { headers, body } = await ask({ format: 'geojson' });
    expect(headers.get('content-type')).toMatch(/^application\/geo\+json/);
    const points = body.features.filter(({ geometry }: Feature) => geometry.type === 'Point');
    const lines = body.features.filter(({ geometry }: Feature) => geometry.type === 'LineString');
    expect(points).toHaveLength(track.length);
    expect(points[1]).toEqual({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [9, 45, 101] },
      properties: { time: iso(1), segment: 0, speed: 0, course: 10, ignition: true },
    });
    expect(points[2].geometry.coordinates).toHaveLength(2);
    expect(lines.map(({ properties }: Feature) => properties.segment)).toEqual([0, 1]);
    expect(lines.flatMap(({ geometry }: Feature) => geometry.coordinates)).toEqual(
      points.map(({ geometry }: Feature) => geometry.coordinates),
    );
    expect(lines.flatMap(({ properties }: Feature) => properties.coordTimes)).toEqual(
      points.map(({ properties }: Feature) => properties.time),
    );
  });
  test('writes GeoJSON that another program reads back', async () => {
    const body = JSON.stringify({ targa: 'P-1', ...interval, format: 'geojson' });
    const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
    const response = await fetch(`${api.url}/v1/vehicles/download_route`, { method: 'POST', headers, body });
    // it throws where the text is not as RFC 7946 says
    const read = readGeoJson(await response.text());
    const features = read.type === 'FeatureCollection' ? read.features : [];
    const lines = features.flatMap(({ geometry, properties }) =>
      geometry?.type === 'LineString' ? [{ coordinates: geometry.coordinates, times: properties!['coordTimes'] }] : [],
    );
    expect(lines).toHaveLength(2);
    expect(lines.flatMap(({ times }) => times).map((time) => Date.parse(time))).toEqual(track.map(({ at }) => at));
    expect(lines.flatMap(({ coordinates }) => coordinates)).toEqual(
      track.map(({ longitude, latitude }, n) => [longitude, latitude, ...(n === 2 ? [] : [100 + n])]),
    );
  });
  test('writes GPX that another program reads back', async () => {
    const gpx = (await ask({ format: 'gpx' })).body;
    expect(gpx).toContain('<gpxtpx:speed>16.667</gpxtpx:speed>');
    const read = readGpx(documentOf(gpx)).features;
    expect(read).toHaveLength(1);
    expect(read[0]!.properties!['name']).toBe('A<&>"B" 2026-05-01T08:00:00Z');
    const { times, coordinates } = flat(read as never);
    expect(times).toEqual(track.map(({ at }) => at));
    expect(coordinates[0]).toEqual([9, 45, 100]);
    expect(coordinates[2]).toEqual([track[2]!.longitude, track[2]!.latitude]);
    expect(coordinates.at(-1)).toEqual([9, track.at(-1)!.latitude, 99 + track.length]);
    expect(read[0]!.geometry).toMatchObject({ type: 'MultiLineString' });
  });
  test('writes KML with times that another program reads back', async () => {
    const kml = (await ask({ format: 'kml' })).body;
    expect(kml.match(/<gx:Track>/g)).toHaveLength(2);
    const { times, coordinates } = flat(readKml(documentOf(kml)).features as never);
    expect(times).toEqual(track.map(({ at }) => at));
    expect(coordinates[0]).toEqual([9, 45, 100]);
    expect(coordinates.at(-1)).toEqual([9, track.at(-1)!.latitude, 99 + track.length]);
  });
  test('of one route writes that route only', async () => {
    const { body } = await api.get(`/v1/vehicles/routesV2?targa=P-1&from=${interval.from}&to=${interval.to}`);
    const file = (await ask({ routeId: body.items[0].id })).body;
    expect(
      file
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((line: string) => line.slice(0, 20))
        .at(-1),
    ).toBe(iso(302));
    expect(await ask({ routeId: 'rt_1_0' })).toMatchObject({ status: 404, body: { code: 'no-data' } });
  });
  test.each<[object, number, string]>([
    [{ from: 1_000_000_000_001, to: 1_000_000_000_002 }, 404, 'no-data'],
    [{ format: 'xls' }, 422, 'invalid'],
    [{ from: 1_000_000_000_002, to: 1_000_000_000_001 }, 422, 'from-after-to'],
    [{ targa: 'P-empty' }, 404, 'no-position-yet'],
  ])('refuses %j', async (over, status, code) => {
    const answer = await ask(over);
    expect(answer).toMatchObject({ status, body: { code } });
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });
});

describe('a client', () => {
  const asked = (over: object, controller: AbortController) =>
    fetch(`${api.url}/v1/vehicles/download_route`, {
      method: 'POST',
      signal: controller.signal,
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...interval, format: 'gpx', ...over }),
    });

  test('that reads slowly occupies no connection; one that disconnects ends the work', async () => {
    const long = Array.from({ length: 60_000 }, (_, n) => ({
      at: START + n * 1000,
      latitude: 45 + (n % 100) / 1e4,
      longitude: 9,
    }));
    await store(api, 'P-long', long);
    const controller = new AbortController();
    const response = await asked({ targa: 'P-long' }, controller);
    const reader = response.body!.getReader();
    const { value } = await reader.read();
    const { streams } = api.database;
    await expect.poll(() => streams.totalCount - streams.idleCount, { timeout: 60_000 }).toBe(0);
    // what is read goes on where it was
    let text = new TextDecoder().decode(value);
    while (text.length < 3_000_000) {
      const { value: more, done } = await reader.read();
      if (done) break;
      text += new TextDecoder().decode(more);
    }
    const times = [...text.matchAll(/<time>([^<]*)<\/time>/g)].map(([, time]) => Date.parse(time!));
    expect(times.length).toBeGreaterThan(15_000);
    expect(times.every((time, n) => time === START + n * 1000)).toBe(true);
    controller.abort();
    await expect.poll(() => streams.totalCount - streams.idleCount, { timeout: 60_000 }).toBe(0);
    expect((await api.get('/healthz')).status).toBe(200);
  }, 180_000);

  test.runIf(hasRowsOnly())('that disconnects during a query cancels its statement', async () => {
    const owner = new pg.Client({ connectionString: databaseUrl });
    const watcher = new pg.Client({ connectionString: databaseUrl });
    await Promise.all([owner.connect(), watcher.connect()]);
    const working = async (): Promise<number> => {
      const { rows } = await watcher.query(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and application_name = 'fleetgate streams' and query like 'copy%'
           and state = 'active'`,
      );
      return rows[0].count;
    };
    await owner.query('begin');
    await owner.query('lock table fleetgate.position in access exclusive mode');
    try {
      const controller = new AbortController();
      const response = asked({ targa: 'P-1' }, controller).catch((error: Error) => error.name);
      await expect.poll(working, { timeout: 60_000 }).toBe(1);
      controller.abort();
      expect(await response).toBe('AbortError');
      // the table is still locked: it has not just come to its end
      await expect.poll(working, { timeout: 60_000 }).toBe(0);
    } finally {
      await Promise.all([owner.end(), watcher.end()]);
    }
  });
});
