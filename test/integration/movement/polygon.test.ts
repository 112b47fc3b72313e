import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fix } from '../../../src/server/movement/track/fixes.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { store } from './support.ts';

const START = Date.UTC(2026, 4, 1, 8);
const MINUTE = 60_000;
const SQUARE = [
  [12, 41],
  [13, 41],
  [13, 42],
  [12, 42],
  [12, 41],
];
/** a fix a minute on the parallel 41.5 north */
const along = (...longitudes: number[]): Fix[] =>
  longitudes.map((longitude, n) => ({ at: START + n * MINUTE, latitude: 41.5, longitude }));
const iso = (minutes: number): string => new Date(START + minutes * MINUTE).toISOString().replace('.000', '');

let api: RunningApi;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
  await api.send('POST', '/v1/devices', { imei: 'V-1', name: 'AB 123-CD' });
  await api.send('POST', '/v1/devices', { imei: 'V-empty' });
  const track = along(11.5, 12.5, 12.6, 13.5, 14);
  const unlike = { at: START + 90_000, latitude: 50, longitude: 0 };
  // late, in another order, twice, and with records that are no fixes
  await store(api, 'V-1', track.toReversed());
  await store(api, 'V-1', track.slice(1, 3));
  await store(api, 'V-1', [unlike], () => ({ valid: false }));
  await store(api, 'V-1', [unlike], () => ({ latitude: undefined, longitude: undefined, outdated: true }));
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const ask = (body: object, targa = 'AB123CD', query = '') =>
  api.send('PUT', `/v1/vehicles/${targa}/checkpoi${query}`, body);
const day = { from: START, to: START + 86_400_000 };

