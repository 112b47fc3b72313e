import type pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PACKED } from '../../../src/gateway/spool/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { type Database, openDatabase } from '../../../src/server/database/index.ts';
import { createDirectory } from '../../../src/server/devices/directory/index.ts';
import { directoryStore } from '../../../src/server/devices/directory/store.ts';
import { createIngestService, createPartitions, type IngestService } from '../../../src/server/ingest/batches/index.ts';
import { advanceCursor, lockCursor, markTransaction } from '../../../src/server/ingest/batches/store.ts';
import { silent } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { recordLimits } from '../../support/settings.ts';
import { packedPosition, type SpoolRecord, START, spoolBody } from '../../support/spool-records.ts';

let database: Database;
let stored = 0;
let events: IngestService;
beforeAll(async () => {
  database = await withDatabase((url) => openDatabase({ url, log: silent }));
  const { ingest: pool, listener } = database;
  await pool.query("insert into tenant (name) values ('default')");
  events = createIngestService({
    ...recordLimits(),
    pool,
    directory: createDirectory(directoryStore(pool, { tenantId: 1, perHour: 1_000 }), listener),
    positionMonths: createPartitions(pool, 'position', systemClock.now),
    timelineDays: createPartitions(pool, 'timeline', systemClock.now),
    clock: systemClock,
    autoRegister: true,
    defaultTenantId: 1,
    counter: {
      countReceived: () => {},
      countStored: (_tenantId, positions) => {
        stored += positions;
      },
    },
    onRefused: () => {},
  });
});
afterAll(async () => {
  await database?.close();
  await dropDatabases();
});

const run = (imei: string, first: number, last: number): SpoolRecord[] =>
  Array.from({ length: last - first + 1 }, (_, n) => packedPosition(first + n, imei, first + n));
const rows = async (imei: string): Promise<number> =>
  (
    await database.ingest.query(
      'select count(*)::int as n from position p join device d on d.id = p.device_id where d.imei = $1',
      [imei],
    )
  ).rows[0].n;
const cursor = async (spool: string): Promise<number> =>
  (await database.ingest.query('select last_seq from gateway_cursor where spool = $1', [spool])).rows[0].last_seq;

/** Batches sent in one tick, each naming the one before it, as a gateway sends them. */
function ingestAll(spool: string, batches: readonly (readonly SpoolRecord[])[], behind: number) {
  let after = behind;
  return Promise.allSettled(
    batches.map((batch) => {
      const answer = events.ingest({ gateway: 'gw', spool, after, settled: 0 }, spoolBody(batch));
      after = batch.at(-1)!.seq;
      return answer;
    }),
  );
}

const seqOf = (settled: PromiseSettledResult<{ lastSeq: number }>): unknown =>
  settled.status === 'fulfilled' ? settled.value.lastSeq : (settled.reason as { code: string }).code;

test('batches sent without waiting are stored in order, each once', async () => {
  const imei = '356307042443001';
  await events.ingest({ gateway: 'gw', spool: 'pipelined' }, spoolBody(run(imei, 1, 5)));
  const batches = [run(imei, 6, 40), run(imei, 41, 60), run(imei, 61, 62)];
  expect((await ingestAll('pipelined', batches, 5)).map(seqOf)).toEqual([40, 60, 62]);
  expect(await rows(imei)).toBe(62);
  expect(stored).toBe(62);
  // sent again, none is new
  expect((await ingestAll('pipelined', batches, 5)).map(seqOf)).toEqual([62, 62, 62]);
  expect(stored).toBe(62);
});

