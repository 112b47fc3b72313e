import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RECORDS_MEDIA_TYPE } from '../../../src/contract/records.ts';
import { EVENT, PACKED, POSITION, type RecordKind } from '../../../src/delivery/index.ts';
import { HEADER_BYTES, writeRecord } from '../../../src/delivery/spool/record.ts';
import { packPosition } from '../../../src/telemetry/index.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { positionOf } from '../../support/positions.ts';
import { stopSharedServer, withDatabase } from '../../support/postgres.ts';

const START = Date.UTC(2026, 4, 1, 8);
let api: RunningApi;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
});
afterAll(async () => {
  await api?.stop();
  await stopSharedServer();
});

interface Given {
  readonly seq: number;
  readonly kind: RecordKind;
  readonly bytes: Uint8Array;
}

const packed = (seq: number, imei: string, n: number, attributes: object = { ignition: n % 2 === 0 }): Given => {
  const time = START + n * 1000;
  const fix = { deviceTime: time, fixTime: time, latitude: 41.9 + n / 1000, longitude: 12.5, altitude: 20, speed: n };
  const position = { type: 'position', valid: true, course: 90, ...fix, attributes } as const;
  return { seq, kind: PACKED, bytes: packPosition(imei, 'teltonika', position as never, time + 250) };
};

function bodyOf(records: readonly Given[]): Buffer {
  const body = Buffer.alloc(records.reduce((sum, { bytes }) => sum + HEADER_BYTES + bytes.length, 0));
  let at = 0;
  for (const { seq, kind, bytes } of records) at = writeRecord(body, at, seq, 0, { kind, bytes });
  return body;
}

async function report(body: Buffer, spool: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${api.url}/v1/internal/events?spool=${spool}`, {
    method: 'POST',
    headers: { ...(await api.gateway()), 'content-type': RECORDS_MEDIA_TYPE },
    body: new Uint8Array(body),
  });
  return { status: response.status, body: await response.json() };
}

const stored = async (imei: string): Promise<{ id: string; attributes: object }[]> =>
  (await api.get(`/v1/devices/${imei}/positions`)).body.items;

describe("a spool's records", () => {
  test('become rows and the newest position, whatever they are kept as', async () => {
    const imei = '356307042442001';
    const event = { type: 'heartbeat', at: START, imei, conn: 'life.1' };
    const text = { ...positionOf(imei, 2), serverTime: '2026-05-01T08:00:02.250Z' };
    const records = [
      packed(1, imei, 0),
      packed(2, imei, 1),
      { seq: 4, kind: EVENT, bytes: Buffer.from(JSON.stringify(event)) },
      { seq: 5, kind: POSITION, bytes: Buffer.from(JSON.stringify(text)) },
      packed(6, imei, 3),
    ];
    expect(await report(bodyOf(records), 'kinds')).toEqual({ status: 200, body: { lastSeq: 6, rejected: [] } });
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

  test('change nothing when they are repeated, whole or overlapping, even under a new spool', async () => {
    const imei = '356307042442002';
    const records = Array.from({ length: 10 }, (_, n) => packed(n + 1, imei, n));
    await report(bodyOf(records.slice(0, 6)), 'again');
    expect((await report(bodyOf(records.slice(0, 6)), 'again')).body).toEqual({ lastSeq: 6, rejected: [] });
    expect((await report(bodyOf(records.slice(3)), 'again')).body).toEqual({ lastSeq: 10, rejected: [] });
    await report(bodyOf(records), 'again-elsewhere');
    expect(await stored(imei)).toHaveLength(10);
  });

  test('are refused one by one', async () => {
    const imei = '356307042442003';
    const offGlobe = packed(2, imei, 1);
    Buffer.from(offGlobe.bytes.buffer, offGlobe.bytes.byteOffset).writeDoubleBE(91, 44);
    const noJson = packed(3, imei, 2, { driver: 'A.B' });
    noJson.bytes[noJson.bytes.length - 1] = 0x20;
    const badId = packed(4, 'no device', 3);
    const badEvent = { seq: 5, kind: EVENT, bytes: Buffer.from('{"type":"heartbeat"}') } as const;
    const another = { type: 'heartbeat', seq: 900, at: START, imei, conn: 'life.1' };
    const ownSeq = { seq: 7, kind: EVENT, bytes: Buffer.from(JSON.stringify(another)) } as const;
    const escaped = packed(6, imei, 4, { driver: 'a\u0000b' });
    const answer = await report(
      bodyOf([packed(1, imei, 0), offGlobe, noJson, badId, badEvent, escaped, ownSeq]),
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
  ])('that are %s are no batch', async (_, damage) => {
    const answer = await report(damage(bodyOf([packed(1, '356307042442004', 0)])), 'malformed');
    expect(answer).toMatchObject({ status: 400, body: { code: 'malformed' } });
  });

  test('have the identity that a pusher’s record without one gets', async () => {
    const imei = '356307042442005';
    await report(bodyOf([packed(1, imei, 5)]), 'identity');
    const [{ id: _, imei: deviceId, ...record }] = (await stored(imei)) as never as [{ id: string; imei: string }];
    const pushed = { positions: [{ ...record, deviceId }] };
    expect((await api.send('POST', '/v1/positions', pushed)).body).toEqual({
      accepted: 0,
      duplicates: 1,
      rejected: [],
    });
  });
});
