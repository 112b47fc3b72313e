import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { isRunning } from '../../../platform/processes.ts';
import { tallyFunction } from './tally.ts';

const SPILLED = 'spilled-';

/** Removes folders of processes that were killed. */
async function removeSpilled(workDir: string): Promise<void> {
  for (const name of await readdir(workDir)) {
    if (!name.startsWith(SPILLED) || isRunning(Number.parseInt(name.slice(SPILLED.length), 10))) continue;
    await rm(join(workDir, name), { recursive: true, force: true });
  }
}

export interface DuckDbOptions {
  /** folder for what does not fit into memory */
  readonly workDir: string;
  readonly memoryMb: number;
  readonly threads: number;
}

/**
 * Files whose metadata are kept, about 0.7 MB each. Reading them is a quarter to a third of what a device's day
 * costs, and the same files are read for one device after another. DuckDB has no limit for them.
 */
export const KEPT_FILES = 100;

interface Opened {
  readonly instance: Promise<DuckDBInstance>;
  /** whose metadata it may have */
  readonly files: Set<string>;
  users: number;
  /** to be closed after its last use */
  isOld: boolean;
}

/** One DuckDB in memory, loaded when it is first needed: most processes never read a file. */
export class DuckDb {
  readonly #options: DuckDbOptions;
  #opened: Opened | undefined;
  #made = 0;

  constructor(options: DuckDbOptions) {
    this.#options = options;
  }

  /** Runs the work on a connection of its own. */
  with<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.#use(this.#current(), work);
  }

  /** As `with`, for work on files that others will read soon: their metadata are kept. */
  read<T>(paths: readonly string[], work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    let opened = this.#current();
    const added = paths.filter((path) => !opened.files.has(path)).length;
    if (opened.files.size > 0 && opened.files.size + added > KEPT_FILES) {
      void this.#retire();
      opened = this.#current();
    }
    for (const path of paths) opened.files.add(path);
    return this.#use(opened, async (connection) => {
      await connection.run('set session parquet_metadata_cache = true');
      return work(connection);
    });
  }

  #current(): Opened {
    this.#opened ??= { instance: this.#open(), files: new Set(), users: 0, isOld: false };
    return this.#opened;
  }

  async #use<T>(opened: Opened, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    opened.users += 1;
    try {
      const connection = await (await this.#demand(opened)).connect();
      try {
        return await work(connection);
      } finally {
        connection.closeSync();
      }
    } finally {
      opened.users -= 1;
      await closeUnused(opened);
    }
  }

  async #demand(opened: Opened): Promise<DuckDBInstance> {
    try {
      return await opened.instance;
    } catch (error) {
      if (this.#opened === opened) this.#opened = undefined;
      throw error;
    }
  }

  /** Closes the instance and its cache; running queries finish first. */
  #retire(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened === undefined) return Promise.resolve();
    opened.isOld = true;
    return closeUnused(opened);
  }

  async #open(): Promise<DuckDBInstance> {
    const { workDir, memoryMb, threads } = this.#options;
    const duckdb = await import('@duckdb/node-api');
    await mkdir(workDir, { recursive: true });
    await removeSpilled(workDir);
    this.#made += 1;
    const instance = await duckdb.DuckDBInstance.create(':memory:', {
      threads: String(threads),
      memory_limit: `${memoryMb}MB`,
      // names of the files in it are those of other instances too
      temp_directory: join(workDir, `${SPILLED}${process.pid}-${this.#made}`),
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      // copies of remote files get further row groups
      enable_external_file_cache: 'false',
    });
    const connection = await instance.connect();
    connection.registerScalarFunction(tallyFunction(duckdb));
    connection.closeSync();
    return instance;
  }

  close(): Promise<void> {
    return this.#retire();
  }
}

async function closeUnused(opened: Opened): Promise<void> {
  if (!opened.isOld || opened.users > 0) return;
  opened.users = Number.POSITIVE_INFINITY;
  (await opened.instance.catch(() => undefined))?.closeSync();
}
