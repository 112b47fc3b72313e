import { join } from 'node:path';
import type pg from 'pg';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Database } from '../platform/postgres/index.ts';
import { Bucket } from './files/bucket.ts';
import { DuckDb } from './files/duckdb.ts';
import { Folder } from './files/folder.ts';
import { type S3Settings, StoreError } from './files/s3.ts';
import type { Measured, Storage } from './files/storage.ts';
import * as files from './files/store.ts';
import { frameFiles, positionFiles } from './manifest/store.ts';
import { findOldest, type NarrowRequest, narrowRows, readSizes, type TableSizes } from './narrow/index.ts';
import { createPace } from './pace.ts';
import type { Part, SealedFile } from './part.ts';
import * as raw from './raw/index.ts';
import { createReader, type HistoryReader } from './reader.ts';
import { type Replaced, type ReplaceRequest, replacePositions } from './replace/index.ts';
import { describe, HistoryError, partsWith, removeLeftovers, type SealDeps, sealPart } from './seal.ts';
import * as store from './store.ts';

export { type S3Settings, StoreError } from './files/s3.ts';
export type { FileRow } from './files/store.ts';
export { FILED_AFTER_MS } from './known.ts';
export type { NarrowRequest } from './narrow/index.ts';
export { DEVICES_PER_BUCKET, type Part } from './part.ts';
export type { FiledFrame, FrameQuery, FrameReader, SealedFrames, SealFramesRequest } from './raw/index.ts';
export {
  attachReader,
  comparePlaces,
  type Found,
  type HistoryReader,
  merge,
  readerOf,
  type Stretch,
} from './reader.ts';
export { REPLACE_STEPS, type Replaced, type ReplaceRequest } from './replace/index.ts';
export { HistoryError, STEPS, type Step } from './seal.ts';

export interface HistorySettings {
  /** a folder, or s3://bucket/prefix */
  readonly url: string;
  /** for s3:// only */
  readonly s3?: S3Settings | undefined;
  /** copies of files of an S3 store that are kept on this machine, MB */
  readonly cacheMb: number;
  /** folder for what is written meanwhile */
  readonly workDir: string;
  readonly memoryMb: number;
  /** that read and write files */
  readonly threads: number;
  /** parts that are sealed at the same time */
  readonly partsAtOnce: number;
  /** level of zstd */
  readonly compression: number;
}

export interface HistoryDeps {
  readonly settings: HistorySettings;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** for tests: called at each step of a seal */
  readonly at?: SealDeps['at'];
}

export interface SealRequest {
  /** epoch ms: positions before it */
  readonly before: number;
  /** epoch ms: positions that the server received before it; all without it */
  readonly arrivedBefore?: number;
  /** files that were written less than so many hours ago are not replaced */
  readonly hoursApart?: number;
  /** id of a transaction (xid8): positions that were stored before it; all without it */
  readonly writtenBefore?: string | undefined;
  /** part of the time in which parts are moved, up to 1; the rest are pauses. 1 unless given */
  readonly share?: number;
  /** called after each part */
  readonly progress?: (part: Part, positions: number) => void;
}

/** What `isDue` looks for. */
export interface DueRequest {
  readonly positions?: SealRequest | undefined;
  readonly frames?: raw.SealFramesRequest | undefined;
}

export interface Sealed {
  readonly positions: number;
  readonly parts: number;
  /** parts that stay rows, with the reason */
  readonly failed: readonly { readonly part: Part; readonly reason: string }[];
}

export interface Problem {
  readonly path: string;
  readonly problem: string;
}

export interface History {
  readonly reader: HistoryReader;
  /** Moves rows into files. Undefined while another process does. */
  seal(request: SealRequest): Promise<Sealed | undefined>;
  /** Moves raw frames of past days from the timeline into files. Undefined while another process works on files. */
  sealFrames(request: raw.SealFramesRequest): Promise<raw.SealedFrames | undefined>;
  /** Whether there is anything that `seal` or `sealFrames` would move; false while another process works on files. */
  isDue(request: DueRequest): Promise<boolean>;
  /** raw frames that are in files */
  readonly frames: raw.FrameReader;
  /** Replaces positions, as rows and in files. Undefined while another process moves or replaces some. */
  replace(request: ReplaceRequest): Promise<Replaced | undefined>;
  /** Takes the positions and frames of a device out of all files; false while another process works on them. */
  erase(deviceId: number): Promise<boolean>;
  /** Removes files whose whole day is before, and those that nobody reads. Undefined while another process works on them. */
  clean(before?: number): Promise<number | undefined>;
  verify(progress?: (path: string) => void): Promise<Problem[]>;
  status(): Promise<store.Totals & { readonly oldestRow: number | undefined; readonly frames: raw.FrameTotals }>;
  /** Moves rows of past days into narrow rows. Number of positions; undefined while another process works on them. */
  narrow(request: NarrowRequest): Promise<number | undefined>;
  /** Time of the oldest row before `before` that is not narrow yet, epoch ms. */
  oldestWide(before: number): Promise<number | undefined>;
  /** Rows as they were stored, and narrow ones. */
  sizes(): Promise<{ readonly wide: TableSizes; readonly narrow: TableSizes }>;
  /** Runs a statement on the view `positions` over the files; it reads nothing else. */
  query(sql: string): ReturnType<typeof files.runQuery>;
  close(): Promise<void>;
}

