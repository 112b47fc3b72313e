import { join } from 'node:path';
import type pg from 'pg';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Database } from '../database/index.ts';
import { emptyClosed } from './days/index.ts';
import { Bucket } from './files/bucket.ts';
import { DuckDb } from './files/duckdb.ts';
import { Folder } from './files/folder.ts';
import { type S3Settings, StoreError } from './files/s3.ts';
import type { Measured, Storage } from './files/storage.ts';
import * as files from './files/store.ts';
import { frameFiles, positionFiles } from './manifest/store.ts';
import { findOldest, type NarrowRequest, narrowRows, readSizes, type TableSizes } from './narrow/index.ts';
import { createPace } from './pace.ts';
import type { SealedFile } from './part.ts';
import * as raw from './raw/index.ts';
import { createReader, type HistoryReader } from './reader.ts';
import { type Replaced, type ReplaceRequest, replacePositions } from './replace/index.ts';
import { partsWith, type SealDeps, sealPart } from './seal.ts';
import { isFatal, queryOf, type Sealed, type SealRequest, sealAll } from './seal-all.ts';
import * as store from './store.ts';

export { type S3Settings, StoreError } from './files/s3.ts';
export type { FileRow } from './files/store.ts';
export { FILED_AFTER_MS } from './known.ts';
export type { NarrowRequest } from './narrow/index.ts';
export { DEVICES_PER_BUCKET, type Part } from './part.ts';
export type { FiledFrame, FrameReader, SealedFrames } from './raw/index.ts';
export {
  attachReader,
  comparePlaces,
  type HistoryReader,
  merge,
  readerOf,
} from './reader.ts';
export { REPLACE_STEPS, type Replaced, type ReplaceRequest } from './replace/index.ts';
export { DAY_STEPS, STEPS, type Step } from './seal.ts';
export type { Sealed, SealRequest } from './seal-all.ts';

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

/** Parameters of `isDue`. */
export interface DueRequest {
  readonly positions?: SealRequest | undefined;
  readonly frames?: raw.SealFramesRequest | undefined;
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
  /** Removes files of days before `before`, and files that are no longer read. Undefined while another process works on them. */
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
        // those that were being read when they were to be emptied
        await emptyClosed(client);
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
