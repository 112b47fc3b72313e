import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { positionEvent } from '../../support/positions.ts';

let api: RunningApi;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url, { autoRegister: false }));
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const presence = async (connections: object[] | undefined, gateway = 'gw-1') =>
  api.send(
    'POST',
    '/v1/internal/presence',
    { clock: systemClock.now(), ...(connections && { connections }) },
    await api.gateway(gateway),
  );
const connection = (imei: string, conn: string) => ({
  conn,
  imei,
  protocol: 'gt06',
  transport: 'tcp',
  remote: '10.0.0.9:4711',
  since: systemClock.now() - 1000,
});
const imeisOf = (answer: { body: { items: { imei: string }[] } }): string[] => answer.body.items.map((d) => d.imei);

describe('a device', () => {
  test('is registered, found, changed and removed', async () => {
    const made = await api.send('POST', '/v1/devices', { imei: 'D-1', name: 'Van', options: { model: 'FMB920' } });
    expect(made).toMatchObject({
      status: 200,
      body: {
        imei: 'D-1',
        name: 'Van',
        state: 'offline',
        options: { model: 'FMB920' },
        registeredBy: 'api',
        lastSeenAt: null,
      },
    });
    expect((await api.send('POST', '/v1/devices', { imei: 'D-1' })).body).toMatchObject({
      code: 'conflict',
      status: 409,
    });
    expect((await api.get('/v1/devices/D-1')).body).toEqual(made.body);
    const changed = await api.send('PATCH', '/v1/devices/D-1', { options: { timeZone: 'Europe/Rome' } });
    expect(changed.body).toMatchObject({ name: 'Van', options: { timeZone: 'Europe/Rome' } });
    expect((await api.send('DELETE', '/v1/devices/D-1')).body).toEqual({ message: 'Device removed', imei: 'D-1' });
    expect((await api.get('/v1/devices/D-1')).body).toMatchObject({ status: 404, code: 'unknown-device' });
    expect((await api.send('DELETE', '/v1/devices/D-1')).status).toBe(404);
  });

  test('that is removed leaves no records, and starts again when it is registered again', async () => {
    await api.send('POST', '/v1/devices', { imei: 'D-again' });
    await api.events([positionEvent('D-again', 1)], 'again');
    await api.send('DELETE', '/v1/devices/D-again');
    await api.send('POST', '/v1/devices', { imei: 'D-again' });
    expect((await api.get('/v1/vehicles/D-again/position')).body.code).toBe('no-position-yet');
    expect((await api.get('/v1/devices/D-again/positions')).body.items).toEqual([]);
    await api.database.ingest.query('select 1');
    const owner = api.database.ingest;
    expect((await owner.query('select count(*) as n from removed_device')).rows[0].n).toBeGreaterThan(0);
  });

  test('is online while its gateway renews the lease and lists it', async () => {
    for (const imei of ['D-on', 'D-off']) await api.send('POST', '/v1/devices', { imei });
    expect((await presence([connection('D-on', 'c1'), connection('D-off', 'c2')])).body).toEqual({ leaseSeconds: 30 });
    expect(imeisOf(await api.get('/v1/devices?state=online'))).toEqual(['D-off', 'D-on']);
    // the next list does not have it
    await presence([connection('D-on', 'c1')]);
    expect(imeisOf(await api.get('/v1/devices?state=online'))).toEqual(['D-on']);
    expect((await api.get('/v1/devices/D-on')).body).toMatchObject({
      state: 'online',
      protocol: 'gt06',
      remote: '10.0.0.9:4711',
    });
    // a renewal changes nothing
    await presence(undefined);
    expect(imeisOf(await api.get('/v1/devices?state=offline'))).toContain('D-off');
    // the lease runs out
    await api.database.ingest.query("update gateway_lease set lease_until = now() - interval '1 second'");
    expect(imeisOf(await api.get('/v1/devices?state=online'))).toEqual([]);
    expect((await api.get('/v1/devices/D-on')).body).toMatchObject({ state: 'offline', sessionSince: null });
  });

  test('goes online and offline with its sessions, each closing only itself', async () => {
    await api.send('POST', '/v1/devices', { imei: 'D-session' });
    await presence(undefined, 'gw-2');
    const at = systemClock.now();
    const opened = (seq: number, conn: string) => ({
      seq,
      type: 'session-opened',
      at: at + seq,
      imei: 'D-session',
      conn,
      ids: ['D-session'],
      protocol: 'h02',
      transport: 'tcp',
      remote: '10.1.1.1:9',
    });
    const closed = (seq: number, conn: string) => ({
      seq,
      type: 'session-closed',
      at: at + seq,
      imei: 'D-session',
      conn,
      reason: 'x',
    });
    const state = async () => (await api.get('/v1/devices/D-session')).body.state;
    await api.events([opened(1, 'a')], 'sessions', 'gw-2');
    expect(await state()).toBe('online');
    await api.events([opened(2, 'b'), closed(3, 'a')], 'sessions', 'gw-2');
    expect(await state()).toBe('online');
    await api.events([closed(4, 'b')], 'sessions', 'gw-2');
    expect(await state()).toBe('offline');
  });

  test('that tried to log in is listed until it is registered', async () => {
    const rejected = {
      type: 'knock',
      at: systemClock.now(),
      imei: 'unknown-device',
      protocol: 'gt06',
      remote: '10.2.2.2:5',
    };
    expect(
      (
        await api.events(
          [
            { seq: 1, ...rejected },
            { seq: 2, ...rejected },
          ],
          'knocks',
        )
      ).body.rejected,
    ).toEqual([]);
    expect((await api.get('/v1/devices?state=unknown')).body.items).toMatchObject([
      { imei: 'unknown-device', state: 'unknown', protocol: 'gt06', remote: '10.2.2.2:5', registeredAt: null },
    ]);
    expect(imeisOf(await api.get('/v1/devices'))).not.toContain('unknown-device');
    await api.send('POST', '/v1/devices', { imei: 'unknown-device' });
    expect(imeisOf(await api.get('/v1/devices?state=unknown'))).toEqual([]);
    expect(imeisOf(await api.get('/v1/devices'))).toContain('unknown-device');
  });
});

