import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitForReaders } from '../../../src/apps/history.ts';
import { RECORDS_MEDIA_TYPE } from '../../../src/contract/records.ts';
import { STEPS, type Step } from '../../../src/server/history/index.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { narrowAll, sealAll, startHistory, type TestHistory } from '../../support/history.ts';
import { packedPosition, spoolBody } from '../../support/spool-records.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 2, 1);
/** in some other order than that of their ids */
const ATTRIBUTES = { ignition: true, text: 'comma, "quotes" and\nlines, \\N, è', fuelUsed: 12.5, alarm: 'sos' };

let api: RunningApi;
let history: TestHistory;
let breakAt: Step | undefined;
let damage: (() => Promise<void>) | undefined;
let announced: (() => void) | undefined;
/** rows that take the place of those that have left the database, `rows`; `n` counts them. SQL of DuckDB */
let damageExported: string | undefined;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
  history = startHistory(api.database, async (step) => {
    if (step === 'announced') announced?.();
    if (step === 'exported') await damageRows();
    if (step === 'written') await damage?.();
    if (step === breakAt) throw new Error(`broken at ${step}`);
  });
});
afterAll(async () => {
  await history?.stop();
  await api?.stop();
  await dropDatabases();
});
beforeEach(() => {
  breakAt = undefined;
});

const position = (deviceId: string, at: number, over: object = {}) => ({
  deviceId,
  fixTime: new Date(at).toISOString(),
  deviceTime: new Date(at + 1_000).toISOString(),
  valid: true,
  latitude: 45.1234567,
  longitude: -0.1,
  speed: 0,
  altitude: 1e-7,
  attributes: ATTRIBUTES,
  ...over,
});
async function push(deviceId: string, times: readonly number[], over: object = {}): Promise<void> {
  const positions = times.map((at) => position(deviceId, at, over));
  const { body } = await api.send('POST', '/v1/positions', { positions });
  expect(body.rejected).toEqual([]);
}
async function listed(imei: string, query = ''): Promise<{ id: string; fixTime: string }[]> {
  const items = [];
  for (let cursor = ''; ; ) {
    const { body } = await api.get(`/v1/devices/${imei}/positions?limit=7${query}${cursor}`);
    items.push(...body.items);
    if (body.nextCursor === null) return items;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
}
async function damageRows(): Promise<void> {
  if (damageExported === undefined) return;
  const db = await (await DuckDBInstance.create(':memory:')).connect();
  for (const name of readdirSync(history.workDir).filter((each) => each.endsWith('.rows'))) {
    const path = join(history.workDir, name);
    await db.run(
      `copy (with rows as (select *, row_number() over () as n from read_parquet('${path}')) ${damageExported})
       to '${path}.damaged' (format parquet)`,
    );
    renameSync(`${path}.damaged`, path);
  }
  db.closeSync();
}
const rowCount = async (): Promise<number> => {
  const { rows } = await api.database.ingest.query('select count(*)::int as n from position');
  return rows[0].n;
};
const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10);
const hexOf = (id: string): string => Buffer.from(id, 'base64url').toString('hex');
const minutes = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i * 60_000);

