import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DuckDb } from '../../../src/server/history/files/duckdb.ts';
import { readFixes } from '../../../src/server/history/files/store.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const MOST = 40;
/** more than DuckDB gives at once */
const FIXES = 5_000;
const EVERY_MS = 10_000;

let folder: string;
let duckdb: DuckDb;
const paths: string[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-many-files-'));
  duckdb = new DuckDb({ workDir: join(folder, 'work'), memoryMb: 256, threads: 2 });
  for (let n = 0; n < MOST; n++) {
    const path = join(folder, `${n}.parquet`);
    await duckdb.with((db) =>
      db.run(`copy (select d as device_id, make_timestamptz(${1_000 * (START + n * DAY_MS)} + i * ${EVERY_MS * 1_000}) as time,
          ''::blob as id, 45 + i / 1e5::double as latitude, (9 + d)::double as longitude, i::double as speed, null::double as course,
          null::double as altitude, true as valid, false as outdated, i % 2 = 0 as ignition
        from range(${FIXES}) r(i), range(2) v(d) order by d, i) to '${path}' (format parquet)`),
    );
    paths.push(path);
  }
});
afterAll(async () => {
  await duckdb?.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([1, 31, 32, MOST])('the fixes of a device from %i files are complete and in order', async (count) => {
  const wanted = paths.slice(0, count);
  const range = { deviceId: 1, from: START, to: START + MOST * DAY_MS, visible: undefined };
  const found = await duckdb.read(wanted, (db) => readFixes(db, wanted, range, { withIds: false, onlyDriven: false }));
  const times = found.flatMap(({ at }) => [...at]);
  expect(times).toEqual(
    Array.from({ length: count * FIXES }, (_, i) => START + Math.floor(i / FIXES) * DAY_MS + (i % FIXES) * EVERY_MS),
  );
  expect(found.every(({ longitude }) => longitude.every((value) => value === 10))).toBe(true);
  expect(found.flatMap(({ speed }) => [...speed]).slice(0, 3)).toEqual([0, 1, 2]);
  expect(found[0]!.ignition.subarray(0, 2)).toEqual(Float64Array.of(1, 0));
});
