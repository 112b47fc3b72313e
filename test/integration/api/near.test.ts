import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { createGeocoder } from '../../../src/server/movement/places/index.ts';
import { type RunningApi, silent, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

/** degrees of latitude for a kilometer */
const KM = 1 / 111.195;
const MILAN = { latitude: 45.4642, longitude: 9.19 };

let api: RunningApi;
let double: Server;
/** what the double answers, by the beginning of a path */
let answers: Readonly<Record<string, (url: URL, body: string) => unknown>> = {};
let asked: string[] = [];

async function answer(request: IncomingMessage, response: ServerResponse) {
  let body = '';
  for await (const chunk of request) body += chunk;
  const url = new URL(request.url!, 'http://double');
  asked.push(url.pathname);
  const found = Object.entries(answers).find(([path]) => url.pathname.startsWith(path))?.[1];
  response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(found?.(url, body) ?? { error: 'not here' }));
}

async function vehicle(targa: string, north: number, valid = true, group?: string) {
  const imei = `near-${targa}`;
  await api.send('POST', '/v1/vehicles', { targa, ...(group === undefined ? {} : { group }) });
  await api.send('POST', '/v1/devices', { imei });
  await api.send('POST', '/v1/pairings', { targa, imei, from: new Date(Date.now() - 3_600_000).toISOString() });
  const fixTime = new Date(Date.now() - 60_000).toISOString();
  const fix = { imei, fixTime, valid, latitude: MILAN.latitude + north * KM, longitude: MILAN.longitude, speed: 0 };
  const { body } = await api.send('POST', '/v1/positions', { positions: [{ ...fix, attributes: {} }] });
  expect(body.rejected).toEqual([]);
}

const near = async (query: string, from = api) => (await from.get(`/v1/vehicles/near?${query}`)).body;
const AT = `latitude=${MILAN.latitude}&longitude=${MILAN.longitude}`;
const plates = (body: { items: { targa: string }[] }) => body.items.map(({ targa }) => targa);

/** An API with a router or a geocoder at the double, on the same database. */
async function withServices(work: (other: RunningApi) => Promise<void>, types: 'auto' | 'osrm' | 'valhalla' = 'auto') {
  const url = `http://127.0.0.1:${(double.address() as AddressInfo).port}`;
  const geocoder = createGeocoder({
    settings: {
      GEOCODER_URL: url,
      GEOCODER_TYPE: 'auto',
      GEOCODER_PER_SECOND: 1_000,
      GEOCODER_TIMEOUT_MS: 3_000,
      GEOCODER_WAIT_MS: 3_000,
      GEOCODER_QUEUE: 10,
      GEOCODER_CACHE: 10,
    },
    clock: systemClock,
    log: silent,
    agent: 'fleetgate',
  });
  const other = await startApi(
    databaseUrl,
    { ROUTER_URL: url, ROUTER_TYPE: types },
    { searchAddress: geocoder.searchAddress },
  );
  asked = [];
  try {
    await work(other);
  } finally {
    geocoder.close();
    await other.stop();
  }
}
let databaseUrl: string;

beforeAll(async () => {
  double = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => double.listen(0, '127.0.0.1', resolve));
  api = await withDatabase((url) => {
    databaseUrl = url;
    return startApi(url);
  });
  await api.send('POST', '/v1/groups', { name: 'Vans' });
  await vehicle('FAR001', 30);
  await vehicle('NEAR01', -2);
  await vehicle('MIDDLE', 10, true, 'Vans');
  await vehicle('NOFIX1', 0, false);
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
  await new Promise((resolve) => double.close(resolve));
});