describe('checkpoi', () => {
  test('reports a visit as documented', async () => {
    const { status, body } = await ask({ ...day, polygon: SQUARE });
    expect(status).toBe(200);
    expect(body).toEqual({
      targa: 'AB123CD',
      imei: 'V-1',
      from: iso(0),
      to: iso(24 * 60),
      inside: true,
      visits: [
        {
          entry: { at: iso(0.5), latitude: 41.5, longitude: 12, interpolated: true, beforeInterval: false },
          exit: { at: '2026-05-01T08:02:26.667Z', latitude: 41.5, longitude: 13, interpolated: true },
          dwellMs: 116_667,
          points: 2,
          crossedOnly: false,
          maxGapMs: MINUTE,
          uncertain: false,
        },
      ],
      visitCount: 1,
      totalDwellMs: 116_667,
      firstEntry: iso(0.5),
      lastExit: '2026-05-01T08:02:26.667Z',
      stillInside: false,
      evaluatedPoints: 5,
      gaps: [],
      polygon: { areaM2: expect.any(Number), order: 'lonlat', vertices: 5 },
      warnings: [],
    });
    expect(body.polygon.areaM2 / (111_195 * 111_195 * Math.cos((41.5 * Math.PI) / 180))).toBeCloseTo(1, 3);
  });

  test.each(['AB123CD', 'ab-123 cd', 'V-1'])('finds the vehicle by %s', async (targa) => {
    expect((await ask({ ...day, polygon: SQUARE }, encodeURIComponent(targa))).body.imei).toBe('V-1');
  });

  test('reads the fix before the interval', async () => {
    const { body } = await ask({ from: START + 90_000, to: day.to, polygon: SQUARE });
    expect(body).toMatchObject({
      visits: [{ entry: { at: iso(1.5), longitude: 12.55, beforeInterval: true }, points: 1 }],
      evaluatedPoints: 3,
    });
  });

  test('warns about the order of axes, and uses the other on request', async () => {
    const polygon = SQUARE.map(([x, y]) => [y, x]);
    expect((await ask({ ...day, polygon })).body).toMatchObject({
      inside: false,
      visits: [],
      firstEntry: null,
      warnings: ['coordinate-order-suspect'],
    });
    expect((await ask({ ...day, polygon }, 'V-1', '?order=latlon')).body).toMatchObject({
      visitCount: 1,
      warnings: [],
      polygon: { order: 'latlon' },
    });
  });

  test('returns the path if requested', async () => {
    const { body } = await ask({ ...day, polygon: SQUARE }, 'V-1', '?includeTrack=true');
    expect(body.track).toEqual([11.5, 12.5, 12.6, 13.5, 14].map((x) => [x, 41.5]));
  });

  test('accepts options', async () => {
    expect((await ask({ ...day, polygon: SQUARE }, 'V-1', '?minDwellMs=116668')).body.visitCount).toBe(0);
    expect((await ask({ ...day, polygon: SQUARE }, 'V-1', '?maxGapMs=59999')).body).toMatchObject({
      visits: [{ uncertain: true, points: 1 }, { uncertain: true }],
      gaps: expect.arrayContaining([{ from: iso(0), to: iso(1) }]),
    });
  });

  test('of an interval without fixes reports none', async () => {
    const { body } = await ask({ from: 1_000_000_000_000, to: 1_000_000_000_001, polygon: SQUARE });
    expect(body).toMatchObject({ inside: false, evaluatedPoints: 0, visits: [], gaps: [] });
  });

  test.each<[string, object, string, number, string]>([
    ['an open ring', { polygon: [...SQUARE.slice(0, 4), [12, 41.1]] }, 'V-1', 422, 'polygon-not-closed'],
    [
      'a bow tie',
      {
        polygon: [
          [0, 0],
          [1, 1],
          [1, 0],
          [0, 1],
          [0, 0],
        ],
      },
      'V-1',
      422,
      'polygon-self-intersects',
    ],
    ['three pairs', { polygon: SQUARE.slice(0, 3) }, 'V-1', 422, 'invalid'],
    ['1,001 pairs', { polygon: Array(1001).fill([1, 1]) }, 'V-1', 422, 'invalid'],
    [
      'pairs off the globe',
      {
        polygon: [
          [0, 99],
          [1, 1],
          [1, 0],
          [0, 99],
        ],
      },
      'V-1',
      422,
      'invalid',
    ],
    ['triples', { polygon: SQUARE.map((pair) => [...pair, 0]) }, 'V-1', 422, 'invalid'],
    ['no polygon', { polygon: undefined }, 'V-1', 422, 'invalid'],
    ['a reversed interval', { from: day.to, to: day.from }, 'V-1', 422, 'from-after-to'],
    [
      'a century',
      { from: 1_000_000_000_000, to: 1_000_000_000_000 + 100 * 366 * 86_400_000 },
      'V-1',
      422,
      'interval-too-long',
    ],
    ['31 days and a bit', { to: START + 31 * 86_400_000 + 1 }, 'V-1', 422, 'interval-too-long'],
    ['an invalid time', { from: 1e300 }, 'V-1', 422, 'invalid'],
    ['a vehicle that nobody knows', {}, 'ZZ999ZZ', 404, 'unknown-vehicle'],
    ['a device that has not reported', {}, 'V-empty', 404, 'no-position-yet'],
  ])('refuses %s', async (_, over, targa, status, code) => {
    const answer = await ask({ ...day, polygon: SQUARE, ...over }, targa);
    expect(answer).toMatchObject({ status, body: { code } });
  });

  test('shows no vehicle of another tenant', async () => {
    const other = await api.database.tenantId('other');
    const { createKey } = await import('../../../src/server/index.ts');
    const { key } = await createKey(api.database.ingest, { tenantId: other, name: 'o', scopes: ['positions:read'] });
    const answer = await api.send(
      'PUT',
      '/v1/vehicles/V-1/checkpoi',
      { ...day, polygon: SQUARE },
      { authorization: `Bearer ${key}` },
    );
    expect(answer).toMatchObject({ status: 404, body: { code: 'unknown-vehicle' } });
  });
});
