import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

const START = Date.now() - 3_600_000;
const DEPOT = { type: 'circle', center: [9, 45], radiusM: 500 };
const CITY = {
  type: 'polygon',
  coordinates: [
    [8.9, 44.9],
    [9.1, 44.9],
    [9.1, 45.1],
    [8.9, 45.1],
    [8.9, 44.9],
  ],
};

let api: RunningApi;
const at = (minute: number): string => new Date(START + minute * 60_000).toISOString();

async function report(minute: number, latitude: number, over: object = {}) {
  const fix = { imei: 'present', fixTime: at(minute), valid: true, latitude, longitude: 9, attributes: {}, ...over };
  const { body } = await api.send('POST', '/v1/positions', { positions: [fix] });
  expect(body.rejected).toEqual([]);
  do await api.api.reported.run();
  while ((await api.api.reported.lag()) > 0);
}

const position = () => api.get('/v1/vehicles/present/position');
const geofences = async () =>
  (await position()).body.geofences.map(({ name, since }: { name: string; since: string }) => [name, since]);

beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
  do await api.api.reported.run();
  while ((await api.api.reported.lag()) > 0);
  await api.send('POST', '/v1/devices', { imei: 'present' });
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

test('a position names the geofences that it is in, and since when', async () => {
  await report(0, 45);
  expect(await geofences()).toEqual([]);
  const { body: depot } = await api.send('POST', '/v1/geofences', { name: 'Depot', area: DEPOT });
  await api.send('POST', '/v1/geofences', { name: 'City', area: CITY });
  // of the first fix since the geofence is there
  await report(1, 45);
  expect(await geofences()).toEqual([
    ['City', at(1)],
    ['Depot', at(1)],
  ]);
  await report(2, 45.001);
  expect((await position()).body.geofences).toContainEqual({ id: depot.id, name: 'Depot', since: at(1) });
  // 5.5 km north: in the city, not in the depot
  await report(3, 45.05);
  expect(await geofences()).toEqual([['City', at(1)]]);
  await report(4, 45);
  expect(await geofences()).toEqual([
    ['City', at(1)],
    ['Depot', at(4)],
  ]);
});

test('late fixes, fixes that are not valid, and removed geofences change what is shown as they should', async () => {
  await report(3.5, 46);
  await report(5, 46, { valid: false });
  expect(await geofences()).toEqual([
    ['City', at(1)],
    ['Depot', at(4)],
  ]);
  const etag = (await position()).headers.get('etag')!;
  const { body: list } = await api.get('/v1/geofences?q=Depot');
  await api.send('DELETE', `/v1/geofences/${list.items[0].id}`);
  const { status } = await api.get('/v1/vehicles/present/position', { 'if-none-match': etag });
  expect(status).toBe(200);
  expect(await geofences()).toEqual([['City', at(1)]]);
  await report(6, 46);
  expect(await geofences()).toEqual([]);
});
