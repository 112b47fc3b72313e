import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { RULE_TYPES } from '../../../src/server/alerts/rules/index.ts';
import { type Notifying, report, startNotifying } from '../../support/alerts.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { createRandom } from '../../support/random.ts';

const FROM = Date.parse('2026-06-01T00:00:00Z');
const HOUR_MS = 3_600_000;
const square = (longitude: number): number[][] => [
  [longitude, 41],
  [longitude + 0.2, 41],
  [longitude + 0.2, 43],
  [longitude, 43],
  [longitude, 41],
];
const params: Readonly<Record<string, object>> = {
  overspeed: { limitKmh: 90 },
  geofence_enter: { polygon: square(12.6) },
  geofence_exit: { polygon: square(12.6) },
  geofence_speed: { polygon: square(12.6), limitKmh: 60 },
  geofence_inside: { polygon: square(12.6), dwellSeconds: 120 },
  geofence_outside: { polygon: square(12.6), dwellSeconds: 120 },
  idling: { dwellSeconds: 120 },
  long_stop: { dwellSeconds: 300 },
  tow: { dwellSeconds: 30 },
  fuel_drain: { litres: 20 },
  fuel_refill: { litres: 20 },
  maintenance: { odometerKm: 20_000 },
  temperature: { minTemperature: -5, maxTemperature: 8, clearSeconds: 60 },
  device_offline: { offlineSeconds: 1_800 },
  sensor: { sensor: 'temp1', above: 8 },
};
const elsewhere = {
  maintenance_due: 'findings',
  ddd_due: 'findings',
  infringement: 'findings',
  driver_changed: 'findings',
  driver_unknown: 'findings',
  command_result: 'commands',
  session_taken_over: 'sessions',
  login_refused: 'sessions',
};
const TYPES = RULE_TYPES.filter((type) => !Object.hasOwn(elsewhere, type));
const ALARMS = (
  'sos accident jamming tampering hardBraking hardAcceleration hardCornering lowBattery powerCut removing door ' +
  'sos,tow vibration'
).split(' ');

/** Two days of a device: all that rules look at changes now and then. */
function driven(imei: string): { readonly at: number; readonly position: object }[] {
  const random = createRandom(7);
  const list: { at: number; position: object }[] = [];
  let at = FROM;
  let speed = 0;
  let ignition = false;
  let longitude = 12.5;
  let fuel = 300;
  let odometer = 19_990_000;
  let door = false;
  let charge = true;
  for (let n = 0; n < 300; n++) {
    at += random.int(60) === 0 ? 2.5 * HOUR_MS : 10_000 + 1_000 * random.int(80);
    if (random.int(12) === 0) ignition = !ignition;
    if (random.int(4) === 0) speed = random.pick([0, 0, 30, 70, 95, 110, 130]);
    longitude = 12.7 + 0.3 * Math.sin(n / 9) + random.pick([0, 0.001]);
    if (random.int(25) === 0) fuel = Math.max(20, Math.min(500, fuel + random.pick([-60, -40, 80])));
    odometer += speed * 20;
    if (random.int(10) === 0) door = !door;
    if (random.int(15) === 0) charge = !charge;
    const attributes = {
      ignition,
      fuel,
      odometer,
      door,
      charge,
      power: random.int(20) === 0 ? 0 : 12.5,
      batteryLevel: random.int(20) === 0 ? 10 : 90,
      temp1: random.pick([2, 3, 4, 12, -9]),
      ...(random.int(8) === 0 ? { alarm: random.pick(ALARMS) } : {}),
    };
    const instant = new Date(at).toISOString();
    const serverTime = new Date(at + 2_000).toISOString();
    const valid = random.int(15) > 0;
    list.push({ at, position: report(imei, instant, { speed, longitude, attributes, serverTime, valid }) });
  }
  return list;
}

let house: Notifying;
let now = systemClock.now();

/** A vehicle whose device has reported once, before the interval. */
async function vehicle(targa: string): Promise<string> {
  const imei = `imei-${targa}`;
  await house.api.send('POST', '/v1/vehicles', { targa });
  await house.drive(report(imei, '2026-05-31T00:00:00Z', { serverTime: '2026-05-31T00:00:00Z' }));
  await house.api.send('POST', '/v1/pairings', { targa, imei, from: 1_000_000_000_001 });
  return imei;
}

beforeAll(async () => {
  const clock = { ...systemClock, now: () => now };
  house = await withDatabase((url) =>
    startNotifying(url, {}, { adminPassword: 'words of the owner' }, undefined, {}, clock),
  );
});
afterAll(async () => {
  await house?.stop();
  await dropDatabases();
});

const backtest = (body: object) => house.api.send('POST', '/v1/notifications/backtest', body);