test('the nearest vehicles of a point by straight distance, without those that have no valid fix', async () => {
  const found = await near(AT);
  expect(found).toMatchObject({ routing: 'straight', point: { ...MILAN, address: null } });
  expect(plates(found)).toEqual(['NEAR01', 'MIDDLE', 'FAR001']);
  expect(found.items[0].distanceM / 1_000).toBeCloseTo(2, 2);
  expect(found.items[0]).toMatchObject({ roadDistanceM: null, travelSeconds: null, eta: null, online: false });
  expect(plates(await near(`${AT}&limit=1`))).toEqual(['NEAR01']);
  expect(plates(await near(`${AT}&group=Vans`))).toEqual(['MIDDLE']);
  expect(plates(await near(`${AT}&maxAgeSeconds=30`))).toEqual([]);
});

test('an address without a geocoder is the largest place of the name', async () => {
  const found = await near('address=milano');
  const english = await near('address=Milan, IT');
  expect([found, english].some(({ items }) => items !== undefined && plates({ items })[0] === 'NEAR01')).toBe(true);
  expect(await near('address=nowhere%20at%20all')).toMatchObject({ code: 'unknown-address' });
  expect(await near('')).toMatchObject({ code: 'invalid' });
  expect(await near(`${AT}&address=Milan`)).toMatchObject({ code: 'invalid' });
});

test('the order is that of travel times, by OSRM', async () => {
  const seconds = [900, 300, null];
  answers = {
    '/table/v1/driving/': ({ pathname, searchParams }) => {
      expect(pathname.split('/').at(-1)!.split(';')).toHaveLength(4);
      expect([searchParams.get('sources'), searchParams.get('destinations')]).toEqual(['0;1;2', '3']);
      return { code: 'Ok', durations: seconds.map((one) => [one]), distances: [[9_000], [12_000], [null]] };
    },
  };
  await withServices(async (other) => {
    const found = await near(AT, other);
    expect(found.routing).toBe('road');
    expect(found.items).toMatchObject([
      { targa: 'MIDDLE', travelSeconds: 300, roadDistanceM: 12_000, eta: expect.any(String) },
      { targa: 'NEAR01', travelSeconds: 900 },
      { targa: 'FAR001', travelSeconds: null, eta: null },
    ]);
  });
});

test('Valhalla is found by itself, and asked first from then on', async () => {
  answers = {
    '/sources_to_targets': (_, body) => {
      const { sources, targets } = JSON.parse(body);
      expect(targets).toEqual([{ lat: MILAN.latitude, lon: MILAN.longitude }]);
      return { sources_to_targets: sources.map((_: unknown, n: number) => [{ distance: 1.5 + n, time: 100 - n }]) };
    },
  };
  await withServices(async (other) => {
    expect(plates(await near(AT, other))).toEqual(['FAR001', 'MIDDLE', 'NEAR01']);
    expect((await near(AT, other)).items[2]).toMatchObject({ roadDistanceM: 1_500, travelSeconds: 100 });
    expect(asked.filter((path) => path.startsWith('/table'))).toHaveLength(1);
  });
});

test('a router that does not answer is named, and the order is straight', async () => {
  answers = {};
  await withServices(async (other) => {
    const found = await near(AT, other);
    expect(found.routing).toBe('unavailable');
    expect(plates(found)).toEqual(['NEAR01', 'MIDDLE', 'FAR001']);
  });
});

test('an address is found by Nominatim or Photon', async () => {
  const nominatim = () => [{ lat: '45.73', lon: '9.19', display_name: 'Seregno, Lombardia, Italia' }];
  const photon = () => ({
    type: 'FeatureCollection',
    features: [{ geometry: { coordinates: [9.19, 45.45] }, properties: { name: 'Via Roma' } }],
  });
  const point = async (other: RunningApi) => (await near('address=Via%20Roma%201', other)).point;
  answers = { '/search': nominatim };
  await withServices(async (other) => {
    expect(await point(other)).toMatchObject({ latitude: 45.73, address: 'Seregno, Lombardia, Italia' });
    answers = { '/api': photon };
    expect(await point(other)).toMatchObject({ latitude: 45.45, address: 'Via Roma' });
  });
});
