import { resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { copyAsTenant } from '../../../src/server/database/index.ts';
import { openTransfer } from '../../../src/server/database/transfer/store.ts';
import { listUnfiled } from '../../../src/server/history/days/store.ts';
import { DAY_STEPS, DEVICES_PER_BUCKET, STEPS, type Step } from '../../../src/server/history/index.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { asOwner, dropDatabases, withDatabase } from '../../support/databases.ts';
import { narrowAll, sealAll, startHistory, type TestHistory } from '../../support/history.ts';
import { runUntilKilled } from '../../support/run-until-killed.ts';

const DAY = 86_400_000;
/** days of the last weeks have tables of their own */
const START = Math.floor(systemClock.now() / DAY) * DAY - 40 * DAY;

let url: string;
let api: RunningApi;
let history: TestHistory;
let breakAt: Step | undefined;
let breaksOnce = false;
let seen: Step[] = [];
beforeAll(async () => {
  url = await withDatabase(async (empty) => empty);
  api = await startApi(url);
  history = startHistory(api.database, (step) => {
    seen.push(step);
    if (step !== breakAt) return;
    if (breaksOnce) breakAt = undefined;
    throw new Error(`broken at ${step}`);
  });
});
afterAll(async () => {
  await history?.stop();
  await api?.stop();
  await dropDatabases();
});
beforeEach(() => {
  breakAt = undefined;
  breaksOnce = false;
  seen = [];
});

const minutes = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i * 60_000);
async function push(imei: string, times: readonly number[]): Promise<void> {
  const positions = times.map((at) => ({
    imei,
    fixTime: new Date(at).toISOString(),
    valid: true,
    latitude: 45,
    longitude: 9,
    attributes: { at },
  }));
  const { body } = await api.send('POST', '/v1/positions', { positions });
  expect(body.rejected).toEqual([]);
}
async function listed(imei: string): Promise<number[]> {
  const { body } = await api.get(`/v1/devices/${imei}/positions?limit=500`);
  return body.items.map(({ attributes }: { attributes: { at: number } }) => attributes.at);
}
const count = async (table: string): Promise<number> =>
  (await asOwner<{ n: number }>(url, `select count(*)::int as n from ${table}`))[0]!.n;
const closed = async (): Promise<number> =>
  (
    await asOwner<{ n: number }>(
      url,
      `select count(*)::int as n from pg_trigger where tgname = 'position_narrow_closed'`,
    )
  )[0]!.n;
/** Opens tables that tests have left behind, and moves what they hold. */
async function settle(): Promise<void> {
  await sealAll(history);
  expect(await count('position_all')).toBe(0);
  expect(await closed()).toBe(0);
  expect(await history.verify()).toEqual([]);
}

