import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { createGeocoder, type Geocoder } from '../../../src/server/movement/places/index.ts';
import type { GeocoderSettings } from '../../../src/server/movement/places/settings.ts';
import { silent } from '../../support/api.ts';

const ROME = { latitude: 41.8902, longitude: 12.4922 };
const MILAN = { latitude: 45.4642, longitude: 9.19 };
const TURIN = { latitude: 45.0703, longitude: 7.6869 };
const LICENCE = 'Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright';

let server: Server | undefined;
let geocoder: Geocoder | undefined;
afterEach(async () => {
  geocoder?.close();
  server?.closeAllConnections();
  await new Promise((done) => (server === undefined ? done(0) : server.close(done)));
  server = undefined;
});

type Handle = (url: URL, request: IncomingMessage, response: ServerResponse) => void;

async function open(handle: Handle, over: Partial<GeocoderSettings> = {}): Promise<{ readonly asked: URL[] }> {
  const asked: URL[] = [];
  server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://geocoder');
    asked.push(url);
    response.setHeader('content-type', 'application/json');
    handle(url, request, response);
  });
  await new Promise<void>((listening) => server!.listen(0, '127.0.0.1', listening));
  geocoder = createGeocoder({
    settings: {
      GEOCODER_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      GEOCODER_TYPE: 'auto',
      GEOCODER_PER_SECOND: 1_000,
      GEOCODER_TIMEOUT_MS: 20_000,
      GEOCODER_WAIT_MS: 20_000,
      GEOCODER_QUEUE: 100,
      GEOCODER_CACHE: 100,
      ...over,
    },
    clock: systemClock,
    log: silent,
    agent: 'fleetgate/test',
  });
  return { asked };
}

/** Answers as the manual of Nominatim describes /reverse with format=jsonv2. */
const nominatim: Handle = (url, _, response) => {
  if (url.pathname !== '/reverse' || url.searchParams.get('format') !== 'jsonv2') {
    response.writeHead(400).end('{"error":{"code":400,"message":"Parameter \'format\' must be one of: …"}}');
    return;
  }
  const latitude = Number(url.searchParams.get('lat'));
  if (latitude < 0) {
    response.end('{"error":"Unable to geocode"}');
    return;
  }
  response.end(
    JSON.stringify({
      place_id: 134140761,
      licence: LICENCE,
      osm_type: 'way',
      osm_id: 280940520,
      lat: String(latitude),
      lon: url.searchParams.get('lon'),
      category: 'tourism',
      type: 'attraction',
      display_name: `Colosseo, Piazza del Colosseo, Roma, ${url.searchParams.get('accept-language')}`,
      address: { road: 'Piazza del Colosseo', city: 'Roma', country_code: 'it' },
    }),
  );
};

/** Answers as the README of Photon describes /reverse. */
const photon: Handle = (url, _, response) => {
  for (const [name, value] of url.searchParams) {
    const isKnown = ['lat', 'lon', 'radius', 'limit', 'lang', 'distance_sort'].includes(name);
    if (isKnown && (name !== 'lang' || ['default', 'en', 'de', 'fr'].includes(value))) continue;
    response.writeHead(400).end(JSON.stringify({ message: `unknown query parameter '${name}'.` }));
    return;
  }
  const properties = {
    osm_id: 1834818,
    osm_type: 'R',
    osm_key: 'tourism',
    osm_value: 'attraction',
    country: 'Italia',
    countrycode: 'IT',
    city: 'Roma',
    street: 'Piazza del Colosseo',
    housenumber: '1',
    postcode: '00184',
    name: 'Colosseo',
    state: 'Lazio',
  };
  const geometry = { type: 'Point', coordinates: [12.4922, 41.8902] };
  response.end(JSON.stringify({ type: 'FeatureCollection', features: [{ type: 'Feature', geometry, properties }] }));
};

describe('an address', () => {
  test('comes from a server with the interface of Nominatim, with its licence, once for a place', async () => {
    const { asked } = await open(nominatim);
    const found = await geocoder!.addressesOf([ROME, { ...ROME }], 'it');
    const address = {
      address: 'Colosseo, Piazza del Colosseo, Roma, it',
      source: 'service',
      attribution: LICENCE,
    };
    expect(found).toEqual([address, address]);
    expect(await geocoder!.addressesOf([ROME], 'it')).toEqual([address]);
    expect(asked.map(({ pathname }) => pathname)).toEqual(['/reverse']);
    expect(asked[0]!.searchParams.get('lon')).toBe('12.492200');
    expect((await geocoder!.addressesOf([ROME], 'en'))[0]!.address).toMatch(/, en$/);
  });

  test.each(['en', 'it'] as const)('comes from a server with the interface of Photon, in %s', async (language) => {
    const { asked } = await open(photon);
    expect(await geocoder!.addressesOf([ROME], language)).toEqual([
      {
        address: 'Colosseo, Piazza del Colosseo 1, 00184 Roma, Lazio, Italia',
        source: 'service',
        attribution: '© OpenStreetMap contributors',
      },
    ]);
    await geocoder!.addressesOf([MILAN], language);
    // what it is was found out by the first request
    expect(asked).toHaveLength(3);
  });

  test('is the nearest place where the server has none', async () => {
    await open(nominatim);
    const [found] = await geocoder!.addressesOf([{ latitude: -33.8688, longitude: 151.2093 }], 'en');
    expect(found).toMatchObject({ address: 'Sydney, Australia', source: 'offline' });
    expect(found!.attribution).toContain('GeoNames');
  });

  test('is the nearest place while the server fails, and the server receives no requests', async () => {
    const { asked } = await open((_, __, response) => response.writeHead(502).end());
    const found = await geocoder!.addressesOf([MILAN, TURIN, ROME], 'en');
    expect(found.slice(0, 2)).toMatchObject([
      { address: 'Milan, Italy', source: 'offline' },
      { address: 'Turin, Italy', source: 'offline' },
    ]);
    await geocoder!.addressesOf([MILAN, TURIN], 'en');
    expect(asked).toHaveLength(1);
  });

  test('is the nearest place where the server is too slow; what it answers later is used the next time', async () => {
    let answer = (): void => {};
    const arrived = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await open((url, request, response) => void arrived.then(() => nominatim(url, request, response)), {
      GEOCODER_WAIT_MS: 1,
    });
    expect(await geocoder!.addressesOf([MILAN], 'en')).toMatchObject([{ address: 'Milan, Italy', source: 'offline' }]);
    answer();
    await expect.poll(async () => (await geocoder!.addressesOf([MILAN], 'en'))[0]!.source).toBe('service');
  });

  test('is asked for no faster than allowed', async () => {
    const { asked } = await open(nominatim, { GEOCODER_PER_SECOND: 0.01, GEOCODER_WAIT_MS: 1 });
    await expect.poll(async () => (await geocoder!.addressesOf([ROME], 'en'))[0]!.source).toBe('service');
    const found = await geocoder!.addressesOf([MILAN, TURIN], 'en');
    expect(found.map(({ source }) => source)).toEqual(['offline', 'offline']);
    expect(asked).toHaveLength(1);
  });
});
