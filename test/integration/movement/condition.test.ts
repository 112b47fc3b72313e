import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { route } from '../../support/track.ts';
import { store } from './support.ts';

const START = Date.UTC(2026, 4, 1, 8);
const interval = { from: START, to: START + 86_400_000 };
/** an hour of readings, a minute apart: 30, then 75 */
const stationary = route(START, 60).stand(3_600).fixes;
const level = (n: number): number => (n < 30 ? 30 : 75);

let api: RunningApi;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
  await api.send('POST', '/v1/devices', {
    imei: 'F-table',
    options: { fuelTankLitres: 200, fuelSource: 'adc1', fuelCalibration: '0:0,100:200' },
  });
  await api.send('POST', '/v1/devices', { imei: 'F-percent', options: { fuelTankLitres: 100 } });
  await store(api, 'F-litres', stationary, (_, n) => ({ attributes: { fuel: level(n) } }));
  await store(api, 'F-table', stationary, (_, n) => ({ attributes: { adc1: level(n), fuel: 1 } }));
  await store(api, 'F-percent', stationary, (_, n) => ({ attributes: { fuelLevel: level(n) } }));
  await store(api, 'F-unknown', stationary, (_, n) => ({ attributes: { fuelLevel: level(n) } }));
  await store(api, 'F-none', stationary);
  // elements of a Teltonika device without its option model keep their numbers
  await store(api, 'F-raw', stationary, (_, n) => ({ attributes: { io84: level(n) * 10 } }));
  await store(api, 'F-analog', stationary, (_, n) => ({ attributes: { adc1: level(n) } }));
  await api.send('POST', '/v1/devices', {
    imei: 'F-wrong',
    options: { fuelSource: 'adc2', fuelCalibration: '0:0,9:9' },
  });
  await store(api, 'F-wrong', stationary, (_, n) => ({ attributes: { adc1: level(n) } }));
  // what is no number is no reading, whatever else the text says
  const odd = [
    { fuel: 60.5 },
    { fuel: '75' },
    { note: 'the "fuel" is low' },
    { fuel: true },
    { fuel: -1.5e1 },
    { fuelLevel: 3 },
  ];
  await store(api, 'F-odd', stationary, (_, n) => ({ attributes: odd[n] ?? {} }));
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

describe('get_fuel_levels', () => {
  const ask = async (...vehicles: string[]) =>
    api.send('POST', '/v1/vehicles/get_fuel_levels', { vehicles, ...interval, resolutionS: 600 });

  test('in liters, by the table of the tank, in percent, by what is reported', async () => {
    const { status, body } = await ask('F-litres', 'F-table', 'F-percent', 'F-unknown', 'F-none');
    expect(status).toBe(200);
    const refuel = (litres: number | null, percent: number | null) => ({
      refuels: [
        { at: expect.stringMatching(/^2026-05-01T08:(2|3)\d:00Z$/), litres, percent, latitude: 45, longitude: 9 },
      ],
      drains: [],
    });
    expect(body.items).toMatchObject([
      { targa: 'F-litres', unit: 'l', calibrated: false, ...refuel(45, null) },
      { targa: 'F-table', calibrated: true, ...refuel(90, 45) },
      { targa: 'F-percent', calibrated: false, ...refuel(45, 45) },
      { targa: 'F-unknown', calibrated: false, ...refuel(null, 45) },
      { targa: 'F-none', series: [], refuels: [], drains: [] },
    ]);
    expect(body.items[1].series).toHaveLength(7);
    expect(body.items[1].series[0]).toEqual(['2026-05-01T08:00:00Z', 60, 30]);
  });
  test('says what a device without levels reports that can be one', async () => {
    const { body } = await ask('F-raw', 'F-analog', 'F-wrong', 'F-none', 'F-litres');
    expect(body.items.map(({ hint }: { hint: string | null }) => hint)).toEqual([
      expect.stringMatching(/io84 .*option model is set.*fuelSource to io84/),
      expect.stringMatching(/adc1.*fuelSource and fuelCalibration/),
      'The device does not report adc2, its fuelSource.',
      null,
      null,
    ]);
    const options = { fuelSource: 'io84', fuelCalibration: '0:0,4000:400', fuelTankLitres: 400 };
    expect((await api.send('PATCH', '/v1/devices/F-raw', { options })).status).toBe(200);
    const [raw] = (await ask('F-raw')).body.items;
    expect(raw).toMatchObject({ calibrated: true, hint: null, refuels: [{ litres: 45 }] });
  });
  test('ignores values that are not numbers', async () => {
    const body = { vehicles: ['F-odd'], ...interval, resolutionS: 1 };
    const { series } = (await api.send('POST', '/v1/vehicles/get_fuel_levels', body)).body.items[0];
    // a minute apart; the second is smoothed over both: the middle one of two
    expect(series.map(([at]: [string]) => at)).toEqual(['2026-05-01T08:00:00Z', '2026-05-01T08:04:00Z']);
    expect(series[0][1]).toBe(60.5);
  });

  test.each<[object, number, string]>([
    [{ vehicles: ['nobody'] }, 404, 'unknown-vehicle'],
    [{ vehicles: [] }, 422, 'invalid'],
    [{ from: 1_000_000_000_000 }, 422, 'interval-too-long'],
    [{ from: interval.to + 1 }, 422, 'from-after-to'],
  ])('refuses %j', async (over, status, code) => {
    const body = { vehicles: ['F-none'], ...interval, ...over };
    expect(await api.send('POST', '/v1/vehicles/get_fuel_levels', body)).toMatchObject({ status, body: { code } });
  });
});