describe('a backtest', () => {
  test('has the messages that a rule of each type sends as the same data arrive one by one', async () => {
    const stored = await vehicle('BT001');
    const live = await vehicle('BT002');
    const reports = driven(stored);
    const to = reports.at(-1)!.at + HOUR_MS;
    await house.drive(...reports.map(({ position }) => position));
    const ids = new Map<string, string>();
    for (const type of TYPES) {
      const rule = {
        type,
        params: params[type] ?? {},
        vehicles: ['BT002'],
        description: `rule of ${type}`,
        timezone: 'Europe/Rome',
        cooldownSeconds: type === 'door' ? 600 : 0,
        users: ['admin'],
        ...(type === 'device_alarm' || type === 'unauthorized_use'
          ? { auth_hours: { monday: { min: 8, max: 18.5 }, tuesday: { all_day: true } } }
          : {}),
      };
      const { body } = await house.api.send('PUT', '/v1/v1/notifications', { notification_data: rule });
      ids.set(type, body.notificationId);
    }
    now = FROM;
    for (const { at, position } of driven(live)) {
      now = at - 1;
      await house.alerts.run();
      now = at + 2_000;
      await house.drive(position);
    }
    now = to;
    await house.alerts.run();
    now = systemClock.now();
    const { rows } = await house.api.database.ingest.query<{ rule: string; message: object }>(
      `select rule_id as rule, json_build_object('at', occurred_at, 'vehicle', targa, 'title', title, 'body', body,
         'latitude', position->'latitude', 'longitude', position->'longitude') as message
       from notification where targa = 'BT002' and occurred_at >= $1 order by occurred_at, kind <> 'alarm'`,
      [new Date(FROM)],
    );
    for (const type of TYPES) {
      const sent = rows
        .filter(({ rule }) => rule === ids.get(type))
        .map(({ message }) => JSON.parse(JSON.stringify(message).replaceAll('BT002', 'BT001')))
        .map((message) => ({ ...message, at: Date.parse(message.at) }));
      const { rules } = (await house.api.get('/v1/notifications/admin')).body;
      const { id: _, ...rule } = rules.find(({ id }: { id: string }) => id === ids.get(type));
      const { status, body } = await backtest({ rule: { ...rule, vehicles: ['BT001'] }, from: FROM, to });
      expect(status, JSON.stringify(body)).toBe(200);
      expect(sent.length, type).toBeGreaterThan(0);
      expect(
        body.messages.map((message: { at: string }) => ({ ...message, at: Date.parse(message.at) })),
        type,
      ).toEqual(sent);
      expect(body.evaluatedPositions, type).toBe(300);
    }
  }, 300_000);

  test('stores nothing and notifies nobody', async () => {
    const imei = await vehicle('BT003');
    await house.drive(report(imei, '2026-06-01T10:00:00Z', { attributes: { alarm: 'sos' } }));
    const rule = { type: 'sos', vehicles: ['BT003'], channels: ['email'] };
    const { body } = await backtest({
      notification_data: rule,
      from: '2026-06-01T00:00:00Z',
      to: '2026-06-02T00:00:00Z',
    });
    expect(body).toMatchObject({ messages: [{ vehicle: 'BT003', latitude: 41.9, longitude: 12.5 }] });
    await house.alerts.run();
    const { rows } = await house.api.database.ingest.query(
      `select id from notification where targa = 'BT003' union all select id from notification_rule where type = 'sos' and
         id in (select rule_id from notification_rule_vehicle rv join vehicle v on v.id = rv.vehicle_id where v.targa = 'BT003')`,
    );
    expect(rows).toEqual([]);
  });

  test('only has the time in which the device was in the vehicle', async () => {
    const imei = await vehicle('BT004');
    await house.api.send('POST', '/v1/vehicles', { targa: 'BT005' });
    await house.api.send('POST', '/v1/pairings', { targa: 'BT005', imei, from: '2026-06-01T10:30:00Z' });
    const sos = (at: string): object => report(imei, at, { attributes: { alarm: 'sos' } });
    await house.drive(sos('2026-06-01T10:00:00Z'), sos('2026-06-01T11:00:00Z'));
    const interval = { from: '2026-06-01T00:00:00Z', to: '2026-06-02T00:00:00Z' };
    const starts = async (vehicles: readonly string[]): Promise<string[]> =>
      (await backtest({ rule: { type: 'sos', vehicles }, ...interval })).body.messages.map(
        ({ at, vehicle: targa }: { at: string; vehicle: string }) => `${targa} ${at}`,
      );
    expect(await starts(['BT004'])).toEqual(['BT004 2026-06-01T10:00:00Z']);
    expect(await starts(['BT005'])).toEqual(['BT005 2026-06-01T11:00:00Z']);
    expect(await starts(['BT004', 'BT005'])).toEqual(['BT004 2026-06-01T10:00:00Z', 'BT005 2026-06-01T11:00:00Z']);
  });

  test('is refused with the reason', async () => {
    const rule = { type: 'sos', vehicles: ['BT001'] };
    const interval = { from: FROM, to: FROM + HOUR_MS };
    const answers: readonly (readonly [object, object])[] = [
      [
        { rule, from: FROM, to: FROM - 1 },
        { status: 422, code: 'from-after-to' },
      ],
      [
        { rule, from: FROM, to: FROM + 32 * 24 * HOUR_MS },
        { status: 422, code: 'interval-too-long' },
      ],
      [
        { rule: { ...rule, type: 'infringement' }, ...interval },
        { status: 422, code: 'not-backtestable' },
      ],
      [
        { rule: { ...rule, vehicles: ['NONE'] }, ...interval },
        { status: 422, code: 'unknown-vehicle', errors: [{ pointer: '/rule/vehicles/0' }] },
      ],
      [
        { rule: { ...rule, type: 'overspeed' }, ...interval },
        { status: 422, code: 'invalid', errors: [{ pointer: '/rule/params' }] },
      ],
      [
        { rule, notification_data: rule, ...interval },
        { status: 422, code: 'invalid' },
      ],
      [interval, { status: 422, code: 'invalid' }],
    ];
    for (const [body, expected] of answers) expect((await backtest(body)).body).toMatchObject(expected);
  });
});
