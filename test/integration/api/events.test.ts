import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RECORDS_VERSION, RECORDS_VERSION_HEADER } from '../../../src/contract/versions.ts';
import { transaction } from '../../../src/server/database/index.ts';
import { markTransaction } from '../../../src/server/ingest/batches/store.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { positionEvent, positionOf } from '../../support/positions.ts';

let api: RunningApi;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

async function stored(imei: string): Promise<number> {
  const { rows } = await api.database.ingest.query(
    'select count(*) as n from position p join device d on d.id = p.device_id where d.imei = $1',
    [imei],
  );
  return rows[0].n;
}

describe('a batch of events', () => {
  test('is stored as rows, and the newest is the position of the vehicle', async () => {
    const imei = '356307042441013';
    const answer = await api.events([positionEvent(imei, 1), positionEvent(imei, 2), positionEvent(imei, 0)], 'first');
    expect(answer).toMatchObject({ status: 200, body: { lastSeq: 3, rejected: [] } });
    expect(await stored(imei)).toBe(3);
    const { status, body, headers } = await api.get(`/v1/vehicles/${imei}/position`);
    const { deviceId: _, ...newest } = positionOf(imei, 2);
    const { ageMs, ...rest } = body;
    expect(status).toBe(200);
    expect(rest).toEqual({
      ...newest,
      deviceTime: '2026-05-01T08:00:02Z',
      fixTime: '2026-05-01T08:00:02Z',
      serverTime: '2026-05-01T08:00:02.250Z',
      imei,
      online: false,
      targa: null,
      geofences: [],
    });
    expect(ageMs).toBeGreaterThan(0);
    expect(headers.get('last-modified')).toBe('Fri, 01 May 2026 08:00:02 GMT');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('changes nothing when it is repeated completely or in part, also with a new spool id', async () => {
    const imei = '356307042441014';
    const lines = Array.from({ length: 10 }, (_, n) => ({ seq: n + 1, ...positionEvent(imei, n) }));
    const { headers } = await api.events(lines.slice(0, 6), 'repeat');
    expect(headers.get(RECORDS_VERSION_HEADER)).toBe(String(RECORDS_VERSION));
    expect((await api.events(lines.slice(0, 6), 'repeat')).body).toEqual({ lastSeq: 6, rejected: [] });
    expect((await api.events(lines.slice(3), 'repeat')).body).toEqual({ lastSeq: 10, rejected: [] });
    await api.events(lines, 'repeat-elsewhere');
    expect(await stored(imei)).toBe(10);
  });
});

describe('the cursor of a spool', () => {
  const statement = 'select advance_cursor(gateway, spool, $2, $3, $4, $5, null) from gateway_cursor where spool = $1';
  const advance = (spool: string, behind: number, first: number, last: number) =>
    transaction(api.database.ingest, async (tx) => {
      await markTransaction(tx);
      await tx.query(statement, [spool, behind, first, last, '[]']);
    });
  const cursor = async (spool: string): Promise<number> =>
    (await api.database.ingest.query('select last_seq from gateway_cursor where spool = $1', [spool])).rows[0].last_seq;

  test('advances over consecutive records only', async () => {
    await api.events([{ seq: 7, ...positionEvent('356307042441017', 7) }], 'advancing');
    for (const [behind, first] of [
      [0, 7],
      [7, 7],
      [8, 9],
    ] as const) {
      await expect(advance('advancing', behind, first, 12)).rejects.toMatchObject({ code: 'FG001' });
    }
    expect(await cursor('advancing')).toBe(7);
    await advance('advancing', 7, 9, 12);
    expect(await cursor('advancing')).toBe(12);
  });

  test('does not advance outside of a transaction, for example if its begin was lost', async () => {
    const spool = 'advancing-alone';
    await api.events([{ seq: 1, ...positionEvent('356307042441018', 1) }], spool);
    const client = await api.database.ingest.connect();
    try {
      await markTransaction(client);
      await expect(client.query(statement, [spool, 1, 2, 3, '[]'])).rejects.toMatchObject({ code: 'FG001' });
    } finally {
      client.release();
    }
    expect(await cursor(spool)).toBe(1);
  });

  test('does not advance past rejections that the gateway may not have received', async () => {
    const spool = 'advancing-unheard';
    const { body } = await api.events([{ seq: 3, type: 'position', position: {} }], spool);
    expect(body).toMatchObject({ lastSeq: 3, rejected: [{ seq: 3 }] });
    await expect(advance(spool, 3, 4, 5)).rejects.toMatchObject({ code: 'FG001' });
  });
});

describe('pipelined batches of one spool', () => {
  const lines = (imei: string, first: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({ seq: first + n, ...positionEvent(imei, first + n) }));
  const send = (spool: string, query: string, body: readonly object[]) => api.events(body, `${spool}${query}`);

  test('are applied in their order', async () => {
    const imei = '356307042441015';
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        send('pipeline', n === 0 ? '' : `&after=${n * 20}&settled=0`, lines(imei, n * 20 + 1, 20)),
      ),
    );
    // the network may bring a request before the one that was sent first: then it is refused, never applied early
    const conflict = answers.findIndex(({ status }) => status === 409);
    const applied = conflict === -1 ? 8 : conflict;
    expect(answers.slice(0, applied).map(({ body }) => body.lastSeq)).toEqual(
      Array.from({ length: applied }, (_, n) => (n + 1) * 20),
    );
    expect(await stored(imei)).toBeGreaterThanOrEqual(applied * 20);
  });

  test('are not applied if the preceding batch was not', async () => {
    const imei = '356307042441016';
    const early = await send('gap', '&after=10&settled=0', lines(imei, 11, 10));
    expect(early).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await api.get(`/v1/devices/${imei}/positions`)).toMatchObject({ body: { items: [] } });
    await send('gap', '', lines(imei, 1, 10));
    expect(await send('gap', '&after=10&settled=0', lines(imei, 11, 10))).toMatchObject({ body: { lastSeq: 20 } });
    expect(await stored(imei)).toBe(20);
  });

  test('report rejections again until the gateway has received them', async () => {
    const bad = (seq: number) => ({ seq, type: 'position', position: { deviceId: 'bad' } });
    const rejectedOf = async (query: string, body: readonly object[]) =>
      (await send('repeated', query, body)).body.rejected.map(({ seq }: { seq: number }) => seq);
    expect(await rejectedOf('', [bad(1), bad(2)])).toEqual([1, 2]);
    expect(await rejectedOf('&after=2&settled=0', [bad(3)])).toEqual([3]);
    expect(await rejectedOf('', [bad(1), bad(2)])).toEqual([1, 2]);
    expect(await rejectedOf('', [bad(3)])).toEqual([3]);
    expect(await rejectedOf('&after=3&settled=2', [bad(4)])).toEqual([4]);
    expect(await rejectedOf('', [bad(1), bad(2)])).toEqual([]);
    expect(await rejectedOf('', [bad(3)])).toEqual([3]);
  });
});
