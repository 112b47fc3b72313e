import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type pg from 'pg';
import * as days from './days/store.ts';
import * as exported from './exported/store.ts';
import type { DuckDb } from './files/duckdb.ts';
import type { Storage } from './files/storage.ts';
import * as files from './files/store.ts';
import { type Manifest, positionFiles } from './manifest/store.ts';
import { FORMAT, type Part } from './part.ts';
import * as store from './store.ts';
import { inSnapshot } from './transaction.ts';

export interface SealDeps {
  readonly storage: Storage;
  readonly duckdb: DuckDb;
  readonly workDir: string;
  /** level of zstd */
  readonly compression: number;
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
/** Steps of a day whose table is emptied at once: before and after those of its parts. */
export const DAY_STEPS = ['closed', 'emptied'] as const;
export type Step = (typeof STEPS | typeof DAY_STEPS)[number] | 'staged' | 'listed' | 'replaced' | 'stored';

export class HistoryError extends Error {
  override readonly name = 'HistoryError';
}

export interface SealOptions extends store.PartQuery {
  /** rows of the part when its day was closed; counted again if the number of copied rows differs */
  readonly narrowRows?: number | undefined;
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

/** rows of a part up to which all of its columns are added up by both databases, and not those of one row in 256 */
const ADDED_UP_WHOLE = 10_000;

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
 * if it stays behind, is removed later. Narrow rows of a day that is closed stay until its table is emptied (days).
 * Number of rows that were moved.
 */
export const sealPart = (client: pg.Client, part: Part, options: SealOptions, deps: SealDeps): Promise<number> =>
  moveToFile(client, part, '', deps, (paths) => writePart(client, part, options, paths));

/** Parts whose file has rows of a device. `count`: of a file. */
export async function* partsWith(
  client: pg.Client,
  deviceId: number,
  manifest: Manifest,
  count: (db: DuckDBConnection, path: string, deviceId: number) => Promise<number>,
  { storage, duckdb }: SealDeps,
): AsyncGenerator<Part> {
  for (const part of await manifest.listPartsOf(client, deviceId)) {
    const file = await manifest.readFile(client, part);
    if (file === undefined) continue;
    const wanted = { deviceId, from: file.firstAt, to: file.lastAt };
    const found = await storage.read([file], wanted, ([local]) => duckdb.with((db) => count(db, local!, deviceId)));
    if (found > 0) yield part;
  }
}

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
  const rows = join(workDir, `${name}.rows`);
  await mkdir(workDir, { recursive: true });
  const to = await storage.prepare(path);
  await store.announce(client, path);
  await deps.at?.('announced');
  try {
    const moved = await inSnapshot(client, () => move({ ...deps, path, to, rows }));
    await deps.at?.('committed');
    return moved;
  } finally {
    await rm(rows, { force: true });
    await storage.discard(path);
  }
}

export interface Paths extends SealDeps {
  /** in the manifest */
  readonly path: string;
  /** on this machine */
  readonly to: string;
  /** what leaves the database */
  readonly rows: string;
}

async function writePart(client: pg.Client, part: Part, options: SealOptions, paths: Paths): Promise<number> {
  const { storage, duckdb, compression, path, to } = paths;
  const { without = [], replaced } = options;
  await replaced?.replace();
  const isClosed = store.isWholeDay(part, options) && (await days.isClosed(client, part.day));
  const old = await positionFiles.readFile(client, part);
  const forms = await exported.listForms(client, part, options);
  const positions = await exported.copyRows(client, part, options, forms, paths.rows);
  if (positions === 0 && without.length === 0 && replaced === undefined) {
    if (isClosed) await leaveNarrow(client, part, options, 0);
    return 0;
  }
  const isOfAll = positions <= ADDED_UP_WHOLE;
  const sample = await store.sumSample(client, part, options, isOfAll);
  await paths.at?.('exported');
  const expected = await storage.read(old === undefined ? [] : [old], 'all', ([local]) =>
    duckdb.with(async (db) => {
      const late = { path: paths.rows, dayStart: store.DAY_START(part), forms };
      const sources = { exported: late, old: local, without, replaced: replaced?.keys };
      const received = await files.writeParquet(db, { ...sources, to, compression });
      demandEqual(part, received, { positions, damaged: 0 });
      const sums = { ...sample, positions, rows: received.rows };
      return local === undefined ? sums : total(sums, await files.sumKept(db, { ...sources, old: local }, isOfAll));
    }),
  );
  await paths.at?.('written');
  const measured = await storage.persist(path);
  await paths.at?.('synced');
  const contents = await storage.readAgain(path, (local) => duckdb.with((db) => files.sumFile(db, local, isOfAll)));
  demandEqual(part, contents, expected);
  if (!contents.isSorted) throw new HistoryError(`${describe(part)}: not in order`);
  await paths.at?.('checked');
  // an empty file has no first position: the part is gone
  if (contents.positions === 0) await positionFiles.deleteFile(client, part);
  else await positionFiles.writeFile(client, part, { ...contents, ...measured, path, format: FORMAT });
  await paths.at?.('entered');
  const wide = await store.deleteRows(client, part, options, 'position');
  const narrow = positions - wide;
  if (isClosed) await leaveNarrow(client, part, options, narrow);
  else {
    const deleted = await store.deleteRows(client, part, options, 'position_narrow');
    if (deleted !== narrow) throw new HistoryError(`${describe(part)}: ${deleted} rows deleted, ${narrow} copied`);
  }
  await paths.at?.('deleted');
  return positions;
}

/** Narrow rows stay until their table is emptied: only those that have been copied. Others become wide rows. */
async function leaveNarrow(client: pg.Client, part: Part, options: SealOptions, copied: number): Promise<void> {
  if (copied !== options.narrowRows) {
    await store.widenLateRows(client, part, options);
    const rows = await days.countRows(client, part);
    if (rows !== copied) throw new HistoryError(`${describe(part)}: ${rows} rows, ${copied} copied`);
  }
  await days.keepRows(client, part, copied);
}

export const describe = ({ tenantId, bucket, day }: Part): string => `tenant ${tenantId}, ${day}, bucket ${bucket}`;

/** Compares all sums that are expected. */
function demandEqual<T extends { readonly positions: number }>(
  part: Part,
  found: T,
  expected: Partial<T> & { readonly positions: number },
): void {
  const differs = Object.entries(expected).filter(
    ([sum, value]) => numberOf(String(found[sum as keyof T])) !== numberOf(String(value)),
  );
  if (differs.length === 0) return;
  throw new HistoryError(
    `${describe(part)}: the file does not hold what was written (${found.positions} of ${expected.positions} positions; ${differs.map(([sum]) => sum).join(', ')})`,
  );
}
