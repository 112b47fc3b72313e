import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { asOwner, dropDatabases, withDatabase } from '../../support/databases.ts';
import { positionEvent, positionOf } from '../../support/positions.ts';

let url: string;
let api: RunningApi;
beforeAll(async () => {
  api = await withDatabase((database) => {
    url = database;
    return startApi(database);
  });
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const push = async (...positions: unknown[]) => (await api.send('POST', '/v1/positions', { positions })).body;
const track = async (imei: string) => (await api.get(`/v1/devices/${imei}/positions?limit=500`)).body.items;
const newest = async (imei: string) => (await api.get(`/v1/vehicles/${imei}/position`)).body;

describe('a push', () => {
  test('counts new, known and rejected records', async () => {
    expect(await push(positionOf('P-1', 1), positionOf('P-1', 2), positionOf('P-1', 1))).toEqual({
      accepted: 2,
      duplicates: 1,
      rejected: [],
    });
    const answer = await push(positionOf('P-1', 2), { deviceId: 'P-1' }, positionOf('P-1', 3), 7);
    expect(answer).toMatchObject({
      accepted: 1,
      duplicates: 1,
      rejected: [{ index: 1, code: 'invalid' }, { index: 3 }],
    });
    expect(await track('P-1')).toHaveLength(3);
  });

  test('without ids derives the same ids as a gateway, so that records are stored once', async () => {
    const { id: _, serverTime: __, ...record } = positionOf('P-2', 1);
    expect(await push(record)).toMatchObject({ accepted: 1 });
    const again = { ...record, attributes: { ...record.attributes, index: 12, archive: true } };
    expect(await push(again)).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await push({ ...record, speed: 51 })).toMatchObject({ accepted: 1 });
    expect((await track('P-2'))[0].id).toMatch(/^[\w-]{22}$/);
  });
});

test('values that all records of a batch share are stored in each of them, other values in their own record', async () => {
  const time = (second: number) => `2026-05-01T09:00:0${second}Z`;
  const alike = { protocol: 'h02', valid: true, altitude: 7, accuracy: 3, attributes: { ignition: true } };
  const odd = [
    { protocol: 'gt06', valid: false, outdated: true, fixTime: time(0), attributes: { ignition: false } },
    { valid: true, accuracy: 9, network: { cells: [] }, attributes: {} },
    { protocol: 'h02', valid: true, altitude: -1, fixTime: time(1), attributes: { ignition: true } },
  ];
  const batches = [
    [1, 2, 3].map((second) => ({ ...alike, deviceTime: time(second), fixTime: time(second) })),
    [4, 5, 6].map((second, n) => ({ ...odd[n], deviceTime: time(second) })),
  ];
  for (const [n, batch] of batches.entries()) {
    const records = batch.map((record) => ({ deviceId: `U-${n}`, latitude: 41, longitude: 12, ...record }));
    expect(await push(...records)).toMatchObject({ accepted: 3, rejected: [] });
    const byTime = (a: { deviceTime: string }, b: { deviceTime: string }) => (a.deviceTime < b.deviceTime ? -1 : 1);
    const stored = (await track(`U-${n}`)).map(({ id, imei, serverTime, ...rest }: Record<string, unknown>) => rest);
    expect(stored.sort(byTime)).toEqual(records.map(({ deviceId, ...rest }) => rest));
  }
});

describe('concurrent batches', () => {
  test('from two gateways with the same records in other orders store each once', async () => {
    const records = Array.from({ length: 400 }, (_, n) => positionEvent(`R-${n % 20}`, n));
    const lines = (list: object[]) => list.map((line, i) => ({ seq: i + 1, ...line }));
    const answers = await Promise.all([
      api.events(lines(records), 'race', 'gw-a'),
      api.events(lines(records.toReversed()), 'race', 'gw-b'),
      api.events(lines(records), 'race-2', 'gw-c'),
    ]);
    for (const { status, body } of answers)
      expect({ status, body }).toMatchObject({ status: 200, body: { rejected: [] } });
    const counts = await Promise.all(Array.from({ length: 20 }, async (_, n) => (await track(`R-${n}`)).length));
    expect(counts).toEqual(Array(20).fill(20));
  });

  test('of one spool are applied one after the other, each line once', async () => {
    const line = (n: number) => ({
      seq: n + 1,
      type: 'session-closed',
      at: systemClock.now() + n,
      imei: 'R-one',
      conn: 'c',
      reason: 'x',
    });
    const lines = Array.from({ length: 50 }, (_, n) => line(n));
    await Promise.all([1, 2, 3, 4].map(() => api.events(lines, 'one', 'gw-one')));
    const { body } = await api.get('/v1/devices/R-one/timeline?limit=500');
    expect(body.items).toHaveLength(50);
  });
});

describe('values that the database cannot store', () => {
  test('are replaced in texts', async () => {
    const nul = { name: 'a\u0000b', half: '\ud83d', whole: '😀', ['k\u0000']: 'x' };
    const answer = await api.events(
      [
        positionEvent('N-1', 1, { protocol: 'p\u0000', attributes: nul }),
        positionEvent('N-1', 2),
        {
          seq: 3,
          type: 'frame-undecoded',
          at: systemClock.now(),
          imei: 'N-1',
          conn: 'c\u0000',
          protocol: 'x',
          transport: 'tcp',
          remote: '',
          bytes: 'AA==',
          code: 'c',
          detail: 'd\u0000',
        },
      ],
      'nul',
    );
    expect(answer.body).toEqual({ lastSeq: 3, rejected: [] });
    expect((await track('N-1'))[0].attributes).toEqual({
      name: 'a\ufffdb',
      half: '\ufffd',
      whole: '😀',
      'k\ufffd': 'x',
    });
    // as jsonb too, whatever reads it later
    await asOwner(url, 'select attributes::jsonb from position');
    expect(await push(positionOf('N-2', 1, { attributes: nul }))).toMatchObject({ accepted: 1, rejected: [] });
  });

  test('reject only the record that contains them', async () => {
    await asOwner(url, 'alter table position add constraint poison check (altitude <> 666)');
    const lines = Array.from({ length: 33 }, (_, n) =>
      positionEvent('N-3', n, n === 7 || n === 20 ? { altitude: 666 } : {}),
    );
    const answer = await api.events(lines, 'poison');
    expect(answer.body).toMatchObject({
      lastSeq: 33,
      rejected: [
        { seq: 8, code: 'unstorable' },
        { seq: 21, code: 'unstorable' },
      ],
    });
    expect(await track('N-3')).toHaveLength(31);
    expect(await push(positionOf('N-3', 50), positionOf('N-3', 51, { altitude: 666 }))).toMatchObject({
      accepted: 1,
      rejected: [{ index: 1, code: 'unstorable' }],
    });
    await asOwner(url, 'alter table position drop constraint poison');
  });
});

describe('lines', () => {
  const post = async (text: string) => {
    const response = await fetch(`${api.url}/v1/internal/events?spool=lines`, {
      method: 'POST',
      body: text,
      headers: { ...(await api.gateway()), 'content-type': 'application/x-ndjson' },
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  test('that are malformed are rejected under their seq', async () => {
    const good = JSON.stringify({ seq: 4, ...positionEvent('L-1', 1) });
    const text = `{"seq":1,"type":"position"\n{"seq":2,"type":"dance"}\n{"seq":3,"type":"heartbeat"}\n${good}\n`;
    const answer = await post(text);
    expect(answer).toMatchObject({ status: 200, body: { lastSeq: 4 } });
    expect((answer.body['rejected'] as { seq: number; code: string }[]).map(({ seq, code }) => [seq, code])).toEqual([
      [1, 'invalid'],
      [2, 'invalid'],
      [3, 'invalid'],
    ]);
    expect(await track('L-1')).toHaveLength(1);
  });

  test.each([
    'rubbish',
    '{"type":"clock","at":1}',
    '{"seq":0,"type":"clock","at":1}',
    'null',
    '[]',
    '{"seq":9,"type":"clock","at":1}\n{"seq":9,"type":"clock","at":1}',
  ])('without a valid sequence make the batch malformed: %s', async (text) => {
    expect(await post(text)).toMatchObject({ status: 400, body: { code: 'malformed' } });
  });
});

describe('times', () => {
  test('of every year are stored', async () => {
    const times = [
      '0000-02-29T00:00:00Z',
      '0001-01-01T00:00:00Z',
      '1970-01-01T00:00:00Z',
      '2018-02-01T00:00:00.001Z',
      '2042-06-30T23:59:59.999Z',
      '9999-12-31T23:59:59.999Z',
    ];
    const far = times.map((fixTime, n) => positionOf('T-1', n, { fixTime, deviceTime: fixTime }));
    expect(await push(...far)).toEqual({ accepted: 6, duplicates: 0, rejected: [] });
    expect(await push(...far)).toEqual({ accepted: 0, duplicates: 6, rejected: [] });
    const shown = (await track('T-1')).map((p: { fixTime: string }) => Date.parse(p.fixTime));
    expect(shown).toEqual(times.map((t) => Date.parse(t)));
  });

  test('with offsets are instants', async () => {
    await push(positionOf('T-2', 1, { fixTime: '2026-05-01T10:00:00.5+02:00' }));
    expect((await track('T-2'))[0].fixTime).toBe('2026-05-01T08:00:00.500Z');
  });
});

describe('the newest position', () => {
  test('never goes back in time', async () => {
    await push(positionOf('W-1', 5));
    await push(positionOf('W-1', 4), positionOf('W-1', 3));
    expect((await newest('W-1')).id).toBe(positionOf('W-1', 5).id);
    await push(positionOf('W-1', 6));
    expect((await newest('W-1')).id).toBe(positionOf('W-1', 6).id);
  });

  test('is not more than five minutes in the future', async () => {
    const ahead = (ms: number) => new Date(systemClock.now() + ms).toISOString();
    await push(positionOf('W-2', 1), positionOf('W-2', 2, { fixTime: ahead(360_000) }));
    expect((await newest('W-2')).id).toBe(positionOf('W-2', 1).id);
    await push(positionOf('W-2', 3, { fixTime: ahead(120_000) }));
    expect(await newest('W-2')).toMatchObject({ id: positionOf('W-2', 3).id, ageMs: 0 });
    expect(await track('W-2')).toHaveLength(3);
    const suspect = (await api.get('/v1/devices/W-2/positions?clockSuspect=true')).body.items;
    expect(suspect).toMatchObject([{ valid: false, clockSuspect: true }]);
    expect(suspect[0].attributes).toEqual(positionOf('W-2', 2).attributes);
    expect((await track('W-2')).map((p: { clockSuspect?: true }) => p.clockSuspect)).toEqual([
      undefined,
      undefined,
      true,
    ]);
    expect(suspect[0].id).toBe(positionOf('W-2', 2).id);
  });

  const {
    latitude: _,
    longitude: __,
    altitude: ___,
    speed: ____,
    course: _____,
    fixTime: ______,
    ...bare
  } = positionOf('W-3', 9);

  test('stays the last record with a fix when a later record has none', async () => {
    await push(positionOf('W-3', 8));
    await push({ ...bare, valid: false, outdated: true, attributes: { battery: 3.9 } });
    const { id, latitude, longitude, attributes } = positionOf('W-3', 8);
    const shown = await newest('W-3');
    expect(shown).toMatchObject({ id, latitude, longitude, valid: true, fixTime: '2026-05-01T08:00:08Z', attributes });
    expect(shown).not.toHaveProperty('outdated');
  });

  test('is missing until a device has had a fix', async () => {
    await push(positionOf('W-4', 1, { valid: false, latitude: 0, longitude: 0 }));
    expect((await api.get('/v1/vehicles/W-4/position')).body).toMatchObject({ status: 404, code: 'no-position-yet' });
    await push(positionOf('W-4', 0));
    expect(await newest('W-4')).toMatchObject({ id: positionOf('W-4', 0).id, valid: true, latitude: 41.9 });
  });

  test('is not sent if it is older than requested, or if the client already has it', async () => {
    const path = '/v1/vehicles/W-1/position';
    expect((await api.get(`${path}?maxAgeMs=1000`)).body).toMatchObject({ status: 404, code: 'no-position-yet' });
    const etag = (await api.get(path)).headers.get('etag')!;
    expect(etag).toMatch(/^W\//);
    expect(await api.get(path, { 'if-none-match': etag })).toMatchObject({ status: 304, body: '' });
    expect((await api.get('/v1/vehicles/imei/W-1/position')).status).toBe(200);
    expect((await api.get('/v1/vehicles/nobody/position')).body.code).toBe('unknown-device');
  });
});

test('devices register themselves until the limit of the hour is reached', async () => {
  const tight = await withDatabase((database) => startApi(database, { autoRegisterPerHour: 2 }));
  try {
    const answer = await tight.events(['a', 'b', 'c', 'd'].map((imei) => positionEvent(imei, 1)));
    expect(answer.body.rejected.map((r: { code: string }) => r.code)).toEqual(['unknown-device', 'unknown-device']);
    expect((await tight.events([positionEvent('e', 1)], 'later')).body.rejected).toHaveLength(1);
    expect((await tight.get('/v1/devices')).body.items).toHaveLength(2);
  } finally {
    await tight.stop();
  }
});

test('files are assembled from their chunks', async () => {
  const piece = (seq: number, offset: number, bytes: string, last?: true) => ({
    seq,
    type: 'file',
    at: systemClock.now(),
    imei: 'F-1',
    conn: 'c',
    name: 'photo',
    media: 'image',
    offset,
    total: 6,
    bytes: Buffer.from(bytes).toString('base64'),
    ...(last && { last }),
  });
  await api.events([piece(1, 0, 'abc'), piece(2, 3, 'def', true)], 'files');
  const { rows } = await api.database.ingest.query(
    `select f.name, f.complete, string_agg(convert_from(c.bytes, 'UTF8'), '' order by c.start) as content
     from device_file f join file_chunk c on c.file_id = f.id group by f.id`,
  );
  expect(rows).toEqual([{ name: 'photo', complete: true, content: 'abcdef' }]);
});
