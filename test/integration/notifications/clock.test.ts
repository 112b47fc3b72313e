import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { DAYS } from '../../../src/server/alerts/rules/index.ts';
import { type Notifying, report, startNotifying } from '../../support/alerts.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

let house: Notifying;
let made = 0;

beforeAll(async () => {
  const timing = { clockEveryMs: 0, quietMs: 0 };
  house = await withDatabase((url) =>
    startNotifying(url, {}, { adminPassword: 'words of the owner' }, undefined, {}, systemClock, timing),
  );
});
afterAll(async () => {
  await house?.stop();
  await dropDatabases();
});

const ago = (seconds: number): string => new Date(Date.now() - 1_000 * seconds).toISOString();

/** A vehicle whose device has reported, and then a rule on it. */
async function watched(
  type: string,
  over: object | (() => object) = {},
  ...before: readonly ((imei: string) => object)[]
) {
  const targa = `CLOCK${made++}`;
  const imei = `imei-${targa}`;
  await house.api.send('POST', '/v1/vehicles', { targa });
  await house.drive(report(imei, '2026-01-01T00:00:00Z'));
  await house.api.send('POST', '/v1/pairings', { targa, imei, from: 1_000_000_000_001 });
  await house.drive(...before.map((make) => make(imei)));
  const data = {
    type,
    vehicles: [targa],
    users: ['admin'],
    timezone: 'UTC',
    ...(typeof over === 'function' ? over() : over),
  };
  const answer = await house.api.send('PUT', '/v1/v1/notifications', { notification_data: data });
  expect(answer.status).toBe(200);
  const notified = async (): Promise<{ kind: string; occurredAt: string; ruleId: string }[]> =>
    (await house.api.get('/v1/notifications/admin?limit=500')).body.items.filter(
      ({ ruleId }: { ruleId: string }) => ruleId === answer.body.notificationId,
    );
  return { imei, notified };
}

/** Hours of every day that have begun some seconds ago, and last an hour. */
function hoursSince(seconds: number): object {
  const begin = new Date(Date.now() - seconds * 1_000);
  const min = begin.getUTCHours() + begin.getUTCMinutes() / 60 + begin.getUTCSeconds() / 3_600;
  return Object.fromEntries(DAYS.map((day) => [day, { min, max: (min + 1) % 24 }]));
}

test('a maintenance whose date has come is notified although the device is silent', async () => {
  const dueAt = Date.now() - 1_000;
  const { notified } = await watched('maintenance', { params: { dueAt } });
  await house.evaluate();
  expect(await notified()).toMatchObject([{ kind: 'alarm', occurredAt: new Date(dueAt).toISOString() }]);
  await house.evaluate();
  expect(await notified()).toHaveLength(1);
});

test('a maintenance whose date is to come is not', async () => {
  const { notified } = await watched('maintenance', { params: { dueAt: Date.now() + 3_600_000 } });
  await house.evaluate();
  expect(await notified()).toEqual([]);
});

test('idling and a long stop are notified although no report follows, and withdrawn where a late one says otherwise', async () => {
  for (const type of ['idling', 'long_stop']) {
    const { imei, notified } = await watched(type, { params: { dwellSeconds: 120 } });
    const at = ago(300);
    await house.drive(report(imei, at, { speed: 0, attributes: { ignition: true } }));
    await house.evaluate();
    expect(await notified()).toMatchObject([{ kind: 'alarm', occurredAt: at }]);
    await house.drive(report(imei, ago(250), { speed: 60, attributes: { ignition: true } }));
    expect((await notified()).map(({ kind }) => kind).sort()).toEqual(['alarm', 'withdrawn']);
  }
});

test('a speed that was reported once does not last', async () => {
  const { imei, notified } = await watched('overspeed', { params: { limitKmh: 90, dwellSeconds: 120 } });
  await house.drive(report(imei, ago(300), { speed: 140 }));
  expect(await notified()).toEqual([]);
});

const DEPOT = { type: 'circle', center: [12.5, 41.9], radiusM: 500 };

test.each([
  ['geofence_outside', 42.5, 41.9],
  ['geofence_inside', 41.9, 42.5],
])('%s is notified when the hours begin, by the place where the vehicle then is', async (type, there, elsewhere) => {
  const one = await watched(type, { params: { area: DEPOT }, auth_hours: hoursSince(60) });
  const other = await watched(type, { params: { area: DEPOT }, auth_hours: hoursSince(60) });
  await house.drive(report(one.imei, ago(600), { latitude: there }));
  await house.drive(report(other.imei, ago(600), { latitude: elsewhere }));
  await house.evaluate();
  const [message, ...more] = await one.notified();
  expect(more).toEqual([]);
  expect(message).toMatchObject({ kind: 'alarm', position: { latitude: there } });
  expect(Date.now() - Date.parse(message!.occurredAt)).toBeLessThan(590_000);
  expect(await other.notified()).toEqual([]);
});

test('a rule knows what the device has reported before it was made: the ignition, and the place', async () => {
  const on = (imei: string) => report(imei, ago(900), { speed: 0, attributes: { ignition: true } });
  const idling = await watched('idling', { params: { dwellSeconds: 60 } }, on);
  await house.drive(report(idling.imei, ago(600), { speed: 0 }), report(idling.imei, ago(500), { speed: 0 }));
  expect(await idling.notified()).toHaveLength(1);

  const away = (imei: string) => report(imei, ago(600), { latitude: 42.5 });
  // the hours begin once the rule is there
  const soon = () => ({ params: { area: DEPOT }, auth_hours: hoursSince(-5) });
  const outside = await watched('geofence_outside', soon, away);
  await expect
    .poll(
      async () => {
        await house.evaluate();
        return (await outside.notified()).map(({ kind }) => kind);
      },
      { timeout: 30_000 },
    )
    .toEqual(['alarm']);
});

test('the amount of a drain is corrected when the level has come to rest', async () => {
  const { imei, notified } = await watched('fuel_drain');
  const hour = (n: number, fuel: number) =>
    report(imei, new Date(Date.UTC(2026, 5, 1, n)).toISOString(), { attributes: { ignition: false, fuel } });
  for (const [n, fuel] of [300, 300, 300, 255, 240, 240].entries()) await house.drive(hour(n, fuel));
  const messages = (await notified()) as unknown as { kind: string; value: number; corrects: string; id: string }[];
  const [alarm, moved] = ['alarm', 'moved'].map((kind) => messages.find((one) => one.kind === kind)!);
  expect(messages).toHaveLength(2);
  expect([alarm!.value, moved!.value, moved!.corrects]).toEqual([45, 60, alarm!.id]);
});
