import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RECORDS_MEDIA_TYPE } from '../../../src/contract/records.ts';
import { type FrameHead, packFrame, packPosition } from '../../../src/contract/telemetry/index.ts';
import { EVENT, FRAME, PACKED, POSITION } from '../../../src/gateway/spool/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { positionOf } from '../../support/positions.ts';
import { packedPosition, type SpoolRecord, START, spoolBody } from '../../support/spool-records.ts';

let api: RunningApi;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

async function report(body: Buffer, spool: string, headers = {}): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${api.url}/v1/internal/events?spool=${spool}`, {
    method: 'POST',
    headers: { ...(await api.gateway()), 'content-type': RECORDS_MEDIA_TYPE, ...headers },
    body: new Uint8Array(body),
  });
  return { status: response.status, body: await response.json() };
}

const stored = async (imei: string): Promise<{ id: string; attributes: object }[]> =>
  (await api.get(`/v1/devices/${imei}/positions`)).body.items;

describe("a spool's records", () => {
  test('are stored as rows and as the newest position, in each format', async () => {
    const imei = '356307042442001';
    const event = { type: 'heartbeat', at: START, imei, conn: 'run.1' };
    const text = { ...positionOf(imei, 2), serverTime: '2026-05-01T08:00:02.250Z' };
    const records = [
      packedPosition(1, imei, 0),
      packedPosition(2, imei, 1),
      { seq: 4, kind: EVENT, bytes: Buffer.from(JSON.stringify(event)) },
      { seq: 5, kind: POSITION, bytes: Buffer.from(JSON.stringify(text)) },
      packedPosition(6, imei, 3),
    ];
    expect(await report(spoolBody(records), 'kinds')).toEqual({ status: 200, body: { lastSeq: 6, rejected: [] } });
    expect(await stored(imei)).toHaveLength(4);
    const { body } = await api.get(`/v1/vehicles/${imei}/position`);
    expect(body).toMatchObject({
      imei,
      protocol: 'teltonika',
      deviceTime: '2026-05-01T08:00:03Z',
      serverTime: '2026-05-01T08:00:03.250Z',
      latitude: 41.903,
      speed: 3,
      attributes: { ignition: false },
    });
  });

  test('may be compressed, as the answer says; what comes out is limited', async () => {
    const imei = '356307042442020';
    const body = spoolBody([packedPosition(1, imei, 0), packedPosition(2, imei, 1)]);
    const coded = { 'content-encoding': 'gzip' };
    expect(await report(gzipSync(body), 'coded', coded)).toEqual({ status: 200, body: { lastSeq: 2, rejected: [] } });
    expect(await stored(imei)).toHaveLength(2);
    const { headers } = await fetch(`${api.url}/v1/internal/events?spool=coded`, {
      method: 'POST',
      headers: { ...(await api.gateway()), 'content-type': RECORDS_MEDIA_TYPE },
      body: new Uint8Array(body),
    });
    expect(headers.get('accept-encoding')).toBe('gzip');
    expect(headers.get('server-timing')).toMatch(/^store;dur=\d+\.\d$/);
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect(await report(bomb, 'coded', coded)).toMatchObject({ status: 413, body: { code: 'too-large' } });
    expect(await report(body, 'coded', coded)).toMatchObject({ status: 400 });
    expect(await report(gzipSync(body).subarray(0, -9), 'coded', coded)).toMatchObject({ status: 400 });
    expect(await report(body, 'coded', { 'content-encoding': 'br' })).toMatchObject({ status: 415 });
    expect(await stored(imei)).toHaveLength(2);
  });

  test('change nothing when they are repeated completely or in part, also with a new spool id', async () => {
    const imei = '356307042442002';
    const records = Array.from({ length: 10 }, (_, n) => packedPosition(n + 1, imei, n));
    await report(spoolBody(records.slice(0, 6)), 'again');
    expect((await report(spoolBody(records.slice(0, 6)), 'again')).body).toEqual({ lastSeq: 6, rejected: [] });
    expect((await report(spoolBody(records.slice(3)), 'again')).body).toEqual({ lastSeq: 10, rejected: [] });
    await report(spoolBody(records), 'again-elsewhere');
    expect(await stored(imei)).toHaveLength(10);
  });

  test('with a wrong time are kept and marked, the others of the batch as they are', async () => {
    const imei = '356307042442010';
    const [first, second, third] = [1, 3, 4].map((n) => packedPosition(n, imei, n));
    const past = START - 1024 * 7 * 86_400_000;
    const fix = { deviceTime: past, fixTime: past, latitude: 41.9, longitude: 12.5, valid: true, attributes: {} };
    const bytes = packPosition(imei, 'teltonika', { type: 'position', ...fix }, START);
    const rollover = { seq: 2, kind: PACKED, bytes };
    const records = [first!, rollover, second!, third!];
    expect((await report(spoolBody(records), 'clocks')).body).toEqual({ lastSeq: 4, rejected: [] });
    const list = (await api.get(`/v1/devices/${imei}/positions`)).body.items;
    expect(list.map(({ valid }: { valid: boolean }) => valid)).toEqual([false, true, true, true]);
    const marked = (await api.get(`/v1/devices/${imei}/positions?clockSuspect=true`)).body.items;
    expect(marked).toMatchObject([{ id: list[0].id, clockSuspect: true, attributes: {} }]);
    expect((await api.get(`/v1/vehicles/${imei}/position`)).body.id).toBe(list[3].id);
  });

  test('with an implausible place are kept and marked, and are not the current one', async () => {
    const imei = '356307042442019';
    const at = START - 60_000;
    const packed = (seq: number, latitude: number, longitude: number): SpoolRecord => {
      const time = at + seq * 1_000;
      const position = { type: 'position' as const, deviceTime: time, fixTime: time, valid: true, attributes: {} };
      const bytes = packPosition(imei, 'teltonika', { ...position, latitude, longitude }, time);
      return { seq, kind: PACKED, bytes };
    };
    const places = [packed(1, 41.9, 12.5), packed(2, 43.5, 12.5), packed(3, 41.9, 12.5), packed(4, 0, 0)];
    expect((await report(spoolBody(places), 'implausible')).status).toBe(200);
    const list = (await api.get(`/v1/devices/${imei}/positions`)).body.items;
    expect(list.map(({ valid, implausible }: Record<string, unknown>) => [valid, implausible])).toEqual([
      [true, undefined],
      [false, 'jump'],
      [true, undefined],
      [false, 'zero-coordinates'],
    ]);
    expect((await api.get(`/v1/vehicles/${imei}/position`)).body).toMatchObject({ latitude: 41.9, longitude: 12.5 });
  });

  test('keep absent numbers absent and 0 as 0, and 0/0 without satellites as no fix', async () => {
    const imei = '356307042442009';
    const at = START - 60_000;
    const packed = (seq: number, over: object): SpoolRecord => {
      const time = at + seq * 1_000;
      const position = {
        type: 'position' as const,
        deviceTime: time,
        fixTime: time,
        valid: true,
        attributes: {},
        ...over,
      };
      return { seq, kind: PACKED, bytes: packPosition(imei, 'teltonika', position, time) };
    };
    const place = { latitude: 41.9, longitude: 12.5 };
    const records = [
      packed(1, { ...place, altitude: 0, speed: 0, course: 0 }),
      packed(2, place),
      packed(3, { latitude: 0, longitude: 0, valid: false, attributes: { sat: 0 } }),
    ];
    expect((await report(spoolBody(records), 'absent')).status).toBe(200);
    const pushed = new Date(at + 4_000).toISOString();
    const position = { deviceId: imei, deviceTime: pushed, fixTime: pushed, valid: true, ...place, attributes: {} };
    expect((await api.send('POST', '/v1/positions', { positions: [position] })).body).toMatchObject({ accepted: 1 });
    const numbers = ({ altitude, speed, course, valid }: Record<string, unknown>) => ({
      altitude,
      speed,
      course,
      valid,
    });
    const none = { altitude: undefined, speed: undefined, course: undefined };
    const list = (await api.get(`/v1/devices/${imei}/positions`)).body.items;
    expect(list.map(numbers)).toEqual([
      { altitude: 0, speed: 0, course: 0, valid: true },
      { ...none, valid: true },
      { ...none, valid: false },
      { ...none, valid: true },
    ]);
    const newest = (await api.get(`/v1/vehicles/${imei}/position`)).body;
    expect(newest).toMatchObject({ fixTime: pushed.replace('.000', ''), ...place });
    expect(numbers(newest)).toEqual({ ...none, valid: true });
    expect(numbers((await api.get(`/v1/devices/${imei}/state`)).body.lastFix)).toEqual({ ...none, valid: true });
    const interval = { from: at, to: at + 10_000 };
    const { body: track } = await api.send('PUT', '/v1/vehicles/percorso', { targa: imei, ...interval });
    expect(track.points.map(({ speed, course }: Record<string, unknown>) => [speed, course])).toEqual([
      [0, 0],
      [null, null],
      [null, null],
    ]);
  });

  test('are refused one by one', async () => {
    const imei = '356307042442003';
    const offGlobe = packedPosition(2, imei, 1);
    Buffer.from(offGlobe.bytes.buffer, offGlobe.bytes.byteOffset).writeDoubleBE(91, 44);
    const noJson = packedPosition(3, imei, 2, { driver: 'A.B' });
    noJson.bytes[noJson.bytes.length - 1] = 0x20;
    const badId = packedPosition(4, 'no device', 3);
    const badEvent = { seq: 5, kind: EVENT, bytes: Buffer.from('{"type":"heartbeat"}') } as const;
    const another = { type: 'heartbeat', seq: 900, at: START, imei, conn: 'run.1' };
    const ownSeq = { seq: 7, kind: EVENT, bytes: Buffer.from(JSON.stringify(another)) } as const;
    const escaped = packedPosition(6, imei, 4, { driver: 'a\u0000b' });
    const answer = await report(
      spoolBody([packedPosition(1, imei, 0), offGlobe, noJson, badId, badEvent, escaped, ownSeq]),
      'bad',
    );
    expect(answer).toMatchObject({
      status: 200,
      body: {
        lastSeq: 7,
        rejected: [
          { seq: 2, code: 'invalid' },
          { seq: 3, code: 'unstorable' },
          { seq: 4, code: 'invalid' },
          { seq: 5, code: 'invalid' },
          { seq: 7, code: 'invalid' },
        ],
      },
    });
    expect((await stored(imei)).map(({ attributes }) => attributes)).toEqual([
      { ignition: true },
      { driver: 'a\ufffdb' },
    ]);
  });

  test.each([
    ['cut off', (body: Buffer) => body.subarray(0, -1)],
    ['a header too few', (body: Buffer) => body.subarray(0, 7)],
    ['of falling sequences', (body: Buffer) => Buffer.concat([body, body])],
  ])('that are %s are refused as a batch', async (_, damage) => {
    const answer = await report(damage(spoolBody([packedPosition(1, '356307042442004', 0)])), 'malformed');
    expect(answer).toMatchObject({ status: 400, body: { code: 'malformed' } });
  });

  test('have the same id as records without an id', async () => {
    const imei = '356307042442005';
    await report(spoolBody([packedPosition(1, imei, 5)]), 'identity');
    const [{ id: _, imei: deviceId, ...record }] = (await stored(imei)) as never as [{ id: string; imei: string }];
    const pushed = { positions: [{ ...record, deviceId }] };
    expect((await api.send('POST', '/v1/positions', pushed)).body).toEqual({
      accepted: 0,
      duplicates: 1,
      rejected: [],
    });
  });

  const frame = (seq: number, at: number, bytes: string, over: Partial<FrameHead> = {}): SpoolRecord => {
    const head = { at, imei: 'FR-1', conn: 'run.1', protocol: 'h02', transport: 'tcp', remote: '10.0.0.1:2' } as const;
    return { seq, kind: FRAME, bytes: packFrame({ ...head, ...over }, Buffer.from(bytes, 'latin1'))! };
  };
  const timeline = async (imei: string) =>
    (await api.get(`/v1/devices/${imei}/timeline`)).body.items.map(
      ({ kind, at, hex, protocol, transport, remote, conn }: Record<string, string | null>) => [
        kind,
        Date.parse(at!),
        hex === null ? '' : Buffer.from(hex!, 'hex').toString('latin1'),
        protocol,
        transport,
        remote,
        conn,
      ],
    );

  test('of frames are in the timeline, whatever they contain and whoever sent them', async () => {
    const at = systemClock.now() - 60_000;
    const other = { imei: 'FR-2', conn: 'run.2', protocol: 'gt06', transport: 'udp', remote: '[::1]:9' } as const;
    const records = [
      frame(1, at, 'one\u0000\u00ff'),
      frame(2, at, ''),
      frame(3, at + 5, 'x'.repeat(70_000), other),
      frame(4, at + 1, 'nobody', { imei: undefined }),
      packedPosition(5, 'FR-1', 1),
      frame(6, at + 2, 'three'),
    ];
    expect((await report(spoolBody(records), 'frames')).body).toEqual({ lastSeq: 6, rejected: [] });
    const mine = ['h02', 'tcp', '10.0.0.1:2', 'run.1'];
    expect(await timeline('FR-1')).toEqual([
      ['frame', at, 'one\u0000\u00ff', ...mine],
      ['frame', at, '', ...mine],
      ['frame', at + 2, 'three', ...mine],
    ]);
    expect(await timeline('FR-2')).toEqual([['frame', at + 5, 'x'.repeat(70_000), 'gt06', 'udp', '[::1]:9', 'run.2']]);
    const { rows } = await api.database.ingest.query('select device_id, tenant_id from timeline where bytes = $1', [
      Buffer.from('nobody'),
    ]);
    expect(rows).toEqual([{ device_id: 0, tenant_id: 0 }]);
  });

  test('of frames keep their order among other entries of the same millisecond', async () => {
    const at = systemClock.now() - 30_000;
    const wire = { at, imei: 'FR-3', conn: 'run.1', protocol: 'h02', transport: 'tcp', remote: '10.0.0.1:2' };
    const event = (seq: number, body: object) => ({ seq, kind: EVENT, bytes: Buffer.from(JSON.stringify(body)) });
    const records = [
      event(1, { type: 'session-opened', ids: ['FR-3'], ...wire }),
      frame(2, at, 'a', { imei: 'FR-3' }),
      event(3, { type: 'answer', at, imei: 'FR-3', conn: 'run.1', outcome: 'done', text: 'b' }),
      frame(4, at, 'c', { imei: 'FR-3' }),
      event(5, { type: 'session-closed', at, imei: 'FR-3', conn: 'run.1', reason: 'gone' }),
    ];
    expect((await report(spoolBody(records), 'frames-between')).body).toEqual({ lastSeq: 5, rejected: [] });
    const kinds = (await timeline('FR-3')).map(([kind]: unknown[]) => kind);
    expect(kinds).toEqual(['session-opened', 'frame', 'answer', 'frame', 'session-closed']);
  });

  test('of frames are refused one by one, and update the time of last contact of their device', async () => {
    const at = systemClock.now() - 20_000;
    const wire = { at, imei: 'FR-4', conn: 'run.1', protocol: 'h02', transport: 'tcp', remote: '10.0.0.1:2' };
    const opened = Buffer.from(JSON.stringify({ type: 'session-opened', ids: ['FR-4'], ...wire }));
    await report(spoolBody([{ seq: 1, kind: EVENT, bytes: opened }]), 'frames-bad');
    const none = frame(3, at, 'x', { imei: 'FR-4' });
    none.bytes[8] = 9;
    const records = [
      frame(2, at + 5_000, 'a', { imei: 'FR-4' }),
      none,
      frame(4, at, 'x', { imei: 'no/device' }),
      frame(5, at + 1_000, 'b', { imei: 'FR-4' }),
    ];
    expect((await report(spoolBody(records), 'frames-bad')).body).toMatchObject({
      lastSeq: 5,
      rejected: [
        { seq: 3, code: 'invalid' },
        { seq: 4, code: 'invalid' },
      ],
    });
    expect(await timeline('FR-4')).toHaveLength(3);
    const { rows } = await api.database.ingest.query(
      "select extract(epoch from seen_at) * 1000 as seen from session s join device d on d.id = s.device_id where d.imei = 'FR-4'",
    );
    expect(Number(rows[0].seen)).toBe(at + 5_000);
  });
});
