import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { systemClock } from '../../src/platform/clock.ts';
import { serverEnvironment } from '../../src/server/database/embedded/cluster.ts';
import { type Home, openHome } from '../../src/server/database/embedded/home.ts';
import { startEmbeddedPostgres } from '../../src/server/database/embedded.ts';
import { freePort } from './ports.ts';
import { removeDataDir } from './postgres.ts';

const log = pino({ level: 'silent' });

/** One of two PostgreSQL servers. */
export interface PairedServer {
  readonly port: number;
  /** of database `fleetgate`, as owner */
  readonly url: string;
  start(settings?: Record<string, string>): Promise<void>;
  /** SIGKILL of the postmaster; its children notice that and end */
  kill(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  query<T extends pg.QueryResultRow>(text: string): Promise<T[]>;
}

/** A primary and a standby that follows it by streaming replication, synchronously if the settings say so. */
export interface PostgresPair {
  readonly primary: PairedServer;
  readonly standby: PairedServer;
  /** URL with both hosts */
  readonly url: string;
  /** Resolves when the standby follows. */
  follows(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgresPair(settings: Record<string, string> = {}): Promise<PostgresPair> {
  const first = mkdtempSync(join(tmpdir(), 'fleetgate-pair-'));
  const second = mkdtempSync(join(tmpdir(), 'fleetgate-pair-'));
  const maker = await startEmbeddedPostgres({ dataDir: first, log, clock: systemClock, settings: { fsync: 'off' } });
  const { username, password } = new URL(maker.url);
  await maker.stop();
  const from = openHome(first, log);
  // a cluster that belongs to the user of the server stays where it is
  const keep = join(second, 'postgres');
  mkdirSync(keep);
  for (const folder of [second, keep]) chmodSync(folder, 0o755);
  cpSync(from.cluster, join(keep, 'data'), { recursive: true, preserveTimestamps: true });
  const to = openHome(second, log);
  const user = from.user;
  if (user !== undefined) await run('chown', ['-R', `${user.uid}:${user.gid}`, join(keep, 'data')]);
  chmodSync(join(keep, 'data'), 0o700);
  writeFileSync(join(keep, 'data', 'standby.signal'), '');
  const login = `${username}:${password}`;
  const primary = await serverOf(from, login, user, {
    wal_level: 'replica',
    max_wal_senders: '10',
    wal_keep_size: '256MB',
    ...settings,
  });
  const standby = await serverOf({ ...to, user }, login, user, {
    hot_standby: 'on',
    wal_level: 'replica',
    max_wal_senders: '10',
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${username} password=${password} application_name=second`,
    wal_retrieve_retry_interval: '200ms',
  });
  try {
    await primary.start();
    await standby.start();
  } catch (error) {
    await primary.kill();
    throw error;
  }
  return {
    primary,
    standby,
    url: `postgresql://${login}@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/fleetgate?target_session_attrs=read-write`,
    async follows() {
      while ((await primary.query(`select from pg_stat_replication where state = 'streaming'`)).length === 0)
        await sleep(50);
    },
    async stop() {
      await standby.kill();
      await primary.kill();
      rmSync(second, { recursive: true, force: true });
      removeDataDir(first);
    },
  };
}

async function serverOf(
  home: Home,
  login: string,
  user: Home['user'],
  settings: Record<string, string>,
): Promise<PairedServer> {
  const port = await freePort();
  const url = `postgresql://${login}@127.0.0.1:${port}/fleetgate`;
  let child: ChildProcess | undefined;
  const query = async <T extends pg.QueryResultRow>(text: string): Promise<T[]> => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<T>(text)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    port,
    url,
    query,
    async start(more = {}) {
      const all = {
        port: String(port),
        listen_addresses: '127.0.0.1',
        unix_socket_directories: '',
        ...common,
        ...settings,
        ...more,
      };
      const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      child = spawn(join(home.native, 'bin', 'postgres'), ['-D', home.cluster, ...args], {
        cwd: home.folder,
        env: serverEnvironment(home),
        stdio: ['ignore', 'ignore', 'inherit'],
        ...user,
      });
      for (;;) {
        const isThere = await query('select 1').then(
          () => true,
          () => false,
        );
        if (isThere) return;
        if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`);
        await sleep(100);
      }
    },
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      const children = childrenOf(child.pid!);
      for (const pid of [child.pid!, ...children]) tryKill(pid);
      await gone;
    },
    signal(signal) {
      for (const pid of [child!.pid!, ...childrenOf(child!.pid!)]) tryKill(pid, signal);
    },
  };
}

/** what tests write need not survive a power cut; the processes are killed, not the machine */
const common = { fsync: 'off', shared_buffers: '64MB', max_connections: '200', jit: 'off', timezone: 'UTC' };

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function tryKill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // gone already
  }
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const [code] = (await once(spawn(program, args, { stdio: 'inherit' }), 'exit')) as [number];
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}
