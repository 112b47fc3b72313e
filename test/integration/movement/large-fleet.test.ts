import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { route } from '../../support/track.ts';
import { store } from './support.ts';

const VEHICLES = 1_200;
const START = Date.UTC(2026, 4, 1, 8);
const interval = { from: START, to: START + 86_400_000 };
const query = `from=${interval.from}&to=${interval.to}`;
/** Vehicles that drove: the first, some behind each limit that there was, and the last. */
const DRIVEN = [0, 199, 200, 499, 500, 999, 1_000, 1_199];
const plate = (n: number): string => `BG${String(n).padStart(4, '0')}`;

let api: RunningApi;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
  const tenantId = await api.database.tenantId('default');
  for (const n of DRIVEN) {
    const { fixes } = route(START).ignition(true).drive(10, 60).ignition(false);
    await store(api, `D-${n}`, fixes, (_, index) => (index === 3 ? { attributes: { alarm: 'hardBraking' } } : {}));
  }
  const run = (text: string, ...values: readonly unknown[]) => api.database.ingest.query(text, [tenantId, ...values]);
  await run(`insert into vehicle_group (id, tenant_id, name) values ('big', $1, 'Big')`);
  await run(
    `insert into vehicle (id, tenant_id, targa, group_id)
     select 'v' || n, $1, 'BG' || lpad(n::text, 4, '0'), 'big' from generate_series(0, $2::int - 1) n`,
    VEHICLES,
  );
  await run(
    `insert into pairing (id, tenant_id, vehicle_id, device_id, source, valid_from)
     select 'p' || n, $1, 'v' || n, d.id, 'manual', '2026-05-01' from unnest($2::int[]) n join device d on d.imei = 'D-' || n`,
    DRIVEN,
  );
  await run(
    `insert into app_user (id, tenant_id, username, role, all_vehicles) values ('u1', $1, 'bob', 'viewer', true)`,
  );
  await run(
    `insert into driver (id, tenant_id, name) select 'd' || n, $1, 'D' || n from generate_series(1, $2::int) n`,
    VEHICLES,
  );
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

/** All items of a list, page by page. */
async function allOf<T>(path: string): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await api.get(`${path}${path.includes('?') ? '&' : '?'}limit=500${next}`);
    expect(status, path).toBe(200);
    items.push(...body.items);
    cursor = body.nextCursor;
  } while (cursor !== null);
  return items;
}

describe('totals over a fleet of 1,200 vehicles include all of them', () => {
  test.each(['vehicle', 'day', 'month'] as const)('routes of a group, by %s', async (groupBy) => {
    for (const includeRoutes of [false, true]) {
      const asked = { group: 'Big', ...interval, groupBy, includeRoutes };
      const { status, body } = await api.send('POST', '/v1/routesGrouped', asked);
      expect(status).toBe(200);
      expect(body.totals.routes).toBe(DRIVEN.length);
      expect(body.truncated).toBe(false);
      if (groupBy === 'vehicle') {
        expect(body.groups.map(({ key }: { key: string }) => key).sort()).toEqual(DRIVEN.map(plate));
      }
    }
  });

  test('more days than can be added up are refused', async () => {
    const asked = { group: 'Big', from: START, to: START + 16 * 86_400_000 };
    const { status, body } = await api.send('POST', '/v1/routesGrouped', asked);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'interval-too-long' });
    expect(body.detail).toContain('15 days of 1200 vehicles');
  });

  test.each(['me', 'bob'])('safety of the vehicles of %s', async (user) => {
    const { status, body } = await api.get(`/v1/vehicles/safety/${user}?${query}`);
    expect(status).toBe(200);
    expect(body.items).toHaveLength(VEHICLES);
    const driven = body.items.filter(({ distanceM }: { distanceM: number }) => distanceM > 0);
    expect(driven.map(({ targa }: { targa: string }) => targa)).toEqual(DRIVEN.map(plate));
    expect(driven.map(({ harshBraking }: { harshBraking: number }) => harshBraking)).toEqual(DRIVEN.map(() => 1));
    // one harsh braking, 4 points of 100 km, in each 10 km
    expect(body.fleetScore).toBe(60);
  });

  test('the own record of a user', async () => {
    expect((await api.get('/v1/app/me')).body.vehicles).toBe(VEHICLES);
  });

  test('a report asks for every vehicle', async () => {
    const listed = await allOf<{ targa: string }>('/v1/vehicles');
    expect(listed.map(({ targa }) => targa)).toEqual(Array.from({ length: VEHICLES }, (_, n) => plate(n)));
    const units = await allOf<{ targa: string }>('/v1/vehicles/ddd/me');
    expect(new Set(units.map(({ targa }) => targa)).size).toBe(VEHICLES);
    expect(await allOf('/v1/drivers/ddd/me')).toHaveLength(VEHICLES);
  });
});

test('devices without records are vehicles of their own: all of them', async () => {
  const other = await withDatabase((url) => startApi(url));
  try {
    const tenantId = await other.database.tenantId('default');
    await other.database.ingest.query(
      `insert into device (tenant_id, imei, registered_by)
       select $1, 'D-' || lpad(n::text, 4, '0'), 'api' from generate_series(1, $2::int) n`,
      [tenantId, VEHICLES],
    );
    const { body } = await other.get(`/v1/vehicles/safety/me?${query}`);
    expect(body.items).toHaveLength(VEHICLES);
  } finally {
    await other.stop();
  }
});

test('all alarms of a vehicle are counted, and the list says that it has fewer', async () => {
  const count = 10_500;
  const fixes = Array.from({ length: count }, (_, n) => ({
    at: START + n * 1_000,
    latitude: 45,
    longitude: 9 + n * 1e-4,
  }));
  await store(api, 'ALARMS', fixes as never, () => ({ attributes: { alarm: 'hardBraking' } }));
  const tenantId = await api.database.tenantId('default');
  await api.database.ingest.query(
    `with made as (insert into vehicle (id, tenant_id, targa) values ('va', $1, 'ALARMS') returning id)
     insert into pairing (id, tenant_id, vehicle_id, device_id, source, valid_from)
     select 'pa', $1, made.id, d.id, 'manual', '2026-05-01' from made, device d where d.imei = 'ALARMS'`,
    [tenantId],
  );
  const { body } = await api.get(`/v1/vehicles/safety/me?${query}`);
  const item = body.items.find(({ targa }: { targa: string }) => targa === 'ALARMS');
  expect(item.harshBraking).toBe(count);
  expect(item.events).toHaveLength(1_000);
  expect(item.eventsTruncated).toBe(true);
});
