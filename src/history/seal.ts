import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import type { DuckDb } from './files/duckdb.ts';
import type { Storage } from './files/storage.ts';
import * as files from './files/store.ts';
import { FORMAT, type Part } from './part.ts';
import * as store from './store.ts';

export interface SealDeps {
  readonly storage: Storage;
  readonly duckdb: DuckDb;
  readonly workDir: string;
  /** for tests: called at each step */
  readonly at?: ((step: Step) => Promise<void> | void) | undefined;
}

/** Steps of a seal, in order. */
export const STEPS = [
  'announced',
  'exported',
  'written',
  'synced',
  'checked',
  'entered',
  'deleted',
  'committed',
] as const;
export type Step = (typeof STEPS)[number];

export class HistoryError extends Error {
  override readonly name = 'HistoryError';
}

export interface SealOptions extends store.PartQuery {
  /** devices whose positions leave the file */
  readonly without?: readonly number[];
}

const numberOf = (text: string): bigint => BigInt(text.split('.')[0]!);
const add = (a: string, b: string): string => String(numberOf(a) + numberOf(b));

/** Removes what processes that were killed have left behind; only the holder of the lock writes such files. */
export async function removeLeftovers(workDir: string): Promise<void> {
  for (const name of await readdir(workDir).catch(() => [])) {
    if (name.startsWith('bucket-')) await rm(join(workDir, name), { force: true });
  }
}

/**
 * Moves the rows of a part into its file, together with those that it has already. The file is written, synced, read
 * back and compared before one transaction enters it in the manifest and deletes its rows. That transaction sees the
 * rows of one instant: it deletes the rows that it has copied and no others. Until it commits the rows count; the file,
 * if it stays behind, is removed later. Number of rows that were moved.
 */
export async function sealPart(client: pg.Client, part: Part, options: SealOptions, deps: SealDeps): Promise<number> {
  const { storage, workDir } = deps;
  const name = `bucket-${part.bucket}-${randomBytes(6).toString('hex')}.parquet`;
  const path = `tenant=${part.tenantId}/day=${part.day}/${name}`;
  const csv = join(workDir, `${name}.csv`);
  await mkdir(workDir, { recursive: true });
  const to = await storage.prepare(path);
  await store.announce(client, path);
  await deps.at?.('announced');
  await store.beginSnapshot(client);
  try {
    const moved = await writePart(client, part, options, { ...deps, path, to, csv });
    await client.query('commit');
    await deps.at?.('committed');
    return moved;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    await rm(csv, { force: true });
    await storage.discard(path);
  }
}

interface Paths extends SealDeps {
  /** in the manifest */
  readonly path: string;
  /** on this machine */
  readonly to: string;
  readonly csv: string;
}

async function writePart(client: pg.Client, part: Part, options: SealOptions, paths: Paths): Promise<number> {
  const { storage, duckdb, path, to, csv } = paths;
  const { without = [] } = options;
  const old = await store.readFile(client, part);
  const { positions, sums } = await store.sumRows(client, part, options);
  if (positions === 0 && without.length === 0) return 0;
  await pipeline(store.copyRows(client, part, options), createWriteStream(csv, { mode: 0o600 }));
  await paths.at?.('exported');
  const expected = await storage.read(old === undefined ? [] : [old], 'all', ([local]) =>
    duckdb.with(async (db) => {
      const sources = { csv, old: local, without };
      await files.writeParquet(db, { ...sources, to });
      if (local === undefined) return { positions, ...sums };
      const kept = await files.sumKept(db, { csv, old: local, without });
      return {
        positions: positions + kept.positions,
        times: add(sums.times, kept.times),
        texts: add(sums.texts, kept.texts),
        hashes: add(sums.hashes, kept.hashes),
        places: add(sums.places, kept.places),
      };
    }),
  );
  await paths.at?.('written');
  const measured = await storage.persist(path);
  await paths.at?.('synced');
  const contents = await storage.readAgain(path, (local) => duckdb.with((db) => files.sumFile(db, local)));
  demandEqual(part, contents, expected);
  await paths.at?.('checked');
  // an empty file has no first position: the part is gone
  if (contents.positions === 0) await store.deleteFile(client, part);
  else await store.writeFile(client, part, { ...contents, ...measured, path, format: FORMAT });
  await paths.at?.('entered');
  const deleted = await store.deleteRows(client, part, options);
  if (deleted !== positions) throw new HistoryError(`${describe(part)}: ${deleted} rows deleted, ${positions} copied`);
  await paths.at?.('deleted');
  return deleted;
}

export const describe = ({ tenantId, bucket, day }: Part): string => `tenant ${tenantId}, ${day}, bucket ${bucket}`;

function demandEqual(part: Part, found: files.Contents, expected: store.Sums & { readonly positions: number }): void {
  const isEqual =
    found.positions === expected.positions &&
    (['times', 'texts', 'hashes', 'places'] as const).every((sum) => numberOf(found[sum]) === numberOf(expected[sum]));
  if (isEqual && found.isSorted && found.duplicates === 0) return;
  throw new HistoryError(
    `${describe(part)}: the file does not hold what was written (${found.positions} of ${expected.positions} positions)`,
  );
}
