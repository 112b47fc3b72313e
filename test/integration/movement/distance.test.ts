import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { motorway, START } from '../../support/motorway.ts';
import { store } from './support.ts';

/** Every operation that reports a distance, beside GeographicLib's of the road. */

let api: RunningApi;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const interval = { from: START - 3_600_000, to: START + 6 * 3_600_000 };
const iso = (epochMs: number): string => new Date(epochMs).toISOString().replace('.000', '');

async function post(path: string, body: object) {
  const answer = await api.send('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

describe.each([10, 30, 60, 180, 360])('a drive of 200 km with a report each %i s', (everyS) => {
  test.each(['reported', 'not reported'] as const)(
    'has one distance in all operations, within half a percent of the road, ignition %s',
    async (ignition) => {
      const targa = `D${everyS}${ignition === 'reported' ? 'I' : 'N'}`;
      const { fixes, metres } = motorway(everyS, 45, 60, ignition);
      await store(api, `imei-${targa}`, fixes);
      await post('/v1/vehicles', { targa });
      await post('/v1/pairings', { targa, imei: `imei-${targa}`, from: iso(interval.from) });
      const query = `from=${interval.from}&to=${interval.to}`;
      const routes = (await api.get(`/v1/vehicles/routesV2?targa=${targa}&${query}`)).body;
      const grouped = await post('/v1/routesGrouped', { vehicles: [targa], ...interval, groupBy: 'day' });
      const path = await api.send('PUT', '/v1/vehicles/percorso', { targa, ...interval });
      const safety = (await api.get(`/v1/vehicles/safety/me?${query}`)).body;
      const asked = { vehicles: [targa], from: iso(interval.from), to: iso(interval.to), kind: 'device' };
      const history = await post('/v1/vehicles/reports/pairing_history', asked);
      const found: Record<string, number> = {
        routesV2: routes.totals.distanceM,
        routesGrouped: grouped.totals.distanceM,
        percorso: path.body.distanceM,
        safety: safety.items.find((one: { targa: string }) => one.targa === targa).distanceM,
        pairingHistory: history.items[0].distanceM,
      };
      for (const [operation, distance] of Object.entries(found)) {
        expect(Math.abs(distance / metres - 1), operation).toBeLessThan(0.005);
        expect(Math.abs(distance - found['routesV2']!), operation).toBeLessThanOrEqual(1);
      }
    },
  );
});
