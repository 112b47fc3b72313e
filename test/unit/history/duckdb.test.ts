import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DuckDb, KEPT_FILES } from '../../../src/server/history/files/duckdb.ts';

let folder: string;
let duckdb: DuckDb;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-duckdb-'));
  const writer = new DuckDb({ workDir: join(folder, 'work'), memoryMb: 128, threads: 1 });
  await writer.with((db) => db.run(`copy (select range as n from range(10)) to '${join(folder, '0.parquet')}'`));
  await writer.close();
  for (let n = 1; n <= KEPT_FILES + 10; n++) copyFileSync(join(folder, '0.parquet'), join(folder, `${n}.parquet`));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  duckdb = new DuckDb({ workDir: join(folder, 'work'), memoryMb: 128, threads: 1 });
});
afterEach(() => duckdb.close());

const paths = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => join(folder, `${from + i}.parquet`));
const count = (list: readonly string[]): Promise<number> =>
  duckdb.read(list, async (db) => {
    const files = list.map((path) => `'${path}'`).join(', ');
    const reader = await db.runAndReadAll(`select count(*)::double from read_parquet([${files}])`);
    return Number(reader.getRowsJS()[0]![0]);
  });
const keptBytes = (): Promise<number> =>
  duckdb.with(async (db) => {
    const reader = await db.runAndReadAll(
      `select coalesce(sum(memory_usage_bytes), 0)::double from duckdb_memory() where tag = 'OBJECT_CACHE'`,
    );
    return Number(reader.getRowsJS()[0]![0]);
  });

test('metadata of files that are read are kept, of so many files and no more', async () => {
  expect(await count(paths(0, 0))).toBe(10);
  const ofOne = await keptBytes();
  expect(ofOne).toBeGreaterThan(0);
  await count(paths(0, 0));
  expect(await keptBytes()).toBe(ofOne);
  for (const path of paths(1, KEPT_FILES - 1)) await count([path]);
  expect(await keptBytes()).toBe(KEPT_FILES * ofOne);
  await count(paths(KEPT_FILES, KEPT_FILES));
  expect(await keptBytes()).toBe(ofOne);
});

test('a read of more files than are kept is answered, and the next one begins from scratch', async () => {
  expect(await count(paths(0, KEPT_FILES + 9))).toBe(10 * (KEPT_FILES + 10));
  await count(paths(0, 0));
  const ofOne = await keptBytes();
  expect(await count(paths(1, 2))).toBe(20);
  expect(await keptBytes()).toBe(3 * ofOne);
});

test('what files are written with keeps nothing', async () => {
  await duckdb.with((db) => db.runAndReadAll(`select count(*) from read_parquet('${join(folder, '0.parquet')}')`));
  expect(await keptBytes()).toBe(0);
});

test('work that has begun ends while others take what is opened next', async () => {
  let end = (): void => {};
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  const slow = duckdb.read(paths(0, 0), async (db) => {
    await held;
    return (await db.runAndReadAll('select 42')).getRowsJS();
  });
  expect(await count(paths(1, KEPT_FILES))).toBe(10 * KEPT_FILES);
  await duckdb.close();
  end();
  expect(await slow).toEqual([[42]]);
  expect(readdirSync(join(folder, 'work'))).toEqual([]);
});
