import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import type { DuckDb } from './files/duckdb.ts';
import type { Folder } from './files/folder.ts';
import * as files from './files/store.ts';
import { FORMAT, type Part } from './part.ts';
import * as store from './store.ts';

export interface SealDeps {
  readonly folder: Folder;
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

/**
 * Moves the rows of a part into its file, together with those that it has already. The file is written, synced, read
 * back and compared before one transaction enters it in the manifest and deletes its rows. That transaction sees the
 * rows of one instant: it deletes the rows that it has copied and no others. Until it commits the rows count; the file,
 * if it stays behind, is removed later. Number of rows that were moved.
 */
export async function sealPart(client: pg.Client, part: Part, options: SealOptions, deps: SealDeps): Promise<number> {
  const { folder, workDir } = deps;
  const name = `bucket-${part.bucket}-${randomBytes(6).toString('hex')}.parquet`;
  const path = `tenant=${part.tenantId}/day=${part.day}/${name}`;
  const csv = join(workDir, `${name}.csv`);
  await mkdir(workDir, { recursive: true });
  await folder.prepare(path);
  await store.announce(client, path);
  await deps.at?.('announced');
  await store.beginSnapshot(client);
  try {
    const moved = await writePart(client, part, options, { ...deps, path, csv });
    await client.query('commit');
    await deps.at?.('committed');
    return moved;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    await rm(csv, { force: true });
  }
}

type Paths = SealDeps & { readonly path: string; readonly csv: string };

async function writePart(client: pg.Client, part: Part, options: SealOptions, paths: Paths): Promise<number> {
  const { folder, duckdb, path, csv } = paths;
  const { without = [] } = options;
  const old = await store.readFile(client, part);
  const { positions, sums } = await store.sumRows(client, part, options);
  if (positions === 0 && without.length === 0) return 0;
  await pipeline(store.copyRows(client, part, options), createWriteStream(csv, { mode: 0o600 }));
  await paths.at?.('exported');
  const sources = { csv, old: old === undefined ? undefined : folder.locate(old.path), without };
  const expected = await duckdb.with(async (db) => {
    await files.writeParquet(db, { ...sources, to: folder.locate(path) });
    if (sources.old === undefined) return { positions, ...sums };
    const kept = await files.sumKept(db, { csv, old: sources.old, without });
    return {
      positions: positions + kept.positions,
      times: add(sums.times, kept.times),
      texts: add(sums.texts, kept.texts),
      hashes: add(sums.hashes, kept.hashes),
      places: add(sums.places, kept.places),
    };
  });
  await paths.at?.('written');
  const measured = await folder.persist(path);
  await paths.at?.('synced');
  const contents = await duckdb.with((db) => files.sumFile(db, folder.locate(path)));
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