describe('positions in files', () => {
  test('are the same as they were as rows', async () => {
    await push('H-1', [...minutes(START + DAY - 10 * 60_000, 20), ...minutes(START + 5 * DAY, 5)]);
    await push('H-1', [START + 60_000], { network: { cells: [{ mcc: 222, mnc: 1, lac: 3, cid: 4 }] } });
    await push('H-2', minutes(START + DAY, 5), { valid: false });
    const before = [await listed('H-1'), await listed('H-2')];
    const sealed = await sealAll(history, START + 3 * DAY);
    expect(sealed).toEqual({ positions: 26, parts: 2, failed: [] });
    expect(await rowCount()).toBe(5);
    expect([await listed('H-1'), await listed('H-2')]).toEqual(before);
    expect(JSON.stringify(before[0])).toContain('comma, \\"quotes\\" and\\nlines');
    await sealAll(history);
    expect(await rowCount()).toBe(0);
    expect([await listed('H-1'), await listed('H-2')]).toEqual(before);
    expect(await history.verify()).toEqual([]);
    const from = `&from=${START + DAY}&to=${START + DAY + 60_000}`;
    expect(await listed('H-1', from)).toEqual(
      before[0]!.filter(
        ({ fixTime }) => Date.parse(fixTime) >= START + DAY && Date.parse(fixTime) <= START + DAY + 60_000,
      ),
    );
  });

  test('that arrive late are listed once, in order, and join their file later', async () => {
    await push('H-late', minutes(START, 10));
    await sealAll(history);
    await push('H-late', [START + 30_000, START - 1_000, START + 60_000 * 9.5]);
    // stored before: the file has it already
    await push('H-late', [START + 60_000]);
    const times = (await listed('H-late')).map(({ fixTime }) => Date.parse(fixTime));
    expect(times).toEqual(
      [START - 1_000, ...minutes(START, 10), START + 30_000, START + 570_000].sort((a, b) => a - b),
    );
    const before = await listed('H-late');
    await sealAll(history);
    expect(await rowCount()).toBe(0);
    expect(await listed('H-late')).toEqual(before);
    expect(await history.verify()).toEqual([]);
  });

  test('are neither lost nor doubled if sealing stops at any step', async () => {
    await push('H-broken', minutes(START + 20 * DAY, 30));
    await sealAll(history);
    await push('H-broken', minutes(START + 20 * DAY + 30_000, 10));
    const before = await listed('H-broken');
    expect(before).toHaveLength(40);
    for (const step of STEPS) {
      breakAt = step;
      const sealed = await history.seal({ before: START + 30 * DAY });
      breakAt = undefined;
      expect(sealed!.failed.length, step).toBe(1);
      expect(await listed('H-broken'), step).toEqual(before);
    }
    // the last step is behind the commit
    expect(await rowCount()).toBe(0);
    expect(await history.verify()).toEqual([]);
  });

  test('with a time that cannot be right stay marked, and can be listed alone', async () => {
    const wrong = START - 100 * DAY;
    await push('H-clock', [START, wrong, START + 60_000], { attributes: { alarm: 'sos' } });
    const suspects = () => listed('H-clock', '&clockSuspect=true');
    const before = [await listed('H-clock'), await suspects()];
    expect(before[1]).toMatchObject([
      { fixTime: new Date(wrong).toISOString().replace('.000', ''), clockSuspect: true },
    ]);
    await sealAll(history);
    expect(await rowCount()).toBe(0);
    expect([await listed('H-clock'), await suspects()]).toEqual(before);
    const { rows } = await history.query('select count(*) from positions where clock_suspect');
    expect(Number(rows[0]![0])).toBe(1);
  });

  const pathOf = async (day: number): Promise<string> => {
    const { rows } = await api.database.ingest.query(
      `select path from history_file where day = (to_timestamp($1) at time zone 'UTC')::date`,
      [day / 1_000],
    );
    return join(history.folder, rows[0].path);
  };

  /** Formats before `id_device`; the first one had no mark of a wrong clock, and ids as rows have them. */
  test.each([
    { format: 1, columns: 'id_device, clock_suspect', end: `|| '\\x00'::blob` },
    { format: 3, columns: 'id_device', end: '' },
  ])('are read from files of format $format, and join a file of today’s', async ({ format, columns, end }) => {
    const day = START + (60 + format) * DAY;
    const imei = `H-format-${format}`;
    await push(imei, minutes(day, 3));
    await sealAll(history);
    const before = await listed(imei);
    const path = await pathOf(day);
    const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
    const ids = before.map(({ id, fixTime }) => `(timestamptz '${fixTime}', unhex('${hexOf(id)}')${end})`);
    await duckdb.run(`create table old as select * exclude (${columns}) replace (whole as id)
      from read_parquet('${path}') join (values ${ids.join(', ')}) ids (moment, whole) on moment = time`);
    await duckdb.run(`copy (select * exclude (moment, whole) from old order by time) to '${path}' (format parquet)`);
    duckdb.closeSync();
    expect(await listed(imei)).toEqual(before);
    expect(await listed(imei, '&clockSuspect=true')).toEqual([]);
    await push(imei, minutes(day + 30_000, 2));
    const both = await listed(imei);
    expect(both).toHaveLength(5);
    await sealAll(history);
    expect(await listed(imei)).toEqual(both);
    expect(await history.verify()).toEqual([]);
  });

  test('have in files what device and time do not give of an id, and whole ids of other clients', async () => {
    const day = START + 70 * DAY;
    const own = 'abcdefghijklmnopqrstuv';
    await push('H-ids', minutes(day, 3));
    await push('H-ids', [day + 1_000], { id: own });
    const before = await listed('H-ids');
    expect(before.map(({ id }) => id)).toContain(own);
    await sealAll(history);
    expect(await listed('H-ids')).toEqual(before);
    const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
    const stored = await duckdb.runAndReadAll(
      `select octet_length(id), octet_length(id_device) from read_parquet('${await pathOf(day)}') order by time`,
    );
    duckdb.closeSync();
    expect(stored.getRowsJson().map(([id, device]) => [Number(id), device === null ? null : Number(device)])).toEqual([
      [5, 5],
      [17, null],
      [5, 5],
      [5, 5],
    ]);
    const { rows } = await history.query(`select to_base64(id)[:22] from positions where day = '${dayText(day)}'`);
    const text = ([id]: readonly unknown[]): string => String(id).replaceAll('+', '-').replaceAll('/', '_');
    expect(rows.map(text).sort()).toEqual(before.map(({ id }) => id).sort());
  });

  test('that a device sends again are duplicates, from a client and from a gateway', async () => {
    const times = minutes(START + 80 * DAY, 3);
    await push('H-again', times);
    await sealAll(history);
    const before = await listed('H-again');
    const positions = [...times, START + 80 * DAY + 1_000].map((time) => position('H-again', time));
    const { body } = await api.send('POST', '/v1/positions', { positions });
    expect(body).toEqual({ accepted: 1, duplicates: 3, rejected: [] });
    expect(await rowCount()).toBe(1);
    expect(await listed('H-again')).toHaveLength(before.length + 1);
    await sealAll(history);
    const report = async (spool: string, ...numbers: number[]): Promise<unknown> => {
      const records = numbers.map((n, i) => packedPosition(i + 1, 'H-packed', n));
      const response = await fetch(`${api.url}/v1/internal/events?spool=${spool}`, {
        method: 'POST',
        headers: { ...(await api.gateway()), 'content-type': RECORDS_MEDIA_TYPE },
        body: new Uint8Array(spoolBody(records)),
      });
      return response.json();
    };
    await report('first', 0, 1, 2);
    await sealAll(history);
    expect(await report('second', 0, 1, 2, 3)).toEqual({ lastSeq: 4, rejected: [] });
    expect(await rowCount()).toBe(1);
    expect(await listed('H-packed')).toHaveLength(4);
    await sealAll(history);
  });

  test('are moved by hand once all followers have read what was stored before', async () => {
    const { ingest } = api.database;
    await push('H-read', minutes(START + 90 * DAY, 3));
    await ingest.query(`insert into feed_cursor (name, xid, seq) values ('behind', '3', 0)`);
    await ingest.query(`insert into feed (kind, keys) values ('positions', '')`);
    await expect(waitForReaders(api.database, 0)).rejects.toThrow(/behind.*: not all positions have been read yet/);
    // followers do not see what was stored since a transaction began, so that they have not read it
    const writing = await ingest.connect();
    await writing.query('begin');
    await writing.query('select pg_current_xact_id()');
    await push('H-read', [START + 90 * DAY + 500]);
    await ingest.query(`update feed_cursor set xid = pg_snapshot_xmax(pg_current_snapshot()) where name = 'behind'`);
    await expect(waitForReaders(api.database, 0)).rejects.toThrow(/a transaction that still writes: not all/);
    await writing.query('commit');
    writing.release();
    const writtenBefore = await waitForReaders(api.database, 60_000);
    // what arrives now is not sealed: nobody has read it yet
    await push('H-read', [START + 90 * DAY + 1_000]);
    const sealed = await history.seal({ before: START + 100 * DAY, writtenBefore });
    expect(sealed).toMatchObject({ positions: 4, failed: [] });
    expect(await rowCount()).toBe(1);
    expect(await listed('H-read')).toHaveLength(5);
    await sealAll(history);
  });

  test('stay rows if what has left the database is damaged on the way', async () => {
    const day = START + 75 * DAY;
    await push('H-exported', minutes(day, 3), { course: 10, accuracy: 3 });
    const before = await listed('H-exported');
    const values = {
      sent_time: 'sent_time + 1',
      id: `'\\xF1'::blob || id[2:]`,
      id_device: `'\\x01\\x02\\x03\\x04\\x05'::blob`,
      latitude: 'latitude + 0.1',
      longitude: '-0.2',
      speed: '1',
      course: '11',
      altitude: '5',
      form: 'form + 1',
      flags: 'xor(flags, 1)',
      texts: `replace(texts, '12.5', '12.4')`,
      rest: `replace(rest, '3', '4')`,
      sent_check: 'sent_check + 1',
    };
    const damages: Record<string, string> = {
      ...Object.fromEntries(
        Object.entries(values).map(([column, value]) => [
          column,
          `select * exclude (n) replace (case when n = 1 then ${value} else ${column} end as ${column}) from rows`,
        ]),
      ),
      'a row less': 'select * exclude (n) from rows where n > 1',
      'a row twice':
        'select * exclude (n) from (from rows union all from rows where n = 1) order by device_id, sent_time',
    };
    for (const narrow of [false, true]) {
      if (narrow) await narrowAll(history);
      for (const [name, changed] of Object.entries(damages)) {
        // rows that are not narrow have none
        if (!narrow && name === 'form') continue;
        damageExported = changed;
        const sealed = await history.seal({ before: day + DAY });
        damageExported = undefined;
        expect(sealed!.failed, name).toMatchObject([{ reason: expect.stringContaining('does not hold') }]);
      }
    }
    await sealAll(history);
    expect(await listed('H-exported')).toEqual(before);
  });

  test('stay rows if what leaves the database cannot be written, until it can', async () => {
    const day = START + 90 * DAY;
    await push('H-unwritten', minutes(day, 3));
    const before = await listed('H-unwritten');
    announced = () => rmSync(history.workDir, { recursive: true });
    const sealed = await history.seal({ before: day + DAY });
    announced = undefined;
    expect(sealed).toMatchObject({ positions: 0, failed: [{ reason: expect.stringContaining('ENOENT') }] });
    await sealAll(history);
    expect(await rowCount()).toBe(0);
    expect(await listed('H-unwritten')).toEqual(before);
  });

  test('stay rows if any column of the file differs from them', async () => {
    const other = { network: { cells: [] }, course: 10, accuracy: 3, protocol: 'teltonika' };
    await push('H-differs', minutes(START + 65 * DAY, 3), other);
    const before = await listed('H-differs');
    const columns = {
      latitude: 'latitude + 0.001',
      longitude: 'longitude + 0.001',
      speed: 'speed + 1',
      course: 'course + 1',
      altitude: 'null',
      accuracy: 'accuracy + 1',
      valid: 'not valid',
      outdated: 'not outdated',
      ignition: 'null',
      clock_suspect: 'not clock_suspect',
      device_time: `device_time + interval '1 s'`,
      fix_time: `fix_time + interval '1 s'`,
      server_time: `server_time + interval '1 s'`,
      protocol: 'null::varchar',
      network: 'null::varchar',
      attributes: `replace(attributes, '12.5', '12.4')`,
    };
    const instance = await DuckDBInstance.create(':memory:');
    const db = await instance.connect();
    for (const [column, value] of Object.entries(columns)) {
      damage = async () => {
        const folder = join(history.folder, 'tenant=1', 'day=2026-05-05');
        for (const name of readdirSync(folder)) {
          const file = join(folder, name);
          await db.run(
            `create or replace table t as select * replace (${value} as ${column}) from read_parquet('${file}')`,
          );
          await db.run(`copy (from t order by device_id, time, id) to '${file}' (format parquet)`);
        }
      };
      const sealed = await history.seal({ before: START + 70 * DAY });
      damage = undefined;
      expect(sealed!.failed, column).toMatchObject([
        { reason: expect.stringContaining('does not hold what was written') },
      ]);
    }
    instance.closeSync();
    expect(await rowCount()).toBe(3);
    await sealAll(history);
    expect(await listed('H-differs')).toEqual(before);
  });

  test('are the same from narrow rows, whatever texts, names and times they have, and of more forms than usual', async () => {
    const at = START + 110 * DAY;
    const odd = {
      'per % cent %s': 1.5,
      'a "name" \\ with signs': '\\N \t \n \\n "é" \u0001',
      fuelLevel: 12.5,
    };
    await push('H-forms', minutes(at, 3), {
      attributes: odd,
      network: { cells: [{ mcc: 222, mnc: 1, lac: 3, cid: 4 }] },
      accuracy: 0.1,
    });
    await push('H-forms', minutes(at + 10_000, 3), { attributes: {}, protocol: 'teltonika' });
    for (let n = 0; n < 70; n++)
      await push('H-forms', [at + 3_600_000 + n], { attributes: { [`input${n}`]: n % 2 === 0 } });
    await narrowAll(history);
    await push('H-forms', minutes(at + 30_000, 2));
    const before = await listed('H-forms');
    expect(before.length).toBeGreaterThan(70);
    await sealAll(history);
    expect(await rowCount()).toBe(0);
    expect(await listed('H-forms')).toEqual(before);
    expect(await history.verify()).toEqual([]);
  });

  test('leave the files with their device', async () => {
    await push('H-kept', minutes(START, 5));
    await push('H-erased', minutes(START, 5));
    await sealAll(history);
    const kept = await listed('H-kept');
    const { rows } = await api.database.ingest.query(`select id from device where imei = 'H-erased'`);
    expect(await history.erase(rows[0].id)).toBe(true);
    expect(await listed('H-erased')).toEqual([]);
    expect(await listed('H-kept')).toEqual(kept);
    expect(await history.verify()).toEqual([]);
  });

  test('are queried by SQL that reads nothing else', async () => {
    await push('H-sql', minutes(START, 3));
    await sealAll(history);
    const { columns, rows } = await history.query(
      'select count(*) as n, min(latitude) as lat from positions where device_id > 0',
    );
    expect(columns).toEqual(['n', 'lat']);
    expect(Number(rows[0]![0])).toBe((await history.status()).positions);
    await expect(history.query(`select * from read_text('/etc/hostname')`)).rejects.toThrow(
      /disabled|Permission|not allow/i,
    );
    await expect(history.query(`copy (select 1) to '${join(history.folder, 'x.csv')}'`)).rejects.toThrow(
      /disabled|Permission|not allow/i,
    );
  });

  test('that changed on the disk are reported', async () => {
    await push('H-verify', minutes(START + 40 * DAY, 3));
    await sealAll(history);
    const folder = join(history.folder, 'tenant=1', 'day=2026-04-10');
    const [name] = readdirSync(folder);
    writeFileSync(join(folder, name!), 'x', { flag: 'a' });
    expect(await history.verify()).toMatchObject([{ path: expect.stringContaining('day=2026-04-10') }]);
  });
});