describe('days that have a table of their own', () => {
  test('are moved as a whole, and their tables are emptied at once', async () => {
    const times = [0, 1, 2].flatMap((day) => minutes(START + day * DAY, 30));
    await push('D-1', times);
    await push('D-2', times);
    await narrowAll(history);
    await asOwner(url, `select pg_stat_reset()`);
    expect(await sealAll(history, START + 2 * DAY)).toEqual({ positions: 120, parts: 2, failed: [] });
    expect(seen.filter((step) => step === 'emptied')).toHaveLength(2);
    expect(await count('position_narrow')).toBe(60);
    expect(await listed('D-1')).toEqual(times);
    expect(await listed('D-2')).toEqual(times);
    await settle();
    expect(await listed('D-1')).toEqual(times);
    const [{ deleted }] = (await asOwner<{ deleted: number }>(
      url,
      `select coalesce(sum(n_tup_del), 0)::int as deleted from pg_stat_user_tables where relname like 'position_narrow%'`,
    )) as [{ deleted: number }];
    expect(deleted).toBe(0);
  });

  test('keep their rows until all of their files are written', async () => {
    const imeis = ['D-left', 'D-right'];
    await asOwner(
      url,
      `insert into device (id, tenant_id, imei, registered_by) overriding system value
      select 100000 + n * ${DEVICES_PER_BUCKET}, tenant_id, imei, 'api'
      from tenant, unnest(array['D-left', 'D-right']) with ordinality d (imei, n) where name = 'default'`,
    );
    const times = minutes(START + 6 * DAY, 10);
    for (const imei of imeis) await push(imei, times);
    await narrowAll(history);
    // one of the two fails
    breakAt = 'written';
    breaksOnce = true;
    expect(await history.seal({ before: START + 30 * DAY })).toMatchObject({ positions: 10, parts: 1, failed: [{}] });
    expect(seen).not.toContain('emptied');
    expect([await count('position_narrow'), await closed()]).toEqual([20, 1]);
    for (const imei of imeis) expect(await listed(imei)).toEqual(times);
    expect(await history.seal({ before: START + 30 * DAY })).toEqual({ positions: 10, parts: 1, failed: [] });
    expect(seen).toContain('emptied');
    await settle();
    for (const imei of imeis) expect(await listed(imei)).toEqual(times);
  });

  test('of a device that has been that of another tenant become files of both', async () => {
    const at = START + 12 * DAY;
    await push('D-moved', minutes(at, 10));
    await narrowAll(history);
    await asOwner(url, `insert into tenant (name) values ('before')`);
    await asOwner(
      url,
      `update position_narrow set tenant_id = (select tenant_id from tenant where name = 'before')
       where (time at time zone 'UTC')::time < '00:04'`,
    );
    const day = new Date(at).toISOString().slice(0, 10);
    const parts = await listUnfiled(api.database.ingest, day);
    expect(parts.map(({ narrowRows }) => narrowRows)).toEqual([6, 4]);
    expect(await history.seal({ before: START + 30 * DAY })).toEqual({ positions: 10, parts: 2, failed: [] });
    expect([await count('position_all'), await closed()]).toEqual([0, 0]);
    const files = await asOwner<{ name: string; positions: number }>(
      url,
      `select name, positions::int from history_file join tenant using (tenant_id) where day = '${day}' order by 1`,
    );
    expect(files).toEqual([
      { name: 'before', positions: 4 },
      { name: 'default', positions: 6 },
    ]);
    expect(await listed('D-moved')).toEqual(minutes(at + 4 * 60_000, 6));
  });

  test('of a device that has been deleted are not waited for', async () => {
    const at = START + 13 * DAY;
    for (const imei of ['D-deleted', 'D-stays']) await push(imei, minutes(at, 10));
    await narrowAll(history);
    await asOwner(
      url,
      `update position_narrow set flags = flags & ~512,
       server_after = case when (time at time zone 'UTC')::time < '00:04' then 10 * 86400000 else 1000 end`,
    );
    expect((await api.send('DELETE', '/v1/devices/D-deleted')).status).toBe(200);
    const sealed = await history.seal({ before: at + DAY, arrivedBefore: at + 5 * DAY });
    expect(sealed).toEqual({ positions: 6, parts: 1, failed: [] });
    expect([await count('position_narrow'), await count('position'), await closed()]).toEqual([0, 4, 0]);
    expect(await listed('D-stays')).toEqual(minutes(at, 10));
    await settle();
  });

  test('keep what arrived too late for the files as wide rows', async () => {
    await push('D-late', minutes(START + 3 * DAY, 10));
    await narrowAll(history);
    await asOwner(
      url,
      `update position_narrow set flags = flags & ~512,
      server_after = case when (time at time zone 'UTC')::time < '00:04' then 10 * 86400000 else 1000 end`,
    );
    const sealed = await history.seal({ before: START + 4 * DAY, arrivedBefore: START + 8 * DAY });
    expect(sealed).toEqual({ positions: 6, parts: 1, failed: [] });
    expect([await count('position_narrow'), await count('position')]).toEqual([0, 4]);
    expect(await closed()).toBe(0);
    expect(await listed('D-late')).toEqual(minutes(START + 3 * DAY, 10));
    const [row] = await asOwner<{ late: number }>(
      url,
      `select (extract(epoch from server_time - time))::int as late from position limit 1`,
    );
    expect(row!.late).toBe(10 * 86_400);
    await settle();
    expect(await listed('D-late')).toEqual(minutes(START + 3 * DAY, 10));
  });

  test('of which everything arrived too late stay rows', async () => {
    await push('D-later', minutes(START + 4 * DAY, 3));
    await narrowAll(history);
    const sealed = await history.seal({ before: START + 5 * DAY, arrivedBefore: START });
    expect(sealed).toEqual({ positions: 0, parts: 0, failed: [] });
    expect([await count('position_narrow'), await count('position'), await closed()]).toEqual([0, 3, 0]);
    expect(await listed('D-later')).toEqual(minutes(START + 4 * DAY, 3));
    await settle();
  });

  test('move the wide rows that they have got meanwhile as well', async () => {
    await push('D-wide', minutes(START + 5 * DAY, 10));
    await narrowAll(history);
    await push('D-wide', minutes(START + 5 * DAY + 30_000, 5));
    const times = await listed('D-wide');
    expect(await sealAll(history)).toMatchObject({ positions: 15, parts: 1 });
    await settle();
    expect(await listed('D-wide')).toEqual(times);
  });

  test('are neither lost nor doubled if sealing stops at any step', async () => {
    for (const [n, step] of [...STEPS, ...DAY_STEPS].entries()) {
      const day = START + (10 + n) * DAY;
      const imei = `D-broken-${n}`;
      const times = minutes(day, 20);
      await push(imei, times);
      await narrowAll(history);
      breakAt = step;
      await history.seal({ before: START + 30 * DAY }).catch(() => undefined);
      breakAt = undefined;
      expect(seen).toContain(step);
      expect(await listed(imei), step).toEqual(times);
      // arrives while the table may be closed
      await push(imei, [day + 30_000]);
      await narrowAll(history);
      expect(await listed(imei), step).toHaveLength(21);
      await sealAll(history);
      await settle();
      expect(await listed(imei), step).toHaveLength(21);
    }
  });

  test('are emptied later where somebody reads them, and are listed once until then', async () => {
    const times = minutes(START + 7 * DAY, 10);
    await push('D-read', times);
    await narrowAll(history);
    const reader = new pg.Client({ connectionString: url, options: '-c search_path=fleetgate' });
    await reader.connect();
    await reader.query('begin');
    await reader.query('select count(*) from position_narrow');
    expect(await sealAll(history)).toMatchObject({ positions: 10, parts: 1 });
    expect([await count('position_narrow'), await closed()]).toEqual([10, 1]);
    expect(await listed('D-read')).toEqual(times);
    // neither due again, nor changed by what is narrowed meanwhile
    expect(await history.isDue({ positions: { before: START + 30 * DAY } })).toBe(false);
    await push('D-read', [START + 7 * DAY + 30_000]);
    await narrowAll(history);
    expect([await count('position_narrow'), await count('position')]).toEqual([10, 1]);
    await expect(asOwner(url, 'insert into position_narrow select * from position_narrow limit 1')).rejects.toThrow(
      /are being moved to files/,
    );
    await reader.end();
    await history.clean();
    expect([await count('position_narrow'), await closed()]).toEqual([0, 0]);
    expect(await listed('D-read')).toHaveLength(11);
    await settle();
  });

  test('are not emptied between the two statements of a reader', async () => {
    const times = minutes(START + 8 * DAY, 10);
    await push('D-guard', times);
    await narrowAll(history);
    const [{ id, tenant }] = (await asOwner<{ id: number; tenant: number }>(
      url,
      `select id::int, tenant_id as tenant from device where imei = 'D-guard'`,
    )) as [{ id: number; tenant: number }];
    const blocker = new pg.Client({ connectionString: url });
    await blocker.connect();
    await blocker.query('select pg_advisory_lock(77)');
    let rows = 0;
    const reading = copyAsTenant(
      api.database.streams,
      tenant,
      `copy (select 1 from position_all where device_id = ${id}) to stdout (format binary)`,
      { row: () => rows++ },
      undefined,
      { text: 'select 1 where pg_advisory_xact_lock(77) is null' },
    );
    // the guard has its instant, and waits
    await expect
      .poll(() => asOwner(url, `select from pg_locks where locktype = 'advisory' and objid = 77 and not granted`))
      .toHaveLength(1);
    await sealAll(history);
    await blocker.end();
    await reading;
    expect(rows).toBe(10);
    await settle();
  });

  test('are in an export that began before they were moved', async () => {
    await push('D-export', minutes(START + 9 * DAY, 10));
    await narrowAll(history);
    const transfer = await openTransfer(url);
    await transfer.beginSnapshot();
    await sealAll(history);
    const table = (await transfer.tables()).find(({ name }) => name === 'position_narrow')!;
    expect(await transfer.hasRows(table)).toBe(true);
    await transfer.commit();
    await transfer.close();
    await history.clean();
    await settle();
  });

  test('lose nothing and double nothing when the process is killed at any step', async () => {
    for (const [n, step] of [...STEPS, ...DAY_STEPS].entries()) {
      const imei = `D-killed-${n}`;
      const times = [0, 1].flatMap((day) => minutes(START + (20 + 2 * n + day) * DAY, 20));
      await push(imei, times);
      await narrowAll(history);
      await runUntilKilled('seal', url, resolve(history.folder, '..'), step);
      expect(await listed(imei), step).toEqual(times);
      await settle();
      expect(await listed(imei), step).toEqual(times);
    }
  });
});
