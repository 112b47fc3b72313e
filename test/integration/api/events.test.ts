import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApi, startApi } from '../../support/api.ts';
import { positionEvent, positionOf } from '../../support/positions.ts';
import { stopSharedServer, withDatabase } from '../../support/postgres.ts';

let api: RunningApi;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
});
afterAll(async () => {
  await api?.stop();
  await stopSharedServer();
});

async function stored(imei: string): Promise<number> {
  const { rows } = await api.database.ingest.query(
    'select count(*) as n from position p join device d on d.id = p.device_id where d.imei = $1',
    [imei],
  );
  return rows[0].n;
}

describe('a batch of events', () => {
  test('becomes rows, and the newest of them the position of the vehicle', async () => {
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
    });
    expect(ageMs).toBeGreaterThan(0);
    expect(headers.get('last-modified')).toBe('Fri, 01 May 2026 08:00:02 GMT');
    expect(headers.get('cache-control')).toBe('no-cache');
  });

  test('changes nothing when it is repeated, whole or overlapping, even under a new spool', async () => {
    const imei = '356307042441014';
    const lines = Array.from({ length: 10 }, (_, n) => ({ seq: n + 1, ...positionEvent(imei, n) }));
    await api.events(lines.slice(0, 6), 'repeat');
    expect((await api.events(lines.slice(0, 6), 'repeat')).body).toEqual({ lastSeq: 6, rejected: [] });
    expect((await api.events(lines.slice(3), 'repeat')).body).toEqual({ lastSeq: 10, rejected: [] });
    await api.events(lines, 'repeat-elsewhere');
    expect(await stored(imei)).toBe(10);
  });
});
