import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Notifying, report, startNotifying } from '../../support/alerts.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

let house: Notifying;
beforeAll(async () => {
  house = await withDatabase((url) => startNotifying(url, {}, { adminPassword: 'words of the owner' }));
});
afterAll(async () => {
  await house?.stop();
  await dropDatabases();
});

interface Listed {
  readonly valid: boolean;
  readonly implausible?: string;
  readonly latitude: number;
}
const listed = async (imei: string): Promise<Listed[]> =>
  (await house.api.get(`/v1/devices/${imei}/positions`)).body.items;

test('a fix at 0, 0 is kept with the reason, and is no place: not the current one, and of no rule', async () => {
  const imei = 'implausible-zero';
  const at = (minute: string, latitude: number, longitude: number) =>
    report(imei, `2026-06-01T10:${minute}:00Z`, { latitude, longitude, speed: 40 });
  await house.drive(at('00', 41.9, 12.5));
  const area = { type: 'circle', center: [0, 0], radiusM: 1_000 };
  const rule = { type: 'geofence_enter', vehicles: [imei], users: ['admin'], params: { area } };
  expect((await house.api.send('PUT', '/v1/v1/notifications', { notification_data: rule })).status).toBe(200);
  await house.drive(at('01', 0, 0));
  expect((await house.api.get(`/v1/vehicles/imei/${imei}/position`)).body).toMatchObject({
    latitude: 41.9,
    longitude: 12.5,
  });
  const { body } = await house.api.send('POST', '/v1/positions', { positions: [at('02', 0, 0)] });
  expect(body).toMatchObject({ accepted: 1, rejected: [] });
  await house.evaluate();
  expect((await listed(imei)).map(({ valid, implausible }) => [valid, implausible])).toEqual([
    [true, undefined],
    [false, 'zero-coordinates'],
    [false, 'zero-coordinates'],
  ]);
  expect((await house.api.get(`/v1/vehicles/imei/${imei}/position`)).body).toMatchObject({
    latitude: 41.9,
    longitude: 12.5,
  });
  expect((await house.api.get('/v1/notifications/admin')).body.items).toEqual([]);
});

test('fixes that the device cannot have reached are kept with the reason', async () => {
  const imei = 'implausible-jump';
  const at = (second: number, latitude: number) =>
    report(imei, new Date(Date.UTC(2026, 5, 1, 10) + second * 1_000).toISOString(), { latitude, speed: 40 });
  await house.drive(at(0, 41.9), at(10, 43.5), at(12, 43.501), at(20, 41.901));
  expect((await listed(imei)).map(({ latitude, valid, implausible }) => [latitude, valid, implausible])).toEqual([
    [41.9, true, undefined],
    [43.5, false, 'jump'],
    [43.501, false, 'jump'],
    [41.901, true, undefined],
  ]);
});

test('a time that cannot be right has its reason too', async () => {
  const imei = 'implausible-time';
  const ahead = new Date(Date.now() + 86_400_000).toISOString();
  await house.drive(report(imei, '2026-06-01T10:00:00Z'), report(imei, ahead));
  expect((await listed(imei)).map(({ implausible }) => implausible)).toEqual([undefined, 'time-ahead']);
});
