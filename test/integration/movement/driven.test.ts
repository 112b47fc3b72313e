import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDriven, readFixes } from '../../../src/server/movement/api/fixes/store.ts';
import { type Fix, type Fixes, fixAt, toFixes } from '../../../src/server/movement/track/fixes.ts';
import { TRIP_DEFAULTS, type Trip, TripDetector } from '../../../src/server/movement/track/trips.ts';
import { anyTrack } from '../../support/any-track.ts';
import { hasRowsOnly, type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { route } from '../../support/track.ts';
import { store } from './support.ts';

/** half an hour before another month begins */
const START = Date.UTC(2026, 3, 30, 23, 30);
const interval = { from: START, to: START + 20 * 86_400_000 };

/** of the tracks that are drawn; printed if one fails */
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);

let api: RunningApi;
let tenantId: number;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
  tenantId = await api.database.tenantId('default');
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const deviceOf = async (imei: string): Promise<number> => {
  const { rows } = await api.database.ingest.query('select id from device where imei = $1', [imei]);
  return rows[0].id;
};
const trips = async (read: (feed: (fixes: Fixes) => void) => Promise<void>): Promise<Trip[]> => {
  const found: Trip[] = [];
  const detector = new TripDetector({ ...TRIP_DEFAULTS, maxPolylinePoints: 100 }, (trip) => found.push(trip));
  await read((fixes) => detector.feed(fixes));
  detector.finish();
  return found;
};
const driven = (deviceId: number) =>
  trips((feed) => readDriven(api.database, tenantId, { deviceId, ...interval }, feed));

test('reads the same fixes for trips as a full scan, for any track', async () => {
  // parked for long, so that it pays; two records of one time; begins or ends parked
  const parked = (fixes: readonly Fix[]): Fix[] => {
    const last = fixes.at(-1)!;
    const stood = route(last.at + 60_000, 60)
      .ignition(false)
      .stand(12 * 3_600).fixes;
    return [...fixes, { ...last, ignition: last.ignition !== true }, ...stood];
  };
  const tracks = fc.sample(anyTrack(START), { seed: SEED, numRuns: 24 });
  for (const [n, fixes] of tracks.entries()) {
    const imei = `D-${n}`;
    const track = parked(fixes);
    await store(api, imei, n % 3 === 0 ? [...parked([fixes[0]!]).slice(0, -1), ...track] : track);
    const deviceId = await deviceOf(imei);
    const all = await trips((feed) => readFixes(api.database.streams, tenantId, { deviceId, ...interval }, feed));
    expect(await driven(deviceId), `seed ${SEED}, track ${n}`).toEqual(all);
  }
});

test.runIf(hasRowsOnly())('of a parked vehicle reads few rows', async () => {
  const days = route(START, 60);
  for (let day = 0; day < 5; day++) days.ignition(true).drive(20, 60).ignition(false).stand(82_000);
  await store(api, 'D-parked', days.fixes);
  const deviceId = await deviceOf('D-parked');
  let read = 0;
  await readDriven(api.database, tenantId, { deviceId, ...interval }, ({ count }) => {
    read += count;
  });
  expect(days.fixes.length).toBeGreaterThan(6_000);
  expect(read).toBeLessThan(250);
  expect(await driven(deviceId)).toEqual(
    await trips(async (feed) => {
      feed(toFixes(days.fixes));
    }),
  );
});

test('records without coordinates, and of other tenants, are not included', async () => {
  const track = route(START).ignition(false).stand(3_600).ignition(true).drive(5, 50).ignition(false).stand(3_600);
  await store(api, 'D-none', track.fixes, (fix, n) =>
    n % 2 === 1 && fix.speed === 0 ? { latitude: undefined, longitude: undefined } : {},
  );
  const deviceId = await deviceOf('D-none');
  const seen: Fix[] = [];
  const feed = (fixes: Fixes): void => {
    for (let i = 0; i < fixes.count; i++) seen.push(fixAt(fixes, i));
  };
  await readDriven(api.database, tenantId, { deviceId, ...interval }, feed);
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.every(({ latitude }) => latitude >= 45)).toBe(true);
  seen.length = 0;
  await readDriven(api.database, tenantId + 1, { deviceId, ...interval }, feed);
  expect(seen).toEqual([]);
});

test('expensive fixes are read in time slices, several vehicles at once, and none is lost', async () => {
  const track = route(START, 1).drive(84, 50).fixes;
  const imeis = ['T-1', 'T-2', 'T-3'];
  for (const imei of imeis) await store(api, imei, track);
  let isReading = true;
  let slices = 0;
  const count = (): void => {
    slices++;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  const readAll = async (imei: string): Promise<number[]> => {
    const stretch = { deviceId: await deviceOf(imei), ...interval };
    const seen: number[] = [];
    const feed = (fixes: Fixes): void => {
      const until = performance.now() + 4;
      while (performance.now() < until);
      seen.push(...fixes.at.slice(0, fixes.count));
    };
    await readFixes(api.database.streams, tenantId, stretch, feed);
    return seen;
  };
  const all = await Promise.all(imeis.map(readAll));
  isReading = false;
  for (const seen of all) expect(seen).toEqual(track.map(({ at }) => at));
  // 3 vehicles in pieces of 512 fixes, each of which takes half of a turn's share
  expect(slices).toBeGreaterThan(15);
});
