import type { DuckDBConnection } from '@duckdb/node-api';
import type pg from 'pg';
import { DAY_MS } from '../../platform/durations.ts';
import { SealedMeanwhile } from '../database/index.ts';
import { StoreError } from './files/s3.ts';
import * as files from './files/store.ts';
import { findKnown, type KnownDeps, type KnownRecord } from './known.ts';
import * as store from './store.ts';

/** A period of a device, epoch ms, both ends included. */
export interface Stretch {
  readonly deviceId: number;
  readonly from: number;
  readonly to: number;
}

/** Files that hold positions of a stretch; read after its rows, so that nothing is missed that has just been moved. */
export interface Found extends Stretch {
  readonly files: store.Place['files'];
  readonly visible: store.Place['visible'];
}

export interface Across {
  /** A part of which no position is in a file. `guard` must find no row in the transaction that reads the rows. */
  rows(part: Stretch, guard: pg.QueryConfig): Promise<void>;
  /** A part that has files, and may have rows as well. `isOver`: nothing more is wanted. */
  files(part: Stretch): Promise<void>;
}

export interface HistoryReader {
  /** for rows of days that have files */
  readonly app: pg.Pool;
  find(tenantId: number, stretch: Stretch): Promise<Found>;
  /** Calls for one part of a stretch after another, in order of time, until `isOver`. */
  across(tenantId: number, stretch: Stretch, take: Across, isOver?: () => boolean): Promise<void>;
  readFixes(found: Found, query: files.FixQuery): Promise<files.FixColumns[]>;
  /** In order; with a limit, no more files are read than are needed. */
  readRows(found: Found, query?: files.RowQuery): Promise<files.FileRow[]>;
  /** Indices of the records that are in files already. */
  findKnown(records: readonly KnownRecord[]): Promise<ReadonlySet<number>>;
  readNumbersNear(
    found: Found,
    attribute: string,
    times: readonly number[],
    withinMs: number,
  ): ReturnType<typeof files.readNumbersNear>;
}

/** files of a stretch that are read together */
const FILES_AT_ONCE = 4;

export type ReaderDeps = KnownDeps;

/** Readers throw AppError `unavailable` where the files cannot be read. */
export function createReader(app: pg.Pool, deps: ReaderDeps): HistoryReader {
  const { storage, duckdb, log } = deps;
  const read = async <T>(
    found: Found,
    list: Found['files'],
    work: (db: DuckDBConnection, paths: readonly string[]) => Promise<T>,
  ): Promise<T> => {
    try {
      return await storage.read(list, found, (paths) => duckdb.read(paths, (db) => work(db, paths)));
    } catch (error) {
      const known = asStoreError(error as Error);
      if (known === undefined) throw error;
      log.warn({ err: known.cause, files: list.length }, 'past positions cannot be read');
      throw known;
    }
  };
  const find = async (tenantId: number, stretch: Stretch): Promise<Found> => {
    const place = await store.findFiles(app, tenantId, stretch.deviceId, stretch.from, stretch.to);
    return { ...stretch, ...place };
  };
  return {
    app,
    find,
    async across(tenantId, { deviceId, from, to }, take, isOver = () => false) {
      let at = from;
      while (at <= to && !isOver()) {
        const found = await find(tenantId, { deviceId, from: at, to });
        const first = found.files[0];
        const start = first === undefined ? Number.POSITIVE_INFINITY : startOf(first.day);
        if (start > at) {
          const part = { deviceId, from: at, to: Math.min(to, start - 1) };
          try {
            await take.rows(part, store.hasFiles(tenantId, deviceId, part.from, part.to));
          } catch (error) {
            // sealed between the two statements, before a row was read
            if (error instanceof SealedMeanwhile) continue;
            throw error;
          }
          at = part.to + 1;
        } else {
          const last = found.files[Math.min(found.files.length, FILES_AT_ONCE) - 1]!;
          const end = Math.min(to, startOf(last.day) + DAY_MS - 1);
          await take.files({ deviceId, from: at, to: end });
          at = end + 1;
        }
      }
    },
    async readFixes(found, query) {
      if (found.files.length === 0) return [];
      return read(found, found.files, (db, paths) => files.readFixes(db, paths, found, query));
    },
    async readRows(found, query = {}) {
      const { limit, newestFirst = false } = query;
      const ordered = newestFirst ? [...found.files].reverse() : found.files;
      const rows: files.FileRow[] = [];
      // days follow each other: the first files have the first rows
      for (let i = 0, count = 1; i < ordered.length; i += count, count = Math.min(2 * count, 32)) {
        const left = limit === undefined ? undefined : limit - rows.length;
        if (left !== undefined && left <= 0) break;
        const some = ordered.slice(i, i + count);
        const more = left === undefined ? query : { ...query, limit: left };
        rows.push(...(await read(found, some, (db, paths) => files.readRows(db, paths, found, more))));
      }
      return rows;
    },
    findKnown: (records) => findKnown(records, deps),
    async readNumbersNear(found, attribute, times, withinMs) {
      if (found.files.length === 0 || times.length === 0) return times.map(() => undefined);
      return read(found, found.files, (db, paths) =>
        files.readNumbersNear(db, paths, found, attribute, times, withinMs),
      );
    },
  };
}

/** DuckDB reports a missing folder, and a disk that fails, as such an error. */
const asStoreError = (error: Error): StoreError | undefined => {
  if (error instanceof StoreError) return error;
  return error.message.startsWith('IO Error') ? new StoreError(error) : undefined;
};

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** In the order of records: by time, then id. */
export const comparePlaces = (
  a: { readonly time: number; readonly id: Buffer },
  b: { readonly time: number; readonly id: Buffer },
): number => a.time - b.time || a.id.compare(b.id);

/** Two ordered lists as one; what both have is taken from the first. */
export function merge<A extends { readonly time: number; readonly id: Buffer }>(a: readonly A[], b: readonly A[]): A[] {
  if (b.length === 0) return [...a];
  const merged: A[] = [];
  let j = 0;
  for (const one of a) {
    while (j < b.length && comparePlaces(b[j]!, one) < 0) merged.push(b[j++]!);
    if (j < b.length && comparePlaces(b[j]!, one) === 0) j++;
    merged.push(one);
  }
  while (j < b.length) merged.push(b[j++]!);
  return merged;
}

/** Readers by pool: the files that belong to the database of a pool. */
const readers = new WeakMap<object, HistoryReader>();

export function attachReader(pools: readonly pg.Pool[], reader: HistoryReader): void {
  for (const pool of pools) readers.set(pool, reader);
}

/** Undefined for a database whose positions are all rows. */
export const readerOf = (pool: pg.Pool): HistoryReader | undefined => readers.get(pool);
