import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../../src/server/index.ts';
import { type Notifying, report, startNotifying } from '../../support/alerts.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { type EventStream, openEvents } from '../../support/events.ts';

const PASSWORD = 'words of the owner';
let house: Notifying;
let streams: EventStream[] = [];

beforeAll(async () => {
  house = await withDatabase((url) => startNotifying(url, {}, { adminPassword: PASSWORD }));
  for (const targa of ['LIVE1', 'LIVE2']) {
    await house.api.send('POST', '/v1/vehicles', { targa });
    await house.drive(report(`imei-${targa}`, '2026-01-01T00:00:00Z'));
    await house.api.send('POST', '/v1/pairings', { targa, imei: `imei-${targa}`, from: 1_000_000_000_001 });
  }
});
afterAll(async () => {
  for (const stream of streams) stream.close();
  await house?.stop();
  await dropDatabases();
});

const open = async (query = '', headers: Record<string, string> = {}): Promise<EventStream> => {
  const stream = await openEvents(`${house.api.url}/v1/events${query}`, {
    authorization: 'Bearer test-key-of-the-default-tenant',
    ...headers,
  });
  streams = [...streams, stream];
  return stream;
};
let second = 0;
const at = (): string => new Date(Date.UTC(2026, 5, 2) + 1_000 * second++).toISOString();
const drive = (...imeis: readonly string[]) => house.drive(...imeis.map((imei) => report(imei, at(), { speed: 40 })));

