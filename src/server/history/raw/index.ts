import type pg from 'pg';
import type { DuckDb } from '../files/duckdb.ts';
import type { Measured, Storage } from '../files/storage.ts';
import { frameFiles } from '../manifest/store.ts';
import type { Pace } from '../pace.ts';
import { DEVICES_PER_BUCKET, type Part, type SealedFile } from '../part.ts';
import { describe, HistoryError, moveToFile, type Paths, partsWith, type SealDeps } from '../seal.ts';
import * as files from './files/store.ts';
import * as store from './store.ts';

export type { FiledFrame } from './files/store.ts';
export type { FrameTotals } from './store.ts';
export { hasFrames, readTotals } from './store.ts';

export interface SealFramesRequest {
  /** epoch ms: frames of the days before it */
  readonly before: number;
  /** files that are younger than this, hours, are not replaced */
  readonly hoursApart?: number;
  /** part of the time in which parts are moved, up to 1; 1 unless given */
  readonly share?: number;
  /** called after each part */
  readonly progress?: (part: Part, frames: number) => void;
}

export interface SealedFrames {
  readonly frames: number;
  readonly parts: number;
  /** parts whose frames stay rows, with the reason */
  readonly failed: readonly { readonly part: Part; readonly reason: string }[];
}

/** Version of the columns and their meaning (docs/history.md). */
const FORMAT = 1;

/** Moves the frames of past days from the timeline into files. */
export async function sealFrames(
  client: pg.Client,
  { before, hoursApart = 0, progress }: SealFramesRequest,
  deps: SealDeps & { readonly pace: Pace },
  isFatal: (error: unknown) => boolean,
): Promise<SealedFrames> {
  const failed: { part: Part; reason: string }[] = [];
  let frames = 0;
  let parts = 0;
  for (const part of await store.listParts(client, before, hoursApart)) {
    try {
      const moved = await deps.pace.of(() => sealPart(client, part, undefined, deps));
      frames += moved;
      parts += 1;
      progress?.(part, moved);
    } catch (error) {
      if (isFatal(error)) throw error;
      failed.push({ part, reason: (error as Error).message });
    }
  }
  return { frames, parts, failed };
}

/** Takes the frames of a device out of all files. */
export async function eraseFrames(client: pg.Client, deviceId: number, deps: SealDeps): Promise<void> {
  for await (const part of partsWith(client, deviceId, frameFiles, files.countOfDevice, deps)) {
    await sealPart(client, part, deviceId, deps);
  }
}

/**
 * The steps of a seal of positions (../seal.ts): the file is written, stored, read again and compared, before one
 * transaction enters it in the manifest and deletes the rows that were copied. Number of rows.
 */
const sealPart = (client: pg.Client, part: Part, without: number | undefined, deps: SealDeps): Promise<number> =>
  moveToFile(client, part, '_frames/', deps, (paths) => writePart(client, part, without, paths));

async function writePart(client: pg.Client, part: Part, without: number | undefined, paths: Paths): Promise<number> {
  const { storage, duckdb, compression, path, to, rows: csv, at } = paths;
  const old = await frameFiles.readFile(client, part);
  const sums = await store.sumRows(client, part);
  await store.copyRows(client, part, csv);
  await at?.('exported');
  const expected = await storage.read(old === undefined ? [] : [old], 'all', ([local]) =>
    duckdb.with(async (db) => {
      const sources = { csv, old: local, without };
      await files.writeFrames(db, sources, { to, compression });
      demandEqual(part, await files.sumExported(db, csv), sums);
      return files.sumAll(db, sources);
    }),
  );
  await at?.('written');
  const measured = await storage.persist(path);
  await at?.('synced');
  const contents = await storage.readAgain(path, (local) => duckdb.with((db) => files.sumFile(db, local)));
  demandEqual(part, contents, expected);
  if (!contents.isSorted) throw new HistoryError(`${describe(part)}: not in order`);
  await at?.('checked');
  const facts = { ...contents, ...measured, path, positions: contents.frames, format: FORMAT };
  if (contents.frames === 0) await frameFiles.deleteFile(client, part);
  else await frameFiles.writeFile(client, part, facts);
  await at?.('entered');
  const deleted = await store.deleteRows(client, part);
  if (deleted !== sums.frames) {
    throw new HistoryError(`${describe(part)}: ${deleted} frames deleted, ${sums.frames} copied`);
  }
  await at?.('deleted');
  return deleted;
}

/** Sums are integers, although the database may return them as decimals. */
const numberOf = (text: string): bigint => BigInt(text.split('.')[0]!);

function demandEqual(part: Part, found: store.FrameSums, expected: store.FrameSums): void {
  const isEqual =
    found.frames === expected.frames &&
    numberOf(found.times) === numberOf(expected.times) &&
    numberOf(found.hashes) === numberOf(expected.hashes);
  if (isEqual) return;
  throw new HistoryError(
    `${describe(part)}: the file does not hold what was written (${found.frames} of ${expected.frames} frames)`,
  );
}

/** What is wrong with files of frames; `undefined`: nothing. */
export async function checkFrames(
  file: SealedFile,
  local: string,
  found: Measured,
  duckdb: DuckDb,
): Promise<string | undefined> {
  if (found.bytes !== file.bytes) return `${found.bytes} bytes, ${file.bytes} in the manifest`;
  if (found.sha256 !== file.sha256) return 'the checksum differs';
  const { frames, isSorted } = await duckdb.with((db) => files.sumFile(db, local));
  if (frames !== file.positions) return `${frames} frames, ${file.positions} in the manifest`;
  return isSorted ? undefined : 'not in order';
}

/** Frames that are in files. */
export interface FrameReader {
  /** Ids of the devices that have frames of a protocol. */
  devices(query: files.FrameQuery): Promise<number[]>;
  /** Frames of a device in their order. */
  frames(deviceId: number, query: files.FrameQuery): Promise<files.FiledFrame[]>;
}

export function createFrameReader(ingest: pg.Pool, storage: Storage, duckdb: DuckDb): FrameReader {
  return {
    async devices(query) {
      const found = new Set<number>();
      for (const file of await store.listFilesOf(ingest, undefined, query.from, query.to)) {
        const ids = await storage.read([file], 'all', (paths) =>
          duckdb.read(paths, (db) => files.listDevices(db, paths[0]!, query)),
        );
        for (const id of ids) found.add(id);
      }
      return [...found];
    },
    async frames(deviceId, query) {
      const bucket = Math.floor(deviceId / DEVICES_PER_BUCKET);
      const list: files.FiledFrame[] = [];
      for (const file of await store.listFilesOf(ingest, bucket, query.from, query.to)) {
        const more = await storage.read([file], 'all', (paths) =>
          duckdb.read(paths, (db) => files.readFrames(db, paths[0]!, deviceId, query)),
        );
        list.push(...more);
      }
      return list;
    },
  };
}