test('batches after one that is processed row by row wait for it', async () => {
  const imei = '356307042443002';
  await events.ingest({ gateway: 'gw', spool: 'rough' }, spoolBody(run(imei, 1, 5)));
  const noJson = packedPosition(8, imei, 8, { driver: 'A.B' });
  noJson.bytes[noJson.bytes.length - 1] = 0x20;
  const known = packedPosition(15, imei, 3);
  const batches = [
    [packedPosition(6, imei, 6), packedPosition(7, imei, 7), noJson, packedPosition(9, imei, 9)],
    run(imei, 10, 12),
    [...run(imei, 13, 14), known, packedPosition(16, imei, 16)],
    [{ seq: 17, kind: PACKED, bytes: Buffer.from('none') }, ...run(imei, 18, 20)],
    run(imei, 21, 30),
  ];
  const settled = await ingestAll('rough', batches, 5);
  expect(settled.map(seqOf)).toEqual([9, 12, 16, 20, 30]);
  const rejected = settled.flatMap((s) => (s.status === 'fulfilled' ? s.value.rejected.map(({ seq }) => seq) : []));
  expect(new Set(rejected)).toEqual(new Set([8, 17]));
  // 30 numbers without 8, 15 (which was number 3) and 17
  expect(await rows(imei)).toBe(27);
  expect(await cursor('rough')).toBe(30);
});

test('large batches that are stored in a row keep their own values', async () => {
  const imei = '356307042443004';
  await events.ingest({ gateway: 'gw', spool: 'large' }, spoolBody(run(imei, 1, 1)));
  // more batches than there are arenas, each made in one of them
  const batches = Array.from({ length: 8 }, (_, n) => run(imei, 2 + n * 500, 501 + n * 500));
  expect(spoolBody(batches[0]!).length).toBeGreaterThan(65_536);
  expect((await ingestAll('large', batches, 1)).map(seqOf)).toEqual([501, 1001, 1501, 2001, 2501, 3001, 3501, 4001]);
  const { rows: found } = await database.ingest.query(
    `select count(*)::int as n, count(*) filter (where speed = extract(epoch from time) - $2
         and abs(latitude - 41.9 - speed / 1000) < 1e-9 and (attributes ->> 'ignition')::bool = (speed::int % 2 = 0))::int as same
       from position p join device d on d.id = p.device_id where d.imei = $1`,
    [imei, START / 1000],
  );
  expect(found).toEqual([{ n: 4001, same: 4001 }]);
});

test('a batch after one that was never received is refused, and none of its records are stored', async () => {
  const imei = '356307042443003';
  await events.ingest({ gateway: 'gw', spool: 'gap' }, spoolBody(run(imei, 1, 2)));
  expect((await ingestAll('gap', [run(imei, 5, 6), run(imei, 7, 8)], 4)).map(seqOf)).toEqual(['conflict', 'conflict']);
  expect(await rows(imei)).toBe(2);
});

test.each([
  ['the pipelined path', (tx: pg.ClientBase) => advanceOnce(tx)],
  ['the other paths', (tx: pg.ClientBase) => lockCursor(tx, 'gw', 'two-apis')],
])(
  'a transaction that waits for the spool has no id yet, so that it is read after the one before it: %s',
  async (_, lock) => {
    const { ingest: pool } = database;
    const [first, second] = [await pool.connect(), await pool.connect()];
    try {
      await lockCursor(first, 'gw', 'two-apis');
      await first.query('begin');
      await lockCursor(first, 'gw', 'two-apis');
      const pid = (await second.query('select pg_backend_pid() as pid')).rows[0].pid;
      await second.query('begin');
      await markTransaction(second);
      const waiting = Promise.allSettled([lock(second)]);
      await vi.waitFor(
        async () => {
          const { rows: found } = await pool.query(
            'select wait_event_type as "waitsFor", backend_xid as xid from pg_stat_activity where pid = $1',
            [pid],
          );
          expect(found).toEqual([{ waitsFor: 'Lock', xid: null }]);
        },
        { timeout: 60_000, interval: 20 },
      );
      await first.query('commit');
      await waiting;
    } finally {
      await first.query('rollback');
      await second.query('rollback');
      first.release();
      second.release();
    }
  },
);

const advanceOnce = (tx: pg.ClientBase): Promise<void> =>
  advanceCursor(tx, {
    gateway: 'gw',
    spool: 'two-apis',
    after: 0,
    firstSeq: 1,
    lastSeq: 1,
    rejected: [],
    gatewayClock: 1,
  });
