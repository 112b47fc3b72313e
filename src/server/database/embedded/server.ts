import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Log } from '../../../platform/log.ts';
import { availableMemory } from '../../../platform/memory.ts';
import { EmbeddedPostgresError } from './binaries.ts';
import { serverEnvironment, signalProcess } from './cluster.ts';
import type { Home } from './home.ts';

/**
 * Starts the server and a watcher, which waits for the end of a pipe that we hold open: however we end, the system
 * closes it, and the watcher stops the server. Both have a process group of their own, so a Ctrl-C that is meant for
 * us does not reach them.
 */
const LAUNCH = `
exec 3<&0 </dev/null
"$@" 3<&- &
server=$!
( read -r word <&3; kill -INT "$server" 2>/dev/null ) >/dev/null 2>&1 &
watcher=$!
exec 3<&-
echo "$server"
wait "$server"
code=$?
kill "$watcher" 2>/dev/null
exit "$code"
`;

const MB = 1_048_576;

/** The share of PostgreSQL in the memory of the container or machine, as its settings. */
export function memorySettings(bytes: number): {
  readonly shared_buffers: string;
  readonly maintenance_work_mem: string;
} {
  const share = (part: number, least: number, most: number): string =>
    `${Math.round(Math.min(most, Math.max(least, bytes / MB / part)))}MB`;
  return { shared_buffers: share(8, 64, 1024), maintenance_work_mem: share(16, 32, 128) };
}

/** Settings for a steady stream of small batches. Durability stays on: a 2xx lets a gateway forget its records. */
function settings(port: number, more: Readonly<Record<string, string>>): Record<string, string> {
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    ...memorySettings(availableMemory()),
    wal_buffers: '16MB',
    // each new segment would be written twice; where the disk is full PostgreSQL stops either way
    wal_init_zero: 'off',
    // most of the WAL of a large batch is flushed before its commit waits for it
    wal_writer_delay: '10ms',
    min_wal_size: '256MB',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    jit: 'off',
    random_page_cost: '1.1',
    work_mem: '8MB',
    update_process_title: 'off',
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '',
    // Statements carry people's positions, and secrets.
    log_min_error_statement: 'panic',
    ...more,
  };
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningServer {
  /** process id of the postmaster */
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** Fast shutdown; after `timeoutMs` sessions are cut off, and the next start recovers from the log. */
  stop(timeoutMs: number): Promise<void>;
}

/** The server ended before it took connections. `said` is what it wrote. */
export class ServerFailure extends EmbeddedPostgresError {
  readonly said: string;
  constructor(said: string) {
    super(`PostgreSQL did not start: ${said.trim()}`);
    this.said = said;
  }
}

/** Starts PostgreSQL on an existing cluster; resolves when it takes connections. Throws ServerFailure. */
export async function launch(
  home: Home,
  port: number,
  more: Readonly<Record<string, string>>,
  log: Log,
): Promise<RunningServer> {
  const args = ['-D', home.cluster];
  for (const [name, value] of Object.entries(settings(port, more))) args.push('-c', `${name}=${value}`);
  const child = spawn('/bin/sh', ['-c', LAUNCH, 'fleetgate-postgres', join(home.native, 'bin', 'postgres'), ...args], {
    cwd: home.folder,
    env: serverEnvironment(home),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    ...home.user,
  });
  const exited = new Promise<Exit>((resolve) => {
    child.on('exit', (code, signal) => resolve({ code, signal }));
    child.on('error', () => resolve({ code: 127, signal: null }));
  });
  child.stdin.on('error', () => undefined);
  const pid = await readPid(child);
  await ready(child, exited, log);
  return { pid, exited, stop: (timeoutMs) => stop(child, pid, exited, timeoutMs) };
}

function readPid(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new EmbeddedPostgresError(error.message)));
    child.stdout?.once('data', (chunk: Buffer) => resolve(Number.parseInt(chunk.toString(), 10)));
    child.stdout?.once('end', () => reject(new EmbeddedPostgresError('PostgreSQL could not be launched')));
  });
}

async function ready(child: ChildProcess, exited: Promise<Exit>, log: Log): Promise<void> {
  const said: string[] = [];
  let isReady = false;
  const lines = createInterface({ input: child.stderr! });
  const up = new Promise<true>((resolve) => {
    lines.on('line', (line) => {
      relay(line, log);
      if (isReady) return;
      if (said.push(line) > 20) said.shift();
      if (!line.includes('database system is ready to accept connections')) return;
      isReady = true;
      resolve(true);
    });
  });
  const drained = new Promise((resolve) => lines.once('close', resolve));
  const down = exited.then(() => drained).then(() => false as const);
  if (!(await Promise.race([up, down]))) throw new ServerFailure(said.join('\n'));
}

/** PostgreSQL's levels in ours. `LOG` is its small talk. */
function relay(line: string, log: Log): void {
  const level = /^([A-Z]+\d?):\s+(.*)$/.exec(line);
  const text = level?.[2] ?? line;
  if (level?.[1] === 'WARNING' || level?.[1] === 'ERROR') log.warn(text);
  else if (level?.[1] === 'PANIC') log.error(text);
  else if (level?.[1] === 'FATAL') log.warn(text);
  else log.debug(text);
}

async function stop(child: ChildProcess, pid: number, exited: Promise<Exit>, timeoutMs: number): Promise<void> {
  let gone = false;
  void exited.then(() => {
    gone = true;
  });
  await Promise.resolve();
  if (gone) return;
  // The end of the pipe is the watcher's word; the signal is ours, should the watcher be gone.
  child.stdin?.end();
  signalProcess(pid, 'SIGINT');
  const timer = setTimeout(() => {
    if (!gone) signalProcess(pid, 'SIGQUIT');
  }, timeoutMs);
  const last = setTimeout(() => {
    if (!gone) signalProcess(pid, 'SIGKILL');
  }, timeoutMs + 5_000);
  await exited;
  clearTimeout(timer);
  clearTimeout(last);
}
