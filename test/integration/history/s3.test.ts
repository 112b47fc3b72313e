import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { STEPS, type Step, StoreError } from '../../../src/server/history/index.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { sealAll, startHistory, type TestHistory } from '../../support/history.ts';
import { needs } from '../../support/programs.ts';
import { TestS3 } from '../../support/s3-server.ts';

vi.setConfig({ testTimeout: 300_000 });

const program = needs('versitygw');
const DAY = 86_400_000;
const START = Date.UTC(2026, 2, 1);

describe.skipIf(program === undefined)('positions in a bucket of an S3 server', () => {
  let s3: TestS3;
  let api: RunningApi;
  let history: TestHistory;
  let at: (step: Step) => Promise<void> | void = () => undefined;
  beforeAll(async () => {
    s3 = await new TestS3(program!).start();
    api = await withDatabase((url) => startApi(url));
    history = startHistory(api.database, (step) => at(step), s3);
  });
  afterAll(async () => {
    await history?.stop();
    await api?.stop();
    await s3?.remove();
    await dropDatabases();
  });
  beforeEach(async () => {
    at = () => undefined;
    s3.isHung = false;
  });

  async function push(imei: string, times: readonly number[]): Promise<void> {
    const positions = times.map((time) => ({
      imei,
      fixTime: new Date(time).toISOString(),
      valid: true,
      latitude: 45.1,
      longitude: 9.2,
      attributes: { text: 'comma, "quotes"' },
    }));
    const { body } = await api.send('POST', '/v1/positions', { positions });
    expect(body.rejected).toEqual([]);
  }
  const list = (imei: string, query = ''): ReturnType<RunningApi['get']> =>
    api.get(`/v1/devices/${imei}/positions?limit=500${query}`);
  const listed = async (imei: string, query = ''): Promise<unknown[]> => (await list(imei, query)).body.items;
  const rowCount = async (): Promise<number> => {
    const { rows } = await api.database.ingest.query('select count(*)::int as n from position');
    return rows[0].n;
  };
  const minutes = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i * 60_000);

  test('are the same as they were as rows, and the objects are those of the manifest', async () => {
    await push('S-1', minutes(START + DAY - 10 * 60_000, 20));
    const before = await listed('S-1');
    expect(before).toHaveLength(20);
    await sealAll(history);
    expect(await rowCount()).toBe(0);
    expect(await listed('S-1')).toEqual(before);
    await push('S-1', [START + DAY + 1_000]);
    await sealAll(history);
    expect(await listed('S-1')).toHaveLength(21);
    expect(await history.verify()).toEqual([]);
    const { rows } = await api.database.ingest.query<{ path: string; sha256: string }>(
      'select path, sha256 from history_file',
    );
    expect(rows).toHaveLength(2);
    for (const { path, sha256 } of rows) {
      const object = readFileSync(join(s3.folder, 'history', path));
      expect(createHash('sha256').update(object).digest('hex')).toBe(sha256);
    }
    const { rows: counted } = await history.query(`select count(*), min(day)::varchar from positions`);
    expect(counted.map(([n, day]) => [Number(n), day])).toEqual([[21, '2026-03-01']]);
  });

  test('of one device are read by ranges of its row groups, once', async () => {
    await push('S-long', [START + 10 * DAY]);
    const { rows } = await api.database.ingest.query<{ id: number }>(`select id from device where imei = 'S-long'`);
    // as many as several row groups, of six devices
    await api.database.ingest.query(
      `with d as (insert into device (tenant_id, imei, registered_by)
         select tenant_id, 'S-long-' || n, 'api' from device, generate_series(1, 6) n where id = $1 returning id, tenant_id)
       insert into position (device_id, time, id, tenant_id, latitude, longitude, valid, outdated, server_time, attributes)
       select d.id, to_timestamp($2) + i * interval '2 s', decode(md5(d.id || ' ' || i) || 'ab', 'hex'), d.tenant_id,
         45 + random(), 9 + random(), true, false, now(), json_build_object('a', random())::text::jsonb
       from d, generate_series(1, 43000) i`,
      [rows[0]!.id, (START + 10 * DAY) / 1_000],
    );
    const hour = `&from=${START + 10 * DAY + 6 * 3_600_000}&to=${START + 10 * DAY + 6 * 3_600_000 + 800_000}`;
    const before = await listed('S-long-2', hour);
    expect(before).toHaveLength(401);
    await sealAll(history);
    const { rows: files } = await api.database.ingest.query<{ bytes: number }>(
      `select bytes from history_file where day = '2026-03-11'`,
    );
    const [bytesBefore, requestsBefore] = [s3.bytesRead, s3.requests.length];
    expect(await listed('S-long-2', hour)).toEqual(before);
    const own = s3.requests.slice(requestsBefore);
    // metadata, and one or two row groups
    expect(own.length, own.join('\n')).toBeLessThan(5);
    for (const request of own) expect(request).toMatch(/^GET \/fleet\/history\/.* bytes=\d+-\d+$/);
    expect(s3.bytesRead - bytesBefore).toBeLessThan(files[0]!.bytes / 2);
    expect(await listed('S-long-2', hour)).toEqual(before);
    expect(s3.requests).toHaveLength(requestsBefore + own.length);
    // other row groups join those that are there
    const all = await listed('S-long-3', `&from=${START + 11 * DAY - 700_000}`);
    expect(all.length).toBeGreaterThan(100);
    expect(s3.requests).toHaveLength(requestsBefore + own.length + 1);
    expect((await history.query('select count(*) from positions where device_id > 0')).rows).toHaveLength(1);
  });

  test('are neither lost nor doubled if the server is lost at any step of sealing', async () => {
    await push('S-broken', minutes(START + 20 * DAY, 30));
    await sealAll(history);
    await push('S-broken', minutes(START + 20 * DAY + 30_000, 10));
    let before = await listed('S-broken');
    expect(before).toHaveLength(40);
    for (const [n, step] of STEPS.entries()) {
      at = (reached) => (reached === step ? s3.kill() : undefined);
      const sealed = await history.seal({ before: START + 40 * DAY }).catch((error: Error) => error);
      at = () => undefined;
      if (sealed instanceof Error) expect(sealed, step).toBeInstanceOf(StoreError);
      await s3.start();
      expect(await listed('S-broken'), step).toEqual(before);
      // those steps that do not need the server have moved all rows
      if (sealed instanceof Error) continue;
      await push('S-broken', [START + 20 * DAY + 45_000 + n]);
      before = await listed('S-broken');
      expect(before.length).toBeGreaterThan(40);
    }
    writeFileSync(join(history.workDir, 'bucket-0-of-a-killed-process.parquet'), 'x');
    await sealAll(history);
    expect(await rowCount()).toBe(0);
    expect(await listed('S-broken')).toEqual(before);
    expect(await history.verify()).toEqual([]);
    expect(readdirSync(history.workDir).filter((name) => name.endsWith('.parquet'))).toEqual([]);
  });

  test('that cannot be read are answered with 503 until the server is back', async () => {
    await push('S-away', minutes(START + 50 * DAY, 5));
    const before = await listed('S-away');
    await sealAll(history);
    await s3.kill();
    const { status, body } = await list('S-away');
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('past positions') });
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|fleet\//);
    await expect(history.verify()).rejects.toThrow(StoreError);
    await s3.start();
    expect(await listed('S-away')).toEqual(before);
    await s3.kill();
    // what has been read is here
    expect(await listed('S-away')).toEqual(before);
    await s3.start();
  });

  test('are not waited for longer than the limit if the server does not answer', async () => {
    const other = startHistory(api.database, undefined, {
      url: s3.url,
      settings: { ...s3.settings, timeoutMs: 300 },
      cacheMb: 0,
    });
    try {
      const before = await listed('S-away');
      expect(before).toHaveLength(5);
      // nothing stays with a cache of 0 MB
      expect(
        readdirSync(other.workDir, { recursive: true }).filter((name) => String(name).endsWith('.parquet')),
      ).toEqual([]);
      s3.isHung = true;
      const { status } = await list('S-away');
      expect(status).toBe(503);
    } finally {
      await other.stop();
    }
  });

  test('that are missing or were changed in the bucket are reported', async () => {
    const { rows } = await api.database.ingest.query<{ path: string }>(
      `select path from history_file where day in ('2026-03-01', '2026-03-02') order by day`,
    );
    rmSync(join(s3.folder, 'history', rows[0]!.path));
    writeFileSync(join(s3.folder, 'history', rows[1]!.path), 'x', { flag: 'a' });
    expect((await history.verify()).map(({ path }) => path)).toEqual(rows.map(({ path }) => path));
  });
});
