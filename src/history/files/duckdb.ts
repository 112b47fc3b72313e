import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { isRunning } from '../../platform/processes.ts';
import { tallyFunction } from './tally.ts';

const SPILLED = 'spilled-';

/** Removes what processes that were killed have left. */
async function removeSpilled(workDir: string): Promise<void> {
  for (const name of await readdir(workDir)) {
    if (!name.startsWith(SPILLED) || isRunning(Number(name.slice(SPILLED.length)))) continue;
    await rm(join(workDir, name), { recursive: true, force: true });
  }
}

export interface DuckDbOptions {
  /** folder for what does not fit into memory */
  readonly workDir: string;
  readonly memoryMb: number;
  readonly threads: number;
}

/** One DuckDB in memory, loaded when it is first needed: most processes never read a file. */
export class DuckDb {
  readonly #options: DuckDbOptions;
  #instance: Promise<DuckDBInstance> | undefined;

  constructor(options: DuckDbOptions) {
    this.#options = options;
  }

  /** Runs the work on a connection of its own. */
  async with<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    this.#instance ??= this.#open().catch((error) => {
      this.#instance = undefined;
      throw error;
    });
    const connection = await (await this.#instance).connect();
    try {
      return await work(connection);
    } finally {
      connection.closeSync();
    }
  }

  async #open(): Promise<DuckDBInstance> {
    const { workDir, memoryMb, threads } = this.#options;
    const duckdb = await import('@duckdb/node-api');
    await mkdir(workDir, { recursive: true });
    await removeSpilled(workDir);
    const instance = await duckdb.DuckDBInstance.create(':memory:', {
      threads: String(threads),
      memory_limit: `${memoryMb}MB`,
      // names of the files in it are those of another process too
      temp_directory: join(workDir, `${SPILLED}${process.pid}`),
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

  async close(): Promise<void> {
    const instance = this.#instance;
    this.#instance = undefined;
    (await instance?.catch(() => undefined))?.closeSync();
  }
}
