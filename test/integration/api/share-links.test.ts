import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { sealAll, startHistory } from '../../support/history.ts';

const HOUR_MS = 3_600_000;
const ANYBODY = { authorization: '' };
let api: RunningApi;
let now = systemClock.now();
const start = now - 2 * HOUR_MS;

beforeAll(async () => {
  const clock = { ...systemClock, now: () => now };
  api = await withDatabase((url) =>
    startApi(url, { SHARE_LINKS_PER_TENANT: 8 }, { clock, adminPassword: 'words of the owner' }),
  );
  await api.send('POST', '/v1/vehicles', { targa: 'SH001AA' });
  await api.send('POST', '/v1/devices', { imei: 'share-1' });
  await api.send('POST', '/v1/pairings', { targa: 'SH001AA', imei: 'share-1', from: start - HOUR_MS });
  const positions = Array.from({ length: 60 }, (_, n) => ({
    imei: 'share-1',
    fixTime: new Date(start + n * 60_000).toISOString(),
    valid: true,
    latitude: 45.4 + n / 1_000,
    longitude: 9.1,
    speed: 60,
    course: 10,
    attributes: { driverCard: 'SECRET' },
  }));
  expect((await api.send('POST', '/v1/positions', { positions })).body.rejected).toEqual([]);
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

/** A ms later than the one before: lists are in the order of time. */
const share = (over: object) => {
  now += 1;
  return api.send('POST', '/v1/share-links', { targa: 'SH001AA', until: now + HOUR_MS, ...over });
};
const open = (token: string) => api.send('POST', '/v1/shared', { token, lang: 'it' }, ANYBODY);

describe('a share link', () => {
  test('shows the vehicle to anybody who has it, and nothing but its position', async () => {
    const { status, body } = await share({ label: 'Delivery 4711' });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ state: 'open', opened: 0, path: `/share#${body.token}` });
    const shown = await open(body.token);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(shown.body).toMatchObject({
      name: 'Delivery 4711',
      precisionM: 0,
      path: [],
      position: {
        latitude: expect.closeTo(45.459, 9),
        longitude: 9.1,
        speed: 60,
        address: expect.stringMatching(/, Italia$/),
      },
    });
    expect(JSON.stringify(shown.body)).not.toMatch(/SECRET|SH001AA|share-1/);
    const [listed] = (await api.get('/v1/share-links')).body.items;
    expect(listed).toMatchObject({ id: body.id, opened: 1 });
    expect(JSON.stringify(listed)).not.toContain(body.token);
  });

  test('moves positions to the middle of cells of its precision', async () => {
    const { token } = (await share({ precisionM: 1_000 })).body;
    const { position } = (await open(token)).body;
    expect(position).toMatchObject({ speed: null, course: null });
    expect(position.latitude).not.toBe(45.459);
    expect(Math.abs(position.latitude - 45.459) * 111_320).toBeLessThanOrEqual(501);
    expect(Math.abs(position.longitude - 9.1) * 111_320 * Math.cos((45.459 * Math.PI) / 180)).toBeLessThanOrEqual(501);
    const path = (await share({ precisionM: 1_000, from: start, to: now })).body;
    const places = (await open(path.token)).body.path as [number, number][];
    // 6.6 km straight to the north
    expect(places.length).toBeGreaterThanOrEqual(6);
    expect(places.length).toBeLessThanOrEqual(9);
  });

  test('of an interval shows where the vehicle was then, and not where it is', async () => {
    const { token } = (await share({ from: start, to: start + 600_000 })).body;
    const { position, path } = (await open(token)).body;
    expect(position).toBeNull();
    expect(path).toHaveLength(11);
    expect(path.at(-1)).toEqual([9.1, 45.41]);
  });

  test('shows nothing once it is revoked, nor after its end', async () => {
    const revoked = (await share({})).body;
    expect((await api.send('DELETE', `/v1/share-links/${revoked.id}`)).status).toBe(200);
    expect((await open(revoked.token)).body).toMatchObject({ status: 404, code: 'unknown-share-link' });
    const ended = (await share({})).body;
    await api.database.ingest.query('update share_link set expires_at = $2 where id = $1', [ended.id, new Date(now)]);
    expect((await open(ended.token)).body).toMatchObject({ status: 404, code: 'unknown-share-link' });
    const states = (await api.get('/v1/share-links')).body.items.map(({ state }: { state: string }) => state);
    expect(states.slice(0, 3)).toEqual(['expired', 'revoked', 'open']);
    expect((await open('guessed')).status).toBe(404);
  });

  test('does not show a device that has left the vehicle, nor where it was before it came', async () => {
    await api.send('POST', '/v1/vehicles', { targa: 'SH002AA' });
    await api.send('POST', '/v1/devices', { imei: 'share-2' });
    const at = new Date(now - 600_000).toISOString();
    await api.send('POST', '/v1/positions', {
      positions: [{ imei: 'share-2', fixTime: at, valid: true, latitude: 45, longitude: 9, attributes: {} }],
    });
    await api.send('POST', '/v1/pairings', { targa: 'SH002AA', imei: 'share-2', from: now - 60_000 });
    const { token } = (await share({ targa: 'SH002AA' })).body;
    expect((await open(token)).body.position).toBeNull();
  });

  test('shows the same way when its positions have moved to files', async () => {
    const { body } = await share({ from: start, to: start + HOUR_MS });
    const before = (await open(body.token)).body.path;
    expect(before).toHaveLength(60);
    const history = startHistory(api.database);
    try {
      await sealAll(history, start + HOUR_MS / 2);
      expect((await open(body.token)).body.path).toEqual(before);
      await sealAll(history);
      expect((await open(body.token)).body.path).toEqual(before);
    } finally {
      await history.stop();
    }
  });

  test('is refused with the reason', async () => {
    const answers: readonly (readonly [object, object])[] = [
      [{ targa: 'NONE' }, { status: 422, code: 'unknown-vehicle' }],
      [{ until: now - 1 }, { status: 422, code: 'from-after-to' }],
      [{ until: now + 32 * 24 * HOUR_MS }, { status: 422, code: 'interval-too-long' }],
      [{ from: now }, { status: 422, code: 'invalid' }],
      [{ precisionM: 7 }, { status: 422, code: 'invalid' }],
    ];
    for (const [over, expected] of answers) expect((await share(over)).body).toMatchObject(expected);
    const statuses = [];
    for (let n = 0; n < 8; n++) statuses.push((await share({})).status);
    expect(statuses.at(-1)).toBe(409);
  });
});
