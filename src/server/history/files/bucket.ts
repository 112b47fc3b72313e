import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pLimit from 'p-limit';
import { RangeCache, removeOldCaches } from './cache.ts';
import type { DuckDb } from './duckdb.ts';
import { measure } from './folder.ts';
import { S3Bucket, type S3Settings, StoreError } from './s3.ts';
import type { Measured, Storage, StoredFile, Wanted } from './storage.ts';

export interface BucketOptions {
  /** s3://bucket/prefix */
  readonly url: string;
  readonly s3: S3Settings;
  /** folder for new files and for copies of what is read */
  readonly workDir: string;
  readonly cacheBytes: number;
  readonly duckdb: DuckDb;
}

/** files of one read that are fetched together */
const FILES_AT_ONCE = 8;

/** Files of the history in a bucket of an S3 store. They are written and read through local files. */
export class Bucket implements Storage {
  readonly #bucket: S3Bucket;
  readonly #cache: RangeCache;
  readonly #workDir: string;
  #prepared: Promise<void> | undefined;

  constructor({ url, s3, workDir, cacheBytes, duckdb }: BucketOptions) {
    this.#bucket = new S3Bucket(url, s3);
    this.#workDir = workDir;
    this.#cache = new RangeCache(workDir, this.#bucket, duckdb, cacheBytes);
  }

  async prepare(path: string): Promise<string> {
    await this.#open();
    return this.#written(path);
  }

  async persist(path: string): Promise<Measured> {
    const measured = await measure(this.#written(path));
    await this.#bucket.put(path, this.#written(path), measured);
    await this.discard(path);
    return measured;
  }

  async discard(path: string): Promise<void> {
    await rm(this.#written(path), { force: true });
  }

  async read<T>(
    files: readonly StoredFile[],
    wanted: Wanted | 'all',
    work: (paths: readonly string[]) => Promise<T>,
  ): Promise<T> {
    await this.#open();
    try {
      return await this.#readHeld(files, wanted, work);
    } catch (error) {
      if (error instanceof StoreError || files.every((file) => this.#cache.isWhole(file))) throw error;
      // a row group that the reader needs
      return this.#readHeld(files, 'all', work);
    }
  }

  async #readHeld<T>(
    files: readonly StoredFile[],
    wanted: Wanted | 'all',
    work: (paths: readonly string[]) => Promise<T>,
  ): Promise<T> {
    const limit = pLimit(FILES_AT_ONCE);
    const held = await Promise.allSettled(files.map((file) => limit(() => this.#cache.hold(file, wanted))));
    try {
      return await work(
        held.map((one) => {
          if (one.status === 'rejected') throw one.reason;
          return one.value;
        }),
      );
    } finally {
      for (const [i, { status }] of held.entries()) if (status === 'fulfilled') await this.#cache.release(files[i]!);
    }
  }

  async readAgain<T>(path: string, work: (local: string, measured: Measured) => Promise<T>): Promise<T> {
    await this.#open();
    const local = join(this.#workDir, `read-${randomBytes(6).toString('hex')}.parquet`);
    try {
      await this.#bucket.download(path, local);
      return await work(local, await measure(local));
    } finally {
      await rm(local, { force: true });
    }
  }

  async remove(path: string): Promise<void> {
    await this.#bucket.remove(path);
  }

  async close(): Promise<void> {
    await this.#cache.close();
    await this.#bucket.close();
  }

  #written(path: string): string {
    return join(this.#workDir, basename(path));
  }

  async #open(): Promise<void> {
    this.#prepared ??= removeOldCaches(this.#workDir);
    await this.#prepared;
    await mkdir(this.#workDir, { recursive: true });
  }
}
