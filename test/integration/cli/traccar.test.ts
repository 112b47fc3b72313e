import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enterPlan } from '../../../src/cli/traccar/enter.ts';
import { planFrom } from '../../../src/cli/traccar/plan.ts';
import { readTraccar } from '../../../src/cli/traccar/source.ts';
import { API_KEY, type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import {
  type FakeTraccar,
  startTraccar,
  TRACCAR_PASSWORD,
  TRACCAR_TOKEN,
  TRACCAR_USER,
  type TraccarRecords,
} from '../../support/traccar.ts';

const records: TraccarRecords = {
  groups: [
    { id: 1, name: 'Italy', groupId: 0, attributes: {} },
    { id: 2, name: 'Rome', groupId: 1, attributes: {} },
  ],
  devices: [
    { id: 1, name: 'AB 123 CD', uniqueId: '356307042441013', groupId: 2, model: 'FMB920', disabled: false },
    { id: 2, name: 'Mario’s van', uniqueId: '356307042441014', groupId: 0, status: 'offline' },
    { id: 3, name: 'twin', uniqueId: '356307042441015', groupId: null },
    { id: 4, name: 'Twin', uniqueId: '356307042441016', groupId: null },
    { id: 5, name: 'scrapped', uniqueId: '356307042441017', disabled: true },
  ],
  drivers: [{ id: 1, name: 'Carla', uniqueId: '000000F1A2B3', attributes: {} }],
  geofences: [
    { id: 1, name: 'Depot', description: 'gate 3', area: 'CIRCLE (45.46 9.19, 250)', calendarId: 0, attributes: {} },
    { id: 2, name: 'Yard', area: 'POLYGON ((45 9, 45 9.1, 45.1 9.1, 45 9))', attributes: {} },
    { id: 3, name: 'Road', area: 'LINESTRING (45 9, 45 9.1)', attributes: { polylineDistance: 100 } },
    { id: 4, name: 'Odd', area: 'POLYGON ((45 9))', attributes: {} },
  ],
  users: [
    { id: 1, name: 'Boss', email: 'Boss@Example.org', administrator: true, userLimit: 0 },
    { id: 2, name: 'Reader', email: 'reader@example.org', readonly: true, userLimit: 0, disabled: false },
    { id: 3, name: 'Chief', login: 'chief', email: '', userLimit: -1, disabled: true },
  ],
  permissions: { 2: [1, 2, 5] },
};

let api: RunningApi;
let traccar: FakeTraccar;
beforeAll(async () => {
  traccar = await startTraccar(records);
  api = await withDatabase((url) => startApi(url));
});
afterAll(async () => {
  await traccar?.stop();
  await api?.stop();
  await dropDatabases();
});

const bring = async (isDry: boolean) => {
  const plan = planFrom(await readTraccar(`${traccar.url}/`, { token: TRACCAR_TOKEN }));
  return { plan, ...(await enterPlan(plan, { url: api.url, key: API_KEY, isDry })) };
};
const everything = async (): Promise<string> =>
  JSON.stringify(
    await Promise.all(
      ['groups', 'devices', 'vehicles', 'pairings', 'drivers', 'geofences', 'users'].map(
        async (plural) => (await api.get(`/v1/${plural}`)).body.items,
      ),
    ),
  );
const all = { group: 2, device: 4, vehicle: 4, pairing: 4, driver: 1, geofence: 3, user: 3 };

describe('the data of a Traccar server', () => {
  test('are only reported in a dry run', async () => {
    const before = await everything();
    expect(await bring(true)).toMatchObject({ made: all, there: {}, refused: [] });
    expect(await everything()).toBe(before);
  });

  test('are imported as devices, vehicles and other records, and the rest is reported', async () => {
    const { made, refused, plan } = await bring(false);
    expect({ made, refused }).toEqual({ made: all, refused: [] });
    expect(plan.leftOut).toEqual([
      'device scrapped: it is disabled',
      expect.stringMatching(/^which drivers are linked to which devices: /),
      expect.stringMatching(/^which geofences are linked to which devices, groups and users: /),
      'geofence Odd: it has fewer than three corners',
    ]);
    expect((await api.get('/v1/vehicles/AB123CD')).body).toMatchObject({
      imei: '356307042441013',
      model: 'FMB920',
      group: 'Italy / Rome',
    });
    expect((await api.get('/v1/devices/356307042441013')).body).toMatchObject({
      name: 'AB 123 CD',
      options: { model: 'FMB920' },
    });
    // a name that is no plate, or that two devices have
    for (const imei of ['356307042441014', '356307042441015', '356307042441016']) {
      expect((await api.get(`/v1/vehicles/${imei}`)).body).toMatchObject({ imei, targa: imei });
    }
    expect((await api.get('/v1/geofences/Depot')).body).toMatchObject({
      description: 'gate 3',
      area: { type: 'circle', center: [9.19, 45.46], radiusM: 250 },
    });
    expect((await api.get('/v1/users/boss@example.org')).body).toMatchObject({ role: 'admin', allVehicles: true });
    const reader = (await api.get('/v1/users/reader@example.org')).body;
    expect(reader).toMatchObject({ role: 'viewer', allVehicles: false, targhe: ['356307042441014', 'AB123CD'] });
    expect((await api.get('/v1/users/chief')).body).toMatchObject({ role: 'manager', active: false, email: null });
    expect((await api.get('/v1/drivers?q=F1A2B3')).body.items).toMatchObject([{ name: 'Carla' }]);
  });

  test('are not changed by a second import', async () => {
    await api.send('PATCH', '/v1/vehicles/AB123CD', { make: 'Fiat', model: 'Ducato' });
    const before = await everything();
    expect(await bring(false)).toMatchObject({ made: {}, there: all, refused: [] });
    expect(await everything()).toBe(before);
  });
});

test('are not imported if the tenant cannot register all devices', async () => {
  const small = await withDatabase((url) => startApi(url, { DEVICES_UNSEEN_PER_TENANT: 3 }));
  try {
    const plan = planFrom(await readTraccar(traccar.url, { token: TRACCAR_TOKEN }));
    const enter = (isDry: boolean) => enterPlan(plan, { url: small.url, key: API_KEY, isDry });
    for (const isDry of [true, false])
      await expect(enter(isDry)).rejects.toThrow(
        /4 devices are new and 3 can still be .* DEVICES_UNSEEN_PER_TENANT.* is 3;/,
      );
    for (const path of ['/v1/groups', '/v1/devices', '/v1/vehicles'])
      expect((await small.get(path)).body.items, path).toEqual([]);
    // those that are there need no room
    const [known] = plan.vehicles;
    await small.send('POST', '/v1/devices', { imei: known!.imei });
    await expect(enter(false)).rejects.toThrow('3 devices are new and 2 can');
  } finally {
    await small.stop();
  }
});

test('are imported with a password or a token, and invalid credentials are reported', async () => {
  const fleet = await readTraccar(`${traccar.url}/api`, { user: TRACCAR_USER, password: TRACCAR_PASSWORD });
  expect(fleet.devices).toHaveLength(5);
  await expect(readTraccar(traccar.url, { token: 'wrong' })).rejects.toThrow('does not accept');
  await expect(readTraccar('http://127.0.0.1:1', { token: 'x' })).rejects.toThrow('does not answer');
});

test('are limited to those that the user can see', async () => {
  const small = await startTraccar(records, false);
  try {
    expect((await readTraccar(small.url, { token: TRACCAR_TOKEN })).groups).toHaveLength(2);
    expect(small.asked).toContain('/api/groups');
  } finally {
    await small.stop();
  }
});
