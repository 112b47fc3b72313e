import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

const MINUTE_MS = 60_000;
/** start of the test, which has a day of its own */
let start = Date.UTC(2026, 4, 1, 8);
const at = (minute: number): string => new Date(start + minute * MINUTE_MS).toISOString();

let api: RunningApi;
let now = start;
/** ms that the monotonic clock of the server is ahead */
let skew = 0;
const findings: { type: string; at: number; detail: string }[] = [];

const made = async (path: string, body: object) => {
  const answer = await api.send('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};

/** Follows what is stored, once no transaction before it is under way. */
async function follow() {
  do await api.api.reported.run();
  while ((await api.api.reported.lag()) > 0);
}

/** Reports of a device: minute, key, ignition. */
async function report(imei: string, ...reports: readonly (readonly [number, string | undefined, boolean?])[]) {
  const positions = reports.map(([minute, key, ignition]) => ({
    imei,
    fixTime: at(minute),
    valid: true,
    latitude: 45 + minute / 1_000,
    longitude: 9,
    speed: 40,
    attributes: {
      ...(key === undefined ? {} : { driverUniqueId: key }),
      ...(ignition === undefined ? {} : { ignition }),
    },
  }));
  expect((await made('/v1/positions', { positions })).rejected).toEqual([]);
  await follow();
}

async function drivers(targa: string) {
  const { items } = (await api.get(`/v1/pairings?targa=${targa}`)).body;
  return items
    .filter(({ driverId }: { driverId: string | null }) => driverId !== null)
    .sort((a: { from: string }, b: { from: string }) => (a.from < b.from ? -1 : 1))
    .map(({ driverId, from, to, source }: Record<string, string | null>) => [
      names.get(driverId!),
      (Date.parse(from!) - start) / MINUTE_MS,
      to === null ? null : (Date.parse(to!) - start) / MINUTE_MS,
      source,
    ]);
}

const names = new Map<string, string>();
let vehicles = 0;
/** A vehicle with a device of its own. */
async function vehicle(): Promise<{ targa: string; imei: string }> {
  const targa = `KEY00${++vehicles}`;
  const imei = `key-${vehicles}`;
  await made('/v1/vehicles', { targa });
  await made('/v1/devices', { imei });
  await made('/v1/pairings', { targa, imei, from: at(-60) });
  return { targa, imei };
}

beforeAll(async () => {
  api = await withDatabase((url) =>
    startApi(
      url,
      { DRIVER_LOGOUT_SECONDS: 600 },
      {
        clock: { ...systemClock, now: () => now, monotonic: () => systemClock.monotonic() + skew },
        notify: async (finding) => findings.push(finding),
        adminPassword: 'words of the owner',
      },
    ),
  );
  await follow();
  for (const [name, ...keys] of [
    ['Anna', '00ABCDEF12', 'card-7'],
    ['Bruno', '0042'],
  ]) {
    names.set((await made('/v1/drivers', { name, keys })).id, name!);
  }
});
beforeEach(() => {
  start += 1_440 * MINUTE_MS;
  now = start + 120 * MINUTE_MS;
  findings.length = 0;
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

describe('a key that a device reports', () => {
  test('opens a pairing, which another key, another driver and a logout end', async () => {
    const { targa, imei } = await vehicle();
    await report(imei, [0, '00abcdef12'], [1, undefined], [5, '00ABCDEF12']);
    expect(await drivers(targa)).toEqual([['Anna', 0, null, 'device']]);
    await report(imei, [10, '0042'], [20, '0000000000000000']);
    expect(await drivers(targa)).toEqual([
      ['Anna', 0, 10, 'device'],
      ['Bruno', 10, 20, 'device'],
    ]);
    expect(findings).toMatchObject([{ type: 'driver_changed', at: Date.parse(at(10)), detail: 'Bruno' }]);
  });

  test('keeps its leading zeros', async () => {
    const { targa, imei } = await vehicle();
    await report(imei, [0, '42']);
    expect(await drivers(targa)).toEqual([]);
    expect(findings).toMatchObject([{ type: 'driver_unknown', detail: '42' }]);
  });

  test('that comes late divides the pairing into which it falls', async () => {
    const { targa, imei } = await vehicle();
    await report(imei, [0, 'card-7'], [30, 'card-7']);
    await report(imei, [10, '0042'], [15, '0042']);
    expect(await drivers(targa)).toEqual([
      ['Anna', 0, 10, 'device'],
      ['Bruno', 10, 30, 'device'],
      ['Anna', 30, null, 'device'],
    ]);
  });

  test('ends the pairing of its driver with another vehicle, and one that a person has entered', async () => {
    const [one, other] = [await vehicle(), await vehicle()];
    const bruno = [...names.keys()][1];
    await made('/v1/pairings', { targa: other.targa, driverId: bruno, from: at(31) });
    await report(one.imei, [32, 'card-7']);
    await report(other.imei, [40, 'card-7']);
    expect(await drivers(one.targa)).toEqual([['Anna', 32, 40, 'device']]);
    expect(await drivers(other.targa)).toEqual([
      ['Bruno', 31, 40, 'manual'],
      ['Anna', 40, null, 'device'],
    ]);
  });

  test('is forgotten some time after the ignition is off', async () => {
    const { targa, imei } = await vehicle();
    await report(imei, [60, '0042', true], [70, undefined, false]);
    now += 60 * MINUTE_MS;
    expect(await drivers(targa)).toEqual([['Bruno', 60, null, 'device']]);
    skew += MINUTE_MS;
    await follow();
    expect(await drivers(targa)).toEqual([['Bruno', 60, 80, 'device']]);
    // the reader still holds the key
    await report(imei, [90, '0042', false]);
    expect(await drivers(targa)).toHaveLength(1);
    await report(imei, [95, '0042', true]);
    expect(await drivers(targa)).toHaveLength(2);
  });

  test('belongs to one driver', async () => {
    const answer = await api.send('POST', '/v1/drivers', { name: 'Carla', keys: ['CARD-7'] });
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
  });

  test('leads to trips by driver', async () => {
    const { targa, imei } = await vehicle();
    await report(
      imei,
      ...Array.from({ length: 20 }, (_, n) => [100 + n, n === 0 ? 'card-7' : undefined, n < 19] as const),
    );
    const body = { vehicles: [targa], from: at(90), to: at(130), groupBy: 'driver' };
    const { groups } = await made('/v1/routesGrouped', body);
    expect(groups.map(({ key }: { key: string }) => names.get(key))).toEqual(['Anna']);
  });
});
