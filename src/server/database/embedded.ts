import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import { type Lock, LockedError, lockHolder, takeLock } from '../../platform/lock.ts';
import type { Log } from '../../platform/log.ts';
import { EmbeddedPostgresError } from './embedded/binaries.ts';
import { ensureCluster, OWNER, settleFormerServer } from './embedded/cluster.ts';
import { type Home, keepFolder, openHome } from './embedded/home.ts';
import { type Exit, launch, type RunningServer, ServerFailure } from './embedded/server.ts';
import { ensureDatabase } from './embedded/store.ts';

const DATABASE = 'fleetgate';

export interface EmbeddedPostgres {
  /** connects as owner of the database (and superuser of the server) */
  readonly url: string;
  /** process id of the postmaster */
  readonly pid: number;
  /** Calls back when the server has exited for any reason; immediately if it already has. */
  onExit(listener: (exit: Exit) => void): void;
  /**
   * Stops the server; after `timeoutMs` (5,000) without what its sessions still do. Never throws for one that is
   * gone.
   */
  stop(timeoutMs?: number): Promise<void>;
}

export interface EmbeddedOptions {
  /** DATA_DIR; made if it is not there */
  readonly dataDir: string;
  readonly log: Log;
  readonly clock: Clock;
  /** further server settings, name → value, over the built-in ones */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Starts the PostgreSQL that npm brought on the cluster of a DATA_DIR, which is made on the first start, and resolves
 * when it takes connections. It listens on 127.0.0.1 alone, with a password, on a port that it keeps. It ends when
 * this process ends, however that happens. Throws EmbeddedPostgresError with what to do, LockedError if another
 * living process runs it.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const home = openHome(options.dataDir, options.log);
  const lock = takeLock(join(home.keep, 'lock'));
  try {
    const password = keepPassword(home);
    await ensureCluster(home, password, options.log);
    const { server, port } = await startOnFreePort(home, options);
    try {
      await ensureDatabase(urlOf(port, password, 'postgres'), DATABASE);
    } catch (error) {
      await server.stop(5_000);
      throw error;
    }
    return running(server, urlOf(port, password, DATABASE), lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function running(server: RunningServer, url: string, lock: Lock): EmbeddedPostgres {
  void server.exited.then(() => lock.release());
  return {
    url,
    pid: server.pid,
    onExit: (listener) => void server.exited.then(listener),
    stop: (timeoutMs = 5_000) => server.stop(timeoutMs),
  };
}

/** How to reach the server that another process runs on this DATA_DIR; undefined if none does. */
export function runningEmbeddedPostgres(dataDir: string): string | undefined {
  const keep = keepFolder(dataDir);
  if (!existsSync(keep) || lockHolder(join(keep, 'lock')) === undefined) return undefined;
  const password = join(keep, 'password');
  const port = readPort(keep);
  if (!existsSync(password) || port === undefined) return undefined;
  return urlOf(port, readFileSync(password, 'utf8').trim(), DATABASE);
}

const urlOf = (port: number, password: string, database: string): string =>
  `postgresql://${OWNER}:${password}@127.0.0.1:${port}/${database}`;

function keepPassword(home: Home): string {
  const path = join(home.keep, 'password');
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  if (existsSync(home.cluster)) {
    throw new EmbeddedPostgresError(`${path} is missing, and with it the password of the database in ${home.cluster}.`);
  }
  const password = randomBytes(24).toString('hex');
  writeFileSync(path, `${password}\n`, { mode: 0o600 });
  return password;
}

async function startOnFreePort(
  home: Home,
  { log, clock, settings = {} }: EmbeddedOptions,
): Promise<{ server: RunningServer; port: number }> {
  const deadline = clock.monotonic() + 60_000;
  let port = readPort(home.keep) ?? (await freePort());
  for (;;) {
    await settleFormerServer(home, log);
    writeFileSync(join(home.keep, 'port'), `${port}\n`, { mode: 0o600 });
    try {
      return { server: await launch(home, port, settings, log), port };
    } catch (error) {
      if (!(error instanceof ServerFailure) || clock.monotonic() > deadline) throw error;
      if (/could not (bind|create any TCP)/.test(error.said)) port = await freePort();
      // Sessions of a server that was killed take a moment to notice.
      else if (/pre-existing shared memory block|lock file "postmaster.pid"/.test(error.said)) await wait(200);
      else throw error;
    }
  }
}

function readPort(keep: string): number | undefined {
  const path = join(keep, 'port');
  const port = existsSync(path) ? Number.parseInt(readFileSync(path, 'utf8'), 10) : Number.NaN;
  return port > 0 && port < 65_536 ? port : undefined;
}

/**
 * A free port of the loopback interface. It lies below those that systems give to outgoing connections, one of
 * which could otherwise take it while the server restarts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    if (await canListen(port)) return port;
  }
}

function canListen(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

export { EmbeddedPostgresError, LockedError };
