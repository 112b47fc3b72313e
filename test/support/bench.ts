import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { systemClock } from '../../src/platform/clock.ts';
import { isRunning } from '../../src/platform/processes.ts';
import { keepFolder, readLocation } from '../../src/server/database/embedded/home.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/server/database/embedded.ts';
import { removeDataDir } from './postgres.ts';

export const isRoot = process.geteuid?.() === 0;

/** A folder of one test, with a DATA_DIR in it and the servers that it starts there, durable as in earnest. */
export class Bench {
  readonly folder = mkdtempSync(join(tmpdir(), 'fleetgate-embedded-'));
  dataDir = join(this.folder, 'data');
  readonly #started: EmbeddedPostgres[] = [];

  async start(at = this.dataDir): Promise<EmbeddedPostgres> {
    const log = pino({ level: 'silent' });
    const settings = { shared_buffers: '32MB' };
    const server = await startEmbeddedPostgres({ dataDir: at, log, clock: systemClock, settings });
    this.#started.push(server);
    return server;
  }

  cluster(): string {
    return join(readLocation(keepFolder(this.dataDir)) ?? keepFolder(this.dataDir), 'data');
  }

  async clear(): Promise<void> {
    for (const server of this.#started) await server.stop();
    if (existsSync(this.dataDir)) removeDataDir(this.dataDir);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Resolves when the server has ended. */
export const ended = (server: EmbeddedPostgres): Promise<void> =>
  new Promise((resolve) => server.onExit(() => resolve()));

/** Resolves when no process has this id any longer. */
export async function gone(pid: number): Promise<void> {
  while (isRunning(pid)) await wait(20);
}
