import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { isRunning } from '../../../platform/processes.ts';
import type { DuckDb } from './duckdb.ts';
import { footerStart, groupsOf, joinRanges, type Range } from './row-groups.ts';
import { type S3Bucket, StoreError } from './s3.ts';
import type { StoredFile, Wanted } from './storage.ts';
import * as files from './store.ts';

/** bytes at the end of a file that are read first: the metadata of most files */
const TAIL = 128 * 1024;
/** longest range of one request */
const BLOCK_BYTES = 8 * 1024 ** 2;
const PREFIX = 'cache-';

interface Entry {
  /** folder of its own: a copy that is being removed is not the next one of the same file */
  readonly folder: string;
  readonly local: string;
  /** reads that use it now */
  users: number;
  /** bytes on the disk */
  held: number;
  groups: readonly files.RowGroup[] | undefined;
  readonly present: Set<number>;
  isWhole: boolean;
  /** ends when what was asked for before is there */
  loading: Promise<void>;
}

/**
 * Copies of objects, of which only those row groups are present that have been read. The rest of a copy is empty: a
 * reader that skips row groups by their statistics does not touch it, and one that reads it finds no valid page.
 */
export class RangeCache {
  readonly #folder: string;
  readonly #bucket: S3Bucket;
  readonly #duckdb: DuckDb;
  readonly #mostBytes: number;
  /** by path; those that have not been used for longest are first */
  readonly #entries = new Map<string, Entry>();
  #held = 0;
  #copies = 0;

  constructor(workDir: string, bucket: S3Bucket, duckdb: DuckDb, mostBytes: number) {
    this.#folder = join(workDir, `${PREFIX}${hostname()}-${process.pid}-${serial++}`);
    this.#bucket = bucket;
    this.#duckdb = duckdb;
    this.#mostBytes = mostBytes;
  }

  /** The copy stays until `release`. */
  async hold(file: StoredFile, wanted: Wanted | 'all'): Promise<string> {
    const entry = this.#entryOf(file.path);
    entry.users += 1;
    const loaded = entry.loading.then(() => this.#load(entry, file, wanted));
    entry.loading = loaded.catch(() => undefined);
    try {
      await loaded;
      return entry.local;
    } catch (error) {
      entry.users -= 1;
      throw error;
    } finally {
      await this.#shrink();
    }
  }

  async release(file: StoredFile): Promise<void> {
    const entry = this.#entries.get(file.path);
    if (entry !== undefined) entry.users -= 1;
    await this.#shrink();
  }

  /** Whether all of a file is present. */
  isWhole(file: StoredFile): boolean {
    return this.#entries.get(file.path)?.isWhole === true;
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  #entryOf(path: string): Entry {
    const folder = join(this.#folder, String(this.#copies++));
    const entry = this.#entries.get(path) ?? {
      folder,
      local: join(folder, path),
      users: 0,
      held: 0,
      groups: undefined,
      present: new Set(),
      isWhole: false,
      loading: Promise.resolve(),
    };
    this.#entries.delete(path);
    this.#entries.set(path, entry);
    return entry;
  }

  async #load(entry: Entry, file: StoredFile, wanted: Wanted | 'all'): Promise<void> {
    if (entry.isWhole) return;
    await mkdir(dirname(entry.local), { recursive: true });
    if (wanted === 'all' || file.bytes <= TAIL) {
      await this.#bucket.download(file.path, `${entry.local}.part`);
      await rename(`${entry.local}.part`, entry.local);
      entry.isWhole = true;
      this.#count(entry, file.bytes);
      return;
    }
    entry.groups ??= await this.#loadMetadata(entry, file);
    const groups = entry.groups;
    const missing = groupsOf(groups, wanted).filter((n) => !entry.present.has(n));
    const ranges = joinRanges(
      missing.map((n) => groups[n]!),
      BLOCK_BYTES,
    );
    await this.#fetch(entry, file, ranges);
    for (const n of missing) entry.present.add(n);
  }

  /** The metadata, and Bloom filters before them. */
  async #loadMetadata(entry: Entry, file: StoredFile): Promise<files.RowGroup[]> {
    const { path, bytes } = file;
    this.#count(entry, -entry.held);
    const tail = await this.#bucket.getRange(path, bytes - TAIL, TAIL, bytes);
    const start = footerStart(tail, bytes);
    if (start === undefined) throw new StoreError(new Error(`${path}: not a Parquet file`));
    const target = await open(entry.local, 'w', 0o600);
    try {
      await target.truncate(bytes);
      await target.write('PAR1', 0);
      await target.write(tail, 0, tail.length, bytes - TAIL);
    } finally {
      await target.close();
    }
    this.#count(entry, TAIL);
    if (start < bytes - TAIL) await this.#fetch(entry, file, [{ start, end: bytes - TAIL }]);
    const groups = await this.#duckdb.with((db) => files.listRowGroups(db, entry.local));
    const data = groups.reduce((end, group) => Math.max(end, group.end), 0);
    const read = Math.min(start, bytes - TAIL);
    if (data < read) await this.#fetch(entry, file, [{ start: data, end: read }]);
    return groups;
  }

  async #fetch(entry: Entry, { path, bytes }: StoredFile, ranges: readonly Range[]): Promise<void> {
    if (ranges.length === 0) return;
    const target = await open(entry.local, 'r+');
    try {
      for (const { start, end } of ranges) {
        for (let at = start; at < end; at += BLOCK_BYTES) {
          const piece = await this.#bucket.getRange(path, at, Math.min(BLOCK_BYTES, end - at), bytes);
          await target.write(piece, 0, piece.length, at);
          this.#count(entry, piece.length);
        }
      }
    } finally {
      await target.close();
    }
  }

  #count(entry: Entry, bytes: number): void {
    const more = entry.isWhole ? bytes - entry.held : bytes;
    entry.held += more;
    this.#held += more;
  }

  /** Copies that are being read stay, even if all of them are more than the limit. */
  async #shrink(): Promise<void> {
    for (const [path, entry] of this.#entries) {
      if (this.#held <= this.#mostBytes) return;
      if (entry.users > 0) continue;
      this.#entries.delete(path);
      this.#held -= entry.held;
      await rm(entry.folder, { recursive: true, force: true });
    }
  }
}

let serial = 0;

/** Removes the copies of processes of this machine that have ended. */
export async function removeOldCaches(workDir: string): Promise<void> {
  for (const name of await readdir(workDir).catch(() => [])) {
    const [, pid] = name.startsWith(`${PREFIX}${hostname()}-`) ? (/-(\d+)-\d+$/.exec(name) ?? []) : [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    await rm(join(workDir, name), { recursive: true, force: true });
  }
}
