import { spawn } from 'node:child_process';
import { chownSync, existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../../../platform/log.ts';
import { isRunning, worksIn } from '../../../platform/processes.ts';
import { EmbeddedPostgresError } from './binaries.ts';
import type { Home } from './home.ts';

export const OWNER = 'postgres';

/** Replaces the environment: the server would obey an inherited PGDATA or LC_MESSAGES. */
export const serverEnvironment = (home: Home): Record<string, string> => ({
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: home.folder,
  LC_ALL: 'C',
  TZ: 'UTC',
});

/** Makes the cluster unless it is there. Throws EmbeddedPostgresError, also if it is of another major version. */
export async function ensureCluster(home: Home, password: string, log: Log): Promise<void> {
  if (existsSync(home.cluster)) {
    checkVersion(home);
    return;
  }
  log.info({ folder: home.cluster }, 'making the database');
  // Under another name first: what carries the final one is whole.
  const draft = `${home.cluster}.new`;
  const passwordFile = join(home.folder, 'initial-password');
  rmSync(draft, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (home.user !== undefined) chownSync(passwordFile, home.user.uid, home.user.gid);
  try {
    await run(home, join(home.native, 'bin', 'initdb'), [
      `--pgdata=${draft}`,
      `--username=${OWNER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      // Its order does not change with the system's C library, so indexes survive an upgrade of that.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ]);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(draft, home.cluster);
}

function checkVersion(home: Home): void {
  const major = Number.parseInt(readFileSync(join(home.cluster, 'PG_VERSION'), 'utf8'), 10);
  if (major === home.package.major) return;
  throw new EmbeddedPostgresError(
    `The database in ${home.cluster} was made by PostgreSQL ${major}, and this version brings ${home.package.major}. ` +
      'With the former version of Fleetgate run `db export <file>`, then `db import <file>` here into a new DATA_DIR (or a server of your own, by DATABASE_URL).',
  );
}

function run(home: Home, command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, {
    cwd: home.folder,
    env: serverEnvironment(home),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...home.user,
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('close', () => process.off('exit', kill));
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new EmbeddedPostgresError(`${command}: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(
          new EmbeddedPostgresError(
            `${command} ended with ${code ?? signal}: ${said.trim().slice(-2_000)}${advice(said)}`,
          ),
        );
    });
  });
}

function advice(said: string): string {
  if (said.includes('could not look up effective user ID')) {
    return '. PostgreSQL wants its user to have a name in /etc/passwd: run as such a user, or give DATABASE_URL';
  }
  return '';
}

/** A pid that no system gives away. */
const NO_PID = 2_147_483_647;

/**
 * After a crash a server of this cluster may still run, or its lock file may name a process that is another's by now.
 * The first is stopped; in the second the process id is replaced, and the rest kept, by which PostgreSQL sees whether
 * sessions of the dead server still use its memory.
 */
export async function settleFormerServer(home: Home, log: Log): Promise<void> {
  const path = join(home.cluster, 'postmaster.pid');
  if (!existsSync(path)) return;
  const text = readFileSync(path, 'utf8');
  const pid = Number.parseInt(text, 10);
  if (!isRunning(pid)) return;
  if (!worksIn(pid, realpathSync(home.cluster))) {
    log.warn({ pid }, 'the lock of the database names a process that is another one by now');
    writeFileSync(path, text.replace(/^\d+/, String(NO_PID)));
    return;
  }
  log.warn({ pid }, 'a database server of a former run is still there: stopping it');
  for (const [signal, timeoutMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    signalProcess(pid, signal);
    for (let waited = 0; waited < timeoutMs && isRunning(pid); waited += 50) await wait(50);
    if (!isRunning(pid)) return;
  }
  throw new EmbeddedPostgresError(`The database server of an earlier run (process ${pid}) does not stop.`);
}

/** Sends a signal to a process that may have gone. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