/** minutes after which a file that has been replaced is removed: reads that have found it are over */
const REMOVED_AFTER_MINUTES = 60;
const DAY_MS = 86_400_000;

export function createHistory({ settings, database, clock, log, at }: HistoryDeps): History {
  const { workDir, memoryMb, threads, partsAtOnce, compression } = settings;
  const duckdb = new DuckDb({ workDir, memoryMb, threads });
  const storage = openStorage(settings, duckdb);
  const deps: SealDeps = { storage, duckdb, workDir, compression, at };
  const locked = <T>(work: (client: pg.Client) => Promise<T>): Promise<T | undefined> => withLock(database, work);
  return {
    reader: createReader(database.app, { ingest: database.ingest, storage, duckdb, clock, log }),
    seal: (request) => locked((client) => sealAll(client, { ...deps, partsAtOnce, database, clock, log }, request)),
    sealFrames: (request) =>
      locked((client) => {
        const pace = createPace({ share: request.share ?? 1, monotonic: clock.monotonic });
        return raw.sealFrames(client, request, { ...deps, pace }, isFatal);
      }),
    async isDue({ positions, frames }) {
      const isDue = await locked(async (client) => {
        if (positions !== undefined && (await store.listParts(client, queryOf(positions, clock))).length > 0)
          return true;
        return frames !== undefined && raw.hasFrames(client, frames.before);
      });
      return isDue === true;
    },
    frames: raw.createFrameReader(database.ingest, storage, duckdb),
    replace: (request) => locked((client) => replacePositions(client, request, deps, isFatal)),
    async erase(deviceId) {
      const done = await locked(async (client) => {
        for await (const part of partsWith(client, deviceId, positionFiles, files.countOfDevice, deps)) {
          const nothing = { before: 0, arrivedBefore: 0, hoursApart: 0 };
          await sealPart(client, part, { ...nothing, without: [deviceId] }, deps);
        }
        await raw.eraseFrames(client, deviceId, deps);
        return true;
      });
      return done === true;
    },
    clean: (before) =>
      locked(async (client) => {
        const forgotten =
          before === undefined
            ? 0
            : (await positionFiles.forgetBefore(client, before)) + (await frameFiles.forgetBefore(client, before));
        const paths = await store.listRemovals(client, REMOVED_AFTER_MINUTES);
        for (const path of paths) await storage.remove(path);
        await store.forgetRemovals(client, paths);
        return forgotten;
      }),
    async verify(progress) {
      const problems: Problem[] = [];
      const positions = (await positionFiles.listFiles(database.ingest)).map((file) => ({ file, check }));
      const frames = (await frameFiles.listFiles(database.ingest)).map((file) => ({ file, check: checkFrames }));
      for (const { file, check: checkOne } of [...positions, ...frames]) {
        progress?.(file.path);
        const problem = await storage
          .readAgain(file.path, (local, measured) => checkOne(file, local, measured))
          .catch((error: Error) => {
            if (error instanceof StoreError && error.isAway) throw error;
            return error instanceof StoreError ? (error.cause as Error).message : error.message;
          });
        if (problem !== undefined) problems.push({ path: file.path, problem });
      }
      return problems;
    },
    async status() {
      const frames = await raw.readTotals(database.ingest);
      return {
        ...(await store.readTotals(database.ingest)),
        oldestRow: await store.oldestRow(database.ingest),
        frames,
      };
    },
    narrow: (request) => locked((client) => narrowRows(client, request, clock.now())),
    oldestWide: (before) => findOldest(database.ingest, before, clock.now()),
    async sizes() {
      const [wide, narrow] = await Promise.all([
        readSizes(database.ingest, 'position'),
        readSizes(database.ingest, 'position_narrow'),
      ]);
      return { wide, narrow };
    },
    async query(sql) {
      const list = await positionFiles.listFiles(database.ingest);
      const own = new DuckDb({ workDir: join(workDir, 'query'), memoryMb, threads });
      try {
        return await storage.read(list, 'all', (paths) => own.with((db) => files.runQuery(db, paths, sql)));
      } finally {
        await own.close();
      }
    },
    async close() {
      await duckdb.close();
      await storage.close();
    },
  };

  function checkFrames(file: SealedFile, local: string, found: Measured): Promise<string | undefined> {
    return raw.checkFrames(file, local, found, duckdb);
  }

  async function check(file: SealedFile, local: string, found: Measured): Promise<string | undefined> {
    if (found.bytes !== file.bytes) return `${found.bytes} bytes, ${file.bytes} in the manifest`;
    if (found.sha256 !== file.sha256) return 'the checksum differs';
    const { positions, isSorted } = await duckdb.with((db) => files.sumFile(db, local, false));
    if (positions !== file.positions) return `${positions} positions, ${file.positions} in the manifest`;
    if (!isSorted) return 'not in order';
    return undefined;
  }
}

