import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { route } from '../../support/track.ts';
import { store } from './support.ts';

const START = Date.UTC(2026, 4, 1, 8);
const interval = { from: START, to: START + 86_400_000 };

let api: RunningApi;
let tenantId: number;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
  tenantId = await api.database.tenantId('default');
  await store(api, 'L-1', route(START).ignition(true).drive(10, 60).ignition(false).fixes);
  const run = (text: string) => api.database.ingest.query(text, [tenantId]);
  await run(`insert into vehicle_group (id, tenant_id, name) values ('g1', $1, 'North')`);
  await run(
    `insert into vehicle (id, tenant_id, targa, group_id) values ('v1', $1, 'AA111AA', 'g1'), ('v2', $1, 'BB222BB', null)`,
  );
  await run(`insert into driver (id, tenant_id, name) values ('d1', $1, 'Ada')`);
  await run(`insert into pairing (id, tenant_id, vehicle_id, device_id, source, valid_from)
             select 'p1', $1, 'v1', id, 'manual', now() from device where imei = 'L-1'`);
  await run(`insert into pairing (id, tenant_id, vehicle_id, driver_id, source, valid_from)
             values ('p2', $1, 'v1', 'd1', 'manual', '2026-05-01')`);
  await run(
    `insert into app_user (id, tenant_id, username, role, all_vehicles) values ('u1', $1, 'bob', 'viewer', false)`,
  );
  await run(`insert into user_vehicle (tenant_id, user_id, vehicle_id) values ($1, 'u1', 'v2')`);
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

test('a vehicle is found by its plate and has the path of its device', async () => {
  const { body } = await api.send('PUT', '/v1/vehicles/routes', { vehicles: ['aa 111-aa', 'BB222BB'], ...interval });
  expect(body.items).toMatchObject([
    { targa: 'AA111AA', routes: [{ targa: 'AA111AA', driverId: 'd1', maxSpeed: 60 }] },
    { targa: 'BB222BB', routes: [] },
  ]);
});

test('positions that a device recorded before its first pairing belong to that vehicle', async () => {
  const { body } = await api.send('PUT', '/v1/vehicles/AA111AA/polyline', interval);
  expect(body.points).toBeGreaterThan(20);
});

test('a vehicle without a device has no position', async () => {
  const answer = await api.send('PUT', '/v1/vehicles/BB222BB/polyline', interval);
  expect(answer).toMatchObject({ status: 404, body: { code: 'unknown-device' } });
});

test('a group is found by id or name', async () => {
  for (const group of ['g1', 'North']) {
    const { body } = await api.send('POST', '/v1/routesGrouped', { group, ...interval, groupBy: 'driver' });
    expect(body.groups).toMatchObject([{ key: 'd1', driverId: 'd1', routes: 1 }]);
  }
});

test('a user sees the vehicles that are theirs', async () => {
  const { body } = await api.get(`/v1/vehicles/safety/bob?from=${interval.from}&to=${interval.to}`);
  expect(body.items.map(({ targa }: { targa: string }) => targa)).toEqual(['BB222BB']);
  const all = await api.get(`/v1/vehicles/safety/me?from=${interval.from}&to=${interval.to}`);
  expect(all.body.items.map(({ targa }: { targa: string }) => targa)).toEqual(['AA111AA', 'BB222BB']);
});
