import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFrameDecoder } from '../../../src/apps/decode-frame.ts';
import { loadCatalogue } from '../../../src/codec/catalogue/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { positionEvent } from '../../support/positions.ts';

let api: RunningApi;
let url: string;
beforeAll(async () => {
  const decodeFrame = createFrameDecoder(await loadCatalogue());
  api = await withDatabase((database) => {
    url = database;
    return startApi(database, { RETENTION_DAYS: 30, RAW_RETENTION_DAYS: 7 }, { decodeFrame });
  });
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const DAY = 86_400_000;
const wire = { imei: 'TL-1', conn: 'run.1', protocol: 'h02', transport: 'tcp', remote: '10.0.0.1:2' };
// a sentence in the form of the vendor's document
const sentence = '*HQ,4109179024,V1,103000,A,2234.9273,N,11354.3980,E,000.07,000,150526,FFFFFBFF,460,00,10342,4283#';

test('frames and events are listed with their decoded content, oldest first', async () => {
  const at = systemClock.now() - 60_000;
  const bytes = (text: string) => Buffer.from(text, 'latin1').toString('base64');
  const answer = await api.events([
    { seq: 1, type: 'session-opened', at, ids: ['TL-1'], ...wire },
    { seq: 2, type: 'frame', at: at + 1, ...wire, bytes: bytes(sentence) },
    { seq: 3, type: 'frame-undecoded', at: at + 2, ...wire, bytes: bytes('\u0000\u0001'), code: 'odd', detail: 'why' },
    { seq: 4, type: 'frame', at: at + 3, ...wire, protocol: 'no-such-protocol', bytes: bytes('x') },
    { seq: 5, type: 'session-closed', at: at + 4, imei: 'TL-1', conn: wire.conn, reason: 'closed by the device' },
    { seq: 6, type: 'frame', at, ...wire, imei: undefined, bytes: bytes('nobody yet') },
  ]);
  expect(answer.body).toEqual({ lastSeq: 6, rejected: [] });
  const { items } = (await api.get('/v1/devices/TL-1/timeline')).body;
  expect(items.map((item: { kind: string }) => item.kind)).toEqual([
    'session-opened',
    'frame',
    'frame-undecoded',
    'frame',
    'session-closed',
  ]);
  expect(items[0]).toMatchObject({
    gateway: 'gw-1',
    conn: 'run.1',
    detail: { ids: ['TL-1'] },
    hex: null,
    decoded: null,
  });
  expect(items[1]).toMatchObject({ at: new Date(at + 1).toISOString(), protocol: 'h02', text: sentence });
  const position = items[1].decoded.messages.find((m: { type: string }) => m.type === 'position');
  // 22° 34.9273' and 113° 54.3980'
  expect(position).toMatchObject({ fixTime: '2026-05-15T10:30:00Z', valid: true });
  expect(position.latitude).toBeCloseTo(22.582121667, 7);
  expect(position.longitude).toBeCloseTo(113.906633333, 7);
  expect(items[2]).toMatchObject({ hex: '0001', text: null, detail: { code: 'odd', detail: 'why' } });
  expect(items[3]).toMatchObject({ hex: '78', text: 'x', decoded: null });
  expect(items[4].detail).toEqual({ reason: 'closed by the device' });
  expect(items[1].spans).toBeUndefined();
  const withFields = (await api.get(`/v1/devices/TL-1/timeline?from=${at + 1}&to=${at + 1}&fields=true`)).body.items;
  const from = sentence.indexOf('2234.9273');
  const spans = withFields[0].spans.filter(
    (span: { to: number; from: number }) => span.to > from && span.from < from + 9,
  );
  const pointers = spans.flatMap((span: { values: string[] }) => span.values);
  expect(pointers.every((pointer: string) => pointer.endsWith('/latitude'))).toBe(true);
  expect(pointers.length).toBeGreaterThan(0);
});

interface Fixture {
  readonly frames: readonly { readonly wire: string; readonly messages: readonly Record<string, unknown>[] }[];
}
const fixture = (path: string): Fixture =>
  JSON.parse(readFileSync(new URL(`../../../protocols/${path}`, import.meta.url), 'utf8')) as Fixture;
const base64 = (wire: string): string => Buffer.from(wire, 'hex').toString('base64');

test('a frame is decoded in the state that its connection had, on each page', async () => {
  const imei = '356307042441013';
  // identification, two agreements on the fields, then a package of the fields that were agreed on
  const frames = fixture('navis/fixtures/flex.json').frames.slice(0, 4);
  const on = { ...wire, imei, conn: 'run.7', protocol: 'navis' };
  const at = systemClock.now() - 60_000;
  await api.events(
    [
      { seq: 1, type: 'session-opened', at, ids: [imei], ...on },
      ...frames.map((frame, index) => ({ seq: index + 2, type: 'frame', at, ...on, bytes: base64(frame.wire) })),
    ],
    'stateful',
  );
  const path = `/v1/devices/${imei}/timeline`;
  const whole = (await api.get(path)).body.items;
  expect(whole.at(-1).decoded.error).toBeUndefined();
  expect(whole.at(-1).decoded.messages).toMatchObject(
    frames[3]!.messages.map(({ fixTime, latitude }) => ({ fixTime, latitude })),
  );
  expect(whole.at(-1).decoded.messages.length).toBeGreaterThan(0);
  const paged: unknown[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query: string = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { items, nextCursor } = (await api.get(`${path}?limit=1${query}`)).body;
    paged.push(...items);
    cursor = nextCursor;
  }
  expect(paged).toEqual(whole);
});

test('a relay’s frame shows the messages of the device, and its bytes if all of its devices may be read', async () => {
  const [frame] = fixture('egts/fixtures/relay.json').frames;
  const on = { ...wire, imei: '2586625890', conn: 'run.8', protocol: 'egts' };
  const at = systemClock.now() - 60_000;
  await api.events([{ seq: 1, type: 'frame', at, ...on, bytes: base64(frame!.wire) }], 'relay');
  const own = frame!.messages.filter(({ deviceId }) => deviceId === '2586625890');
  expect(own.length).toBeLessThan(frame!.messages.length);
  const read = async () => (await api.get('/v1/devices/2586625890/timeline')).body.items[0];
  const entry = await read();
  expect(entry.decoded.messages.map((message: { deviceId: string }) => message.deviceId)).toEqual(
    own.map(({ deviceId }) => deviceId),
  );
  expect(entry).toMatchObject({ hex: null, text: null });
  const other = String(frame!.messages.find(({ deviceId }) => deviceId !== '2586625890')!['deviceId']);
  await api.events([{ seq: 2, type: 'frame', at, ...on, imei: other, bytes: base64(frame!.wire) }], 'relay');
  expect(await read()).toMatchObject({ hex: frame!.wire, decoded: entry.decoded });
});

test('entries are deleted after their retention period, and all entries of a removed device', async () => {
  const now = systemClock.now();
  const frame = (seq: number, ageDays: number) => ({
    seq,
    type: 'frame',
    at: now - ageDays * DAY,
    ...wire,
    imei: 'TL-2',
    bytes: 'AA==',
  });
  const old = (seq: number, ageDays: number) => {
    const time = new Date(now - ageDays * DAY).toISOString();
    return { seq, ...positionEvent('TL-2', seq, { fixTime: time, deviceTime: time }) };
  };
  await api.events(
    [frame(1, 30), frame(2, 8), frame(3, 1), frame(4, 400), old(5, 100), old(6, 31), old(7, 29), old(8, 4000)],
    'old',
  );
  const longAgo = new Date(now - 100 * DAY).toISOString();
  await api.events([positionEvent('TL-4', 1, { fixTime: longAgo, deviceTime: longAgo })], 'silent');
  await api.events(
    [positionEvent('TL-3', 1, { fixTime: new Date(now - DAY).toISOString() }), { ...frame(2, 1), imei: 'TL-3' }],
    'removed',
  );
  const count = async (path: string) => (await api.get(path)).body.items.length;
  expect(await count('/v1/devices/TL-2/timeline')).toBe(4);
  expect(await count('/v1/devices/TL-2/positions')).toBe(4);
  await api.send('DELETE', '/v1/devices/TL-3');
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  const { id } = (await owner.query('select device_id as id from fleetgate.removed_device')).rows[0];
  const left = async (): Promise<number> =>
    Number((await owner.query('select count(*) as n from fleetgate.position where device_id = $1', [id])).rows[0].n);
  expect(await left()).toBe(1);
  await owner.query("update fleetgate.removed_device set removed_at = removed_at - interval '1 hour'");
  const month = longAgo.slice(0, 7).replace('-', '');
  const partitions = async (): Promise<string[]> =>
    (
      await owner.query(
        `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'fleetgate.position'::regclass`,
      )
    ).rows.map(({ name }) => name);
  expect(await partitions()).toContain(`fleetgate.position_${month}`);
  expect((await api.get('/v1/vehicles/TL-4/position')).status).toBe(200);
  await api.api.housekeeping.run();
  expect(await partitions()).not.toContain(`fleetgate.position_${month}`);
  expect((await api.get('/v1/vehicles/TL-4/position')).body.code).toBe('no-position-yet');
  expect(await count('/v1/devices/TL-2/timeline')).toBe(1);
  expect(await count('/v1/devices/TL-2/positions')).toBe(1);
  expect(await left()).toBe(0);
  await owner.end();
  const { rows } = await api.database.ingest.query(
    `select to_regclass('timeline_' || to_char(now() - interval '30 days', 'YYYYMMDD')) is null as dropped`,
  );
  expect(rows[0].dropped).toBe(true);
});
