import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import type { DuckDb } from './files/duckdb.ts';
import type { Storage } from './files/storage.ts';
import * as files from './files/store.ts';
import { positionFiles } from './manifest/store.ts';
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
export type Step = (typeof STEPS)[number] | 'staged' | 'listed' | 'replaced' | 'stored';

export class HistoryError extends Error {
  override readonly name = 'HistoryError';
}

export interface SealOptions extends store.PartQuery {
  /** devices whose positions leave the file */
  readonly without?: readonly number[];
  /** positions that others replace */
  readonly replaced?: {
    /** file with their keys, as files.countKeys reads them */
    readonly keys: string;
    /** Replaces those that are rows, at the beginning of the transaction. */
    readonly replace: () => Promise<void>;
  };
}

const numberOf = (text: string): bigint => BigInt(text.split('.')[0]!);
const total = (a: files.FileSums, b: files.FileSums): files.FileSums => {
  const both = (sum: keyof store.Sums | 'rows'): string => String(numberOf(a[sum]) + numberOf(b[sum]));
  const sums = { times: both('times'), texts: both('texts'), hashes: both('hashes'), places: both('places') };
  return { positions: a.positions + b.positions, ...sums, values: both('values'), rows: both('rows') };
};

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
export const sealPart = (client: pg.Client, part: Part, options: SealOptions, deps: SealDeps): Promise<number> =>
  moveToFile(client, part, '', deps, (paths) => writePart(client, part, options, paths));

/** The frame of a seal: `move` writes the file, enters it and deletes the rows, in one transaction. `folder` ends with a slash. */
export async function moveToFile(
  client: pg.Client,
  part: Part,
  folder: string,
  deps: SealDeps,
  move: (paths: Paths) => Promise<number>,
): Promise<number> {
  const { storage, workDir } = deps;
  const name = `bucket-${part.bucket}-${randomBytes(6).toString('hex')}.parquet`;
  const path = `${folder}tenant=${part.tenantId}/day=${part.day}/${name}`;
  const csv = join(workDir, `${name}.csv`);
  await mkdir(workDir, { recursive: true });
  const to = await storage.prepare(path);
  await store.announce(client, path);
  await deps.at?.('announced');
  await store.beginSnapshot(client);
  try {
    const moved = await move({ ...deps, path, to, csv });
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

export interface Paths extends SealDeps {
  /** in the manifest */
  readonly path: string;
  /** on this machine */
  readonly to: string;
  readonly csv: string;
}

async function writePart(client: pg.Client, part: Part, options: SealOptions, paths: Paths): Promise<number> {
  const { storage, duckdb, path, to, csv } = paths;
  const { without = [], replaced } = options;
  await replaced?.replace();
  const old = await positionFiles.readFile(client, part);
  const { positions, sums } = await store.sumRows(client, part, options);
  if (positions === 0 && without.length === 0 && replaced === undefined) return 0;
  await pipeline(store.copyRows(client, part, options), createWriteStream(csv, { mode: 0o600 }));
  await paths.at?.('exported');
  const expected = await storage.read(old === undefined ? [] : [old], 'all', ([local]) =>
    duckdb.with(async (db) => {
      const sources = { csv, old: local, without, replaced: replaced?.keys };
      await files.writeParquet(db, { ...sources, to });
      const exported = await files.sumExported(db, csv);
      demandEqual(part, exported, { positions, ...sums });
      return local === undefined ? exported : total(exported, await files.sumKept(db, { ...sources, old: local }));
    }),
  );
  await paths.at?.('written');
  const measured = await storage.persist(path);
  await paths.at?.('synced');
  const contents = await storage.readAgain(path, (local) => duckdb.with((db) => files.sumFile(db, local)));
  demandEqual(part, contents, expected);
  if (!contents.isSorted || contents.duplicates > 0) throw new HistoryError(`${describe(part)}: not in order`);
  await paths.at?.('checked');
  // an empty file has no first position: the part is gone
  if (contents.positions === 0) await positionFiles.deleteFile(client, part);
  else await positionFiles.writeFile(client, part, { ...contents, ...measured, path, format: FORMAT });
  await paths.at?.('entered');
  const deleted = await store.deleteRows(client, part, options);
  if (deleted !== positions) throw new HistoryError(`${describe(part)}: ${deleted} rows deleted, ${positions} copied`);
  await paths.at?.('deleted');
  return deleted;
}

export const describe = ({ tenantId, bucket, day }: Part): string => `tenant ${tenantId}, ${day}, bucket ${bucket}`;

/** `rows` are compared where both sides have been calculated by DuckDB. */
function demandEqual(
  part: Part,
  found: files.FileSums,
  expected: store.Sums & { readonly positions: number; readonly rows?: string },
): void {
  const sums = ['times', 'texts', 'hashes', 'places', 'values'] as const;
  const differs = [
    ...sums.filter((sum) => numberOf(found[sum]) !== numberOf(expected[sum])),
    ...(expected.rows === undefined || expected.rows === found.rows ? [] : ['rows']),
  ];
  if (found.positions === expected.positions && differs.length === 0) return;
  throw new HistoryError(
    `${describe(part)}: the file does not hold what was written (${found.positions} of ${expected.positions} positions; ${differs.join(', ')})`,
  );
}