describe('safety', () => {
  const ask = (user: string, query = `from=${interval.from}&to=${interval.to}`) =>
    api.get(`/v1/vehicles/safety/${user}?${query}`);

  test('adds up harsh events, speeding, idling and night', async () => {
    // 50 km at 100, 5 min at 140 (11.7 km), 10 min with the engine on
    const track = route(START)
      .ignition(true)
      .drive(50, 100)
      .drive(140 / 12, 140)
      .stand(600).fixes;
    const alarms = new Map([
      [5, 'hardBraking'],
      [9, 'hardBraking,hardCornering'],
      [12, 'overspeed'],
      [13, 'sos'],
    ]);
    await store(api, 'S-1', track, (_, n) => ({
      attributes: { ignition: true, ...(alarms.has(n) ? { alarm: alarms.get(n) } : {}) },
    }));
    const { status, body } = await ask('me');
    expect(status).toBe(200);
    const item = body.items.find(({ targa }: { targa: string }) => targa === 'S-1');
    expect(item).toMatchObject({
      harshBraking: 2,
      harshCornering: 1,
      harshAcceleration: 0,
      overspeedS: 300,
      idlingS: 601,
      nightS: 0,
      // 2 × 4 + 3 + 5 × 2 on 61.7 km
      score0to100: 66,
    });
    expect(item.distanceM).toBeCloseTo(61_667, -2);
    expect(item.events.map(({ type }: { type: string }) => type)).toEqual([
      'hardBraking',
      'hardBraking',
      'hardCornering',
      'overspeed',
    ]);
    expect(body.fleetScore).toBe(66);
    expect(body.items.find(({ targa }: { targa: string }) => targa === 'F-none')).toMatchObject({ score0to100: null });
  });
  test('counts driving at night', async () => {
    const night = route(Date.UTC(2026, 4, 3, 21, 50))
      .ignition(true)
      .drive(20, 60).fixes;
    await store(api, 'S-2', night);
    const { body } = await ask('me', 'from=2026-05-03&to=2026-05-03');
    const item = body.items.find(({ targa }: { targa: string }) => targa === 'S-2');
    // 21:50 and a second to 22:10: from the first fix at ten on
    expect(item.nightS).toBeGreaterThanOrEqual(600);
    expect(item.nightS).toBeLessThanOrEqual(631);
    // in Rome it is ten to midnight; in New York it is the afternoon
    const nightIn = async (tz: string) => {
      const answer = await ask('me', `from=2026-05-03T00:00:00Z&to=2026-05-04T00:00:00Z&tz=${tz}`);
      return answer.body.items.find(({ targa }: { targa: string }) => targa === 'S-2').nightS;
    };
    expect(await nightIn('Europe/Rome')).toBe(1_200);
    expect(await nightIn('America/New_York')).toBe(0);
  });
  test('refuses unknown users and invalid intervals', async () => {
    expect(await ask('nobody')).toMatchObject({ status: 404, body: { code: 'unknown-user' } });
    expect(await ask('me', 'from=1000000000002&to=1000000000001')).toMatchObject({
      status: 422,
      body: { code: 'from-after-to' },
    });
    expect(await ask('me', 'from=1996-01-01&to=2096-01-01')).toMatchObject({ body: { code: 'interval-too-long' } });
  });
});