function openStorage({ url, s3, workDir, cacheMb }: HistorySettings, duckdb: DuckDb): Storage {
  if (s3 === undefined) return new Folder(url);
  return new Bucket({ url, s3, workDir, cacheBytes: cacheMb * 1024 ** 2, duckdb });
}

/** A session of its own, so that the lock ends with the process. */
async function withLock<T>(database: Database, work: (client: pg.Client) => Promise<T>): Promise<T | undefined> {
  const client = database.connection('history');
  await client.connect();
  try {
    if (!(await store.tryLock(client))) return undefined;
    await store.prepareSession(client);
    return await work(client);
  } finally {
    await client.end();
  }
}

const keyOf = ({ tenantId, bucket, day }: Part): string => `${tenantId} ${bucket} ${day}`;

interface SealAllDeps extends SealDeps {
  readonly partsAtOnce: number;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

const queryOf = (request: SealRequest, clock: Clock): store.PartQuery => {
  const { before, arrivedBefore = clock.now() + DAY_MS, hoursApart = 0, writtenBefore } = request;
  return { before, arrivedBefore, hoursApart, writtenBefore };
};

async function sealAll(client: pg.Client, deps: SealAllDeps, request: SealRequest): Promise<Sealed> {
  const { clock, log } = deps;
  const { share = 1, progress } = request;
  const query = queryOf(request, clock);
  const failed = new Map<string, { part: Part; reason: string }>();
  await removeLeftovers(deps.workDir);
  let positions = 0;
  let parts = 0;
  const seal = async (session: pg.Client, part: Part): Promise<void> => {
    try {
      const moved = await sealPart(session, part, query, deps);
      if (moved === 0) throw new HistoryError(`${describe(part)}: no rows`);
      positions += moved;
      parts += 1;
      progress?.(part, moved);
    } catch (error) {
      if (isFatal(error)) throw error;
      log.warn({ err: error, ...part }, 'positions stay rows: their file could not be written');
      failed.set(keyOf(part), { part, reason: (error as Error).message });
    }
  };
  const list = async (session: pg.Client): Promise<Part[]> =>
    (await store.listParts(session, query)).filter((part) => !failed.has(keyOf(part)));
  const first = await list(client);
  if (first.length > 0) await sealTogether(client, deps, share, { first, list, seal });
  return { positions, parts, failed: [...failed.values()] };
}

interface PartsToSeal {
  readonly first: readonly Part[];
  /** the next ones: the oldest of each device that are not in files */
  list(session: pg.Client): Promise<Part[]>;
  seal(session: pg.Client, part: Part): Promise<void>;
}

/**
 * While the database reads the rows of one part, others are written to their files. Each session takes the next part, of the
 * next day too while others are still at work on this one.
 */
async function sealTogether(
  client: pg.Client,
  { database, partsAtOnce, clock }: SealAllDeps,
  share: number,
  { first, list, seal }: PartsToSeal,
): Promise<void> {
  const left = [...first];
  const moving = new Map<string, Promise<void>>();
  let listing: Promise<void> | undefined;
  let isOver = false;
  const listMore = async (session: pg.Client): Promise<void> => {
    // those that are moved meanwhile are in the list nevertheless
    const before = new Set(moving.keys());
    left.push(...(await list(session)).filter((part) => !before.has(keyOf(part))));
  };
  /** False: there are no further ones. */
  const findMore = async (session: pg.Client): Promise<boolean> => {
    const others = [...moving.values()];
    listing ??= listMore(session).finally(() => {
      listing = undefined;
    });
    await listing;
    if (left.length > 0) return true;
    if (others.length === 0) return false;
    await Promise.race(others.map((work) => work.catch(() => undefined)));
    return true;
  };
  const sealNext = async (session: pg.Client): Promise<void> => {
    const pace = createPace({ share, monotonic: clock.monotonic });
    // marked at once: another session may list parts at any time
    const start = (part: Part): Promise<void> => {
      const work = pace.of(() => seal(session, part)).finally(() => moving.delete(keyOf(part)));
      moving.set(keyOf(part), work);
      return work;
    };
    try {
      while (!isOver) {
        const part = left.shift();
        if (part !== undefined) await start(part);
        else if (!(await findMore(session))) return;
      }
    } catch (error) {
      isOver = true;
      throw error;
    }
  };
  const others = Array.from({ length: partsAtOnce - 1 }, () => database.connection('history'));
  try {
    for (const other of others) {
      await other.connect();
      await store.prepareSession(other);
    }
    const done = await Promise.allSettled([client, ...others].map(sealNext));
    for (const one of done) if (one.status === 'rejected') throw one.reason;
  } finally {
    await Promise.all(others.map((other) => other.end()));
  }
}

/** The session is over, or no file can be written at all. */
const isFatal = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string };
  if (error instanceof StoreError) return error.isAway;
  return (
    /^(ENOSPC|EACCES|EROFS|57P0\d|08\d{3})$/.test(code ?? '') ||
    /Connection terminated|not queryable/.test(message ?? '')
  );
};