test('records of a device that is not registered are rejected, and no others', async () => {
  await api.send('POST', '/v1/devices', { imei: 'D-known' });
  const answer = await api.events(
    [
      positionEvent('nobody', 1),
      positionEvent('D-known', 1),
      { seq: 3, type: 'heartbeat', at: 1, imei: 'nobody', conn: 'c' },
    ],
    'rejections',
  );
  expect(answer.body).toEqual({
    lastSeq: 3,
    rejected: [1, 3].map((seq) => ({ seq, code: 'unknown-device', detail: 'nobody is not registered' })),
  });
  expect((await api.get('/v1/devices/D-known/positions')).body.items).toHaveLength(1);
});

test('a rejection is reported again after a lost response, also if the record would now be accepted', async () => {
  const lines = [positionEvent('late', 1), positionEvent('D-known', 5), positionEvent('late', 2)].map((line, i) => ({
    seq: i + 1,
    ...line,
  }));
  const first = await api.events(lines, 'unheard');
  expect(first.body.rejected.map((r: { seq: number }) => r.seq)).toEqual([1, 3]);
  await api.send('POST', '/v1/devices', { imei: 'late' });
  expect((await api.events(lines, 'unheard')).body).toEqual(first.body);
  const more = { seq: 4, ...positionEvent('nobody', 6) };
  const overlapping = await api.events([...lines.slice(1), more], 'unheard');
  expect(overlapping.body).toMatchObject({ lastSeq: 4, rejected: [{ seq: 3 }, { seq: 4 }] });
  expect((await api.get('/v1/devices/late/positions')).body.items).toEqual([]);
});
