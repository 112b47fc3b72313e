import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { systemClock } from '../../src/platform/clock.ts';
import type { Log } from '../../src/platform/log.ts';
import { keepFolder, readLocation } from '../../src/server/database/embedded/home.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/server/database/embedded.ts';

/** A PostgreSQL server of the test's own, on loopback, a free port and a temporary DATA_DIR. */
export interface TestServer {
  readonly dataDir: string;
  readonly port: number;
  /** process id of the postmaster that runs now */
  readonly pid: number;
  /** Makes an empty database; its URL, as owner. */
  database(name?: string): Promise<string>;
  /** kill -9 of every process of the server */
  kill(): Promise<void>;
  /** starts it again on the same folder and port */
  restart(): Promise<void>;
  /** CPU seconds that its processes have used so far */
  cpuSeconds(): number;
  /** Stops it and removes all that it left. */
  stop(): Promise<void>;
}

/** What tests write need not survive a power cut, unless `settings` say so. */
export async function startTestServer(
  settings: Record<string, string> = { fsync: 'off' },
  log: Log = pino({ level: 'silent' }),
): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fleetgate-pg-'));
  const start = (): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({
      dataDir,
      log,
      clock: systemClock,
      settings: { shared_buffers: '64MB', ...settings },
    });
  let server = await start();
  let made = 0;
  return {
    dataDir,
    get port() {
      return Number(new URL(server.url).port);
    },
    get pid() {
      return server.pid;
    },
    async database(name = `test_${++made}`) {
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      await client.query(`create database "${name}"`);
      await client.end();
      return Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
    },
    async kill() {
      const gone = new Promise((resolve) => server.onExit(resolve));
      for (const pid of [server.pid, ...children(server.pid)]) tryKill(pid);
      await gone;
    },
    async restart() {
      server = await start();
    },
    cpuSeconds: () => [server.pid, ...children(server.pid)].reduce((sum, pid) => sum + cpuOf(pid), 0),
    async stop() {
      await server.stop();
      removeDataDir(dataDir);
    },
  };
}

/** Removes a DATA_DIR, and its database where that lies elsewhere (as root). */
export function removeDataDir(dataDir: string): void {
  const elsewhere = readLocation(keepFolder(dataDir));
  if (elsewhere !== undefined) rmSync(elsewhere, { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}

function children(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone already
  }
}

/** user and system time, of the process and of the children that it has waited for, s */
function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number);
    return (fields[11]! + fields[12]! + fields[13]! + fields[14]!) / 100;
  } catch {
    return 0;
  }
}
