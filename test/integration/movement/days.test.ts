import pg from 'pg';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { TRIP_VERSION } from '../../../src/server/movement/track/trips.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { sealAll, startHistory } from '../../support/history.ts';
import { route } from '../../support/track.ts';
import { store } from './support.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 2, 20);
const DAYS = 40;
/**
 * A fixed day: the job works through 31 days at a time, counted back from today. Where such a part begins with a day that has
 * a few fixes at its beginning only, all of them are read, and among other days not the last one: the stored state of that
 * day differs, its distance does not.
 */
const NOW = Date.UTC(2026, 10, 28, 14);
const dateOf = (day: number): string => iso(START + day * DAY).slice(0, 10);
const iso = (epochMs: number): string => new Date(epochMs).toISOString().replace('.000', '');

let api: RunningApi;
let owner: pg.Client;
// each test has files of its own
beforeEach(async () => {
  const url = await withDatabase(async (one) => one);
  api = await startApi(url, {}, { clock: { ...systemClock, now: () => NOW } });
  owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query('set search_path = fleetgate');
});
afterEach(async () => {
  await owner?.end();
  await api?.stop();
});
afterAll(dropDatabases);

/** 20 km over midnight of each day, 7 km in the morning of every third one; parked in between. */
function drives(ignition: boolean) {
  const track = route(START, 60);
  const turn = (on: boolean): void => void (ignition && track.ignition(on));
  turn(false);
  for (let day = 1; day <= DAYS; day++) {
    const until = (hours: number): void => {
      track.stand((START + (day - 1) * DAY + hours * 3_600_000 - track.now) / 1_000, { everyS: 600, noiseM: 5 });
    };
    if (day % 3 === 0) {
      until(8);
      turn(true);
      track.drive(7, 50);
      turn(false);
    }
    until(23.8);
    turn(true);
    track.drive(20, 60);
    turn(false);
  }
  track.stand(7_200, { everyS: 600 });
  return track.fixes;
}

async function history(targa: string, from: number, to: number): Promise<number> {
  const body = { vehicles: [targa], from: iso(from), to: iso(to), kind: 'device' };
  const answer = await api.send('POST', '/v1/vehicles/reports/pairing_history', body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.items[0].distanceM;
}

/** by an operation that reads all fixes */
async function grouped(targa: string, from: number, to: number): Promise<number> {
  const answer = await api.send('POST', '/v1/routesGrouped', { vehicles: [targa], from, to, groupBy: 'vehicle' });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.totals.distanceM;
}

test.each([true, false])(
  'the distance of a long time is that of its routes, whatever days are kept, ignition reported: %s',
  async (ignition) => {
    const targa = `KEPT${Number(ignition)}`;
    const imei = `imei-${targa}`;
    await store(api, imei, drives(ignition));
    await api.send('POST', '/v1/vehicles', { targa });
    await api.send('POST', '/v1/pairings', { targa, imei, from: iso(START - DAY) });
    const kept = async () => (await owner.query('select count(*)::int as n from movement_day')).rows[0].n;
    const end = START + (DAYS + 1) * DAY;
    // each route is rounded
    const same = async (from: number, to: number): Promise<void> => {
      const [kept, read] = [await history(targa, from, to), await grouped(targa, from, to)];
      expect(Math.abs(kept - read), `${iso(from)} to ${iso(to)}: ${kept}, ${read}`).toBeLessThanOrEqual(40);
      expect(kept).toBeGreaterThan(0);
    };
    // soon after they have ended, and the same as if they were asked for
    await api.api.distanceJob.run();
    expect(await kept()).toBe(DAYS + 1);
    const ahead = (await owner.query('select * from movement_day order by day')).rows;
    await owner.query('delete from movement_day where day >= $1', [dateOf(17)]);
    await api.api.distanceJob.run();
    expect((await owner.query('select * from movement_day order by day')).rows).toEqual(ahead);
    await owner.query('delete from movement_day');
    await same(START, end);
    expect((await owner.query('select * from movement_day order by day')).rows).toEqual(ahead);
    // a day that is read on its own has the fixes that it has among others
    const all = async () => (await owner.query('select * from movement_day order by day')).rows;
    const together = await all();
    await owner.query('delete from movement_day where day = any($1)', [[3, 12, 13, 30].map(dateOf)]);
    await same(START, end);
    expect(await all()).toEqual(together);
    // most of a year in one call
    await same(START - 300 * DAY, end);
    // from within days and routes, and from within what stands still
    for (const [first, last] of [
      [0.51, 20.37],
      [4.993, 30.004],
      [10, 25],
      [2.3, 4.1],
    ] as const) {
      await same(START + first * DAY, START + last * DAY);
    }
    // what is kept is used
    const before = await history(targa, START, end);
    await owner.query('update movement_day set distance_m = distance_m + 1000 where day = $1', [dateOf(10)]);
    expect(await history(targa, START, end)).toBe(before + 1_000);
    // until the detection changes
    await owner.query('update movement_day set algorithm = algorithm - 1, distance_m = distance_m + 7');
    await same(START, end);
    const { rows } = await owner.query('select distinct algorithm from movement_day');
    expect(rows).toEqual([{ algorithm: TRIP_VERSION }]);
    // or a record of the day arrives late
    const late = route(START + 10.1 * DAY, 60)
      .ignition(ignition ? true : undefined)
      .drive(10, 60);
    await store(
      api,
      imei,
      late.fixes.map((fix) => ({ ...fix, latitude: fix.latitude + 1 })),
    );
    await same(START, end);
    const files = startHistory(api.database);
    try {
      await sealAll(files, START + 20 * DAY);
      await same(START, end);
      await same(START, end);
    } finally {
      await files.stop();
    }
  },
  180_000,
);
