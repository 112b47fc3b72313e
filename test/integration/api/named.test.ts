import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNames } from '../../../src/apps/names.ts';
import { loadCatalogue } from '../../../src/codec/catalogue/index.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

let api: RunningApi;
beforeAll(async () => {
  const nameElements = createNames(await loadCatalogue());
  api = await withDatabase((url) => startApi(url, {}, { nameElements }));
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const IMEI = '356307042441013';
const record = (protocol: string, second: number) => ({
  deviceId: IMEI,
  protocol,
  fixTime: `2024-06-01T12:00:0${second}Z`,
  valid: true,
  latitude: 48,
  longitude: 11,
  attributes: { io6: 65_486, power: 12.5 },
});

test('elements have their vendor’s names if requested, by the model of the device', async () => {
  await api.send('POST', '/v1/devices', { imei: IMEI, options: { model: 'FMC650' } });
  const pushed = await api.send('POST', '/v1/positions', { positions: [record('teltonika', 1), record('h02', 2)] });
  expect(pushed.body).toMatchObject({ accepted: 2 });
  const path = `/v1/devices/${IMEI}/positions`;
  const plain = await api.get(path);
  expect(plain.body.items.map((item: object) => 'named' in item)).toEqual([false, false]);
  const { body } = await api.get(`${path}?include=named`);
  expect(body.items[0]).toMatchObject({
    attributes: { io6: 65_486 },
    named: {
      'Dallas Temperature 5': { id: 6, value: -5, unit: '°C' },
      'External Voltage': { id: 66, value: 12.5, unit: 'V' },
    },
  });
  expect(body.items[1]).not.toHaveProperty('named');
  expect((await api.get(`${path}?include=all`)).status).toBe(422);
});

test('elements of the newest position have names, for a device and for its vehicle', async () => {
  await api.send('POST', '/v1/vehicles', { targa: 'NA123ME' });
  await api.send('POST', '/v1/pairings', { targa: 'NA123ME', imei: IMEI, from: 1_000_000_000_001 });
  await api.send('POST', '/v1/positions', { positions: [record('teltonika', 5)] });
  const named = { 'Dallas Temperature 5': { id: 6, value: -5, unit: '°C' } };
  for (const path of [`/v1/vehicles/${IMEI}/position`, `/v1/vehicles/imei/${IMEI}/position`]) {
    expect((await api.get(path)).body).not.toHaveProperty('named');
    expect((await api.get(`${path}?include=named`)).body).toMatchObject({ named, targa: 'NA123ME' });
  }
  for (const path of ['/v1/vehicles/NA123ME', `/v1/vehicles/imei/${IMEI}`]) {
    expect((await api.get(`${path}?include=lastPosition`)).body.lastPosition).not.toHaveProperty('named');
    expect((await api.get(`${path}?include=lastPosition,named`)).body).toMatchObject({ lastPosition: { named } });
    expect((await api.get(`${path}?include=named`)).body).not.toHaveProperty('lastPosition');
  }
  for (const path of ['/v1/vehicles', '/v1/vehicles/user/me']) {
    const { items } = (await api.get(`${path}?include=lastPosition,named`)).body;
    expect(items).toMatchObject([{ targa: 'NA123ME', lastPosition: { named } }]);
  }
});