describe('an event stream', () => {
  test('sends positions as they are stored, in the vocabulary’s form', async () => {
    const stream = await open('?types=position');
    await drive('imei-LIVE1');
    const event = await stream.next();
    expect(event).toMatchObject({
      event: 'position',
      data: {
        imei: 'imei-LIVE1',
        targa: 'LIVE1',
        latitude: 41.9,
        longitude: 12.5,
        speed: 40,
        valid: true,
        attributes: {},
      },
    });
    expect(event.data.id).toMatch(/^[A-Za-z0-9_-]{22}$/);
  });

  test('says whether the vehicle moves, idles or is parked, unless it is stationary and its ignition unknown', async () => {
    const stream = await open('?types=position&vehicles=live-2');
    const motions = [];
    for (const [speed, attributes] of [
      [40, {}],
      [0, { ignition: true }],
      [3, { ignition: false }],
      [0, {}],
    ] as const) {
      await house.drive(report('imei-LIVE2', at(), { speed, attributes }));
      motions.push((await stream.next()).data.motion);
    }
    expect(motions).toEqual(['moving', 'idle', 'parked', undefined]);
    const { motion, status } = (await house.api.get('/v1/vehicles/LIVE2')).body;
    // the device has no session
    expect({ motion, status }).toEqual({ motion: 'parked', status: 'offline' });
  });

  test('sends events of the requested vehicles only', async () => {
    const one = await open('?types=position&vehicles=live-2');
    const other = await open('?types=position&imeis=imei-LIVE1');
    await drive('imei-LIVE1', 'imei-LIVE2', 'imei-LIVE1', 'imei-LIVE2');
    expect([(await one.next()).data.targa, (await one.next()).data.targa]).toEqual(['LIVE2', 'LIVE2']);
    expect([(await other.next()).data.targa, (await other.next()).data.targa]).toEqual(['LIVE1', 'LIVE1']);
  });

  test('continues where it was interrupted: nothing is lost or repeated', async () => {
    const first = await open('?types=position');
    await drive(...Array.from({ length: 10 }, (_, n) => `imei-LIVE${(n % 2) + 1}`));
    const seen = [];
    for (let n = 0; n < 4; n++) seen.push(await first.next());
    first.close();
    await drive(...Array.from({ length: 10 }, (_, n) => `imei-LIVE${(n % 2) + 1}`));
    const again = await open('?types=position', { 'last-event-id': seen.at(-1)!.id });
    await drive('imei-LIVE1');
    while (seen.length < 21) seen.push(await again.next());
    const times = seen.map(({ data }) => Date.parse(data.fixTime));
    expect(times).toEqual(times.map((_, n) => times[0]! + 1_000 * n));
    expect(new Set(seen.map(({ id }) => id)).size).toBe(21);
  });

  test('sends repeated events once', async () => {
    const stream = await open('?types=position');
    const [one, two] = [report('imei-LIVE1', at()), report('imei-LIVE1', at())];
    await house.drive(one);
    await house.drive(one, two);
    expect((await stream.next()).data.fixTime).not.toBe((await stream.next()).data.fixTime);
    await drive('imei-LIVE2');
    expect((await stream.next()).data.targa).toBe('LIVE2');
  });

  test('sends notifications and sessions', async () => {
    const stream = await open('?types=notification,session');
    await house.api.send('PUT', '/v1/v1/notifications', {
      notification_data: { type: 'sos', vehicles: ['LIVE1'], users: ['admin'] },
    });
    const opened = {
      type: 'session-opened',
      imei: 'imei-LIVE1',
      ids: ['imei-LIVE1'],
      conn: 'a.1',
      protocol: 'teltonika',
      transport: 'tcp',
      remote: '1.2.3.4:5',
    };
    const { body } = await house.api.events([{ at: Date.UTC(2026, 5, 2), ...opened }], 'spool-live');
    expect(body.rejected).toEqual([]);
    expect(await stream.next()).toMatchObject({
      event: 'session',
      data: { imei: 'imei-LIVE1', targa: 'LIVE1', state: 'online' },
    });
    await house.drive(report('imei-LIVE1', at(), { attributes: { alarm: 'sos' } }));
    expect(await stream.next()).toMatchObject({ event: 'notification', data: { type: 'sos', targa: 'LIVE1' } });
  });

  test('contains the vehicles and messages of the user, and their changes', async () => {
    await house.api.send('POST', '/v1/users', {
      username: 'guest',
      role: 'viewer',
      password: 'a long word for a guest',
      allVehicles: false,
      targhe: ['LIVE2'],
    });
    const login = await house.api.send('POST', '/v1/auth/credentials', {
      username: 'guest',
      password: 'a long word for a guest',
    });
    const authorization = `Bearer ${login.body.accessToken}`;
    const stream = await open('', { authorization });
    await house.drive(report('imei-LIVE1', at(), { attributes: { alarm: 'sos' } }));
    await drive('imei-LIVE1', 'imei-LIVE2');
    expect(await stream.next()).toMatchObject({ event: 'position', data: { targa: 'LIVE2' } });
    await house.api.send('PATCH', '/v1/users/guest', { targhe: ['LIVE1'] });
    await drive('imei-LIVE2', 'imei-LIVE1');
    expect(await stream.next()).toMatchObject({ event: 'position', data: { targa: 'LIVE1' } });
  });

  test('shows nothing of one tenant to another', async () => {
    const tenantId = await house.api.database.tenantId('elsewhere');
    const scopes = [
      'positions:read',
      'positions:write',
      'notifications:read',
      'commands:read',
      'devices:write',
    ] as const;
    const { key } = await createKey(house.api.database.ingest, { tenantId, name: 'x', scopes });
    const authorization = `Bearer ${key}`;
    await house.api.send('POST', '/v1/devices', { imei: 'theirs' }, { authorization });
    const stream = await open('', { authorization });
    const filtered = await open('?imeis=imei-LIVE1,theirs', { authorization });
    await drive('imei-LIVE1');
    const pushed = await house.api.send(
      'POST',
      '/v1/positions',
      { positions: [report('theirs', at())] },
      { authorization },
    );
    expect(pushed.body).toMatchObject({ accepted: 1 });
    expect((await stream.next()).data.imei).toBe('theirs');
    expect((await filtered.next()).data.imei).toBe('theirs');
  });

  test('sends `gap` if events are no longer kept, and refuses an invalid event id', async () => {
    await house.api.database.ingest.query(
      `insert into feed_cursor (name, xid, seq) values ('floor', pg_current_xact_id(), 0)`,
    );
    const stream = await open('?types=position', { 'last-event-id': '1-1-' });
    expect(await stream.next()).toMatchObject({ event: 'gap' });
    await drive('imei-LIVE1');
    expect((await stream.next()).event).toBe('position');
    const refused = await house.api.get('/v1/events', { 'last-event-id': 'yesterday' });
    expect(refused.body).toMatchObject({ status: 422, code: 'invalid' });
    expect((await house.api.get('/v1/events?types=gossip')).body).toMatchObject({ status: 422 });
  });

  test('of a client that does not read is paused, and continues when it reads', async () => {
    const slow = await open('?types=position');
    slow.pause();
    const attributes = { note: 'x'.repeat(4_000) };
    let sent = 0;
    for (; sent < 1_200; sent += 200) {
      await house.drive(...Array.from({ length: 200 }, () => report('imei-LIVE1', at(), { attributes })));
    }
    slow.resume();
    const times: number[] = [];
    while (times.length < sent) times.push(Date.parse((await slow.next()).data.fixTime));
    expect(times).toEqual(times.map((_, n) => times[0]! + 1_000 * n));
  });
});
