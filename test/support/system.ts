import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { keepFolder, readLocation } from '../../src/server/database/embedded/home.ts';
import { INHERITED } from './inherited.ts';
import { freePort } from './ports.ts';

const built = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.js');
/** The build: beside this file where that is built itself, otherwise in `dist`. */
const ENTRY = existsSync(built) ? built : join(import.meta.dirname, '..', '..', 'dist', 'src', 'cli', 'main.js');

/** The whole of Fleetgate in processes of its own, on free ports and a temporary DATA_DIR. */
export interface System {
  readonly apiPort: number;
  readonly devicePort: number;
  readonly key: string;
  readonly dataDir: string;
  /** value of a metric, all labels added up */
  metric(name: string): Promise<number>;
  /** CPU seconds of all its processes so far, PostgreSQL included */
  cpuSeconds(): number;
  /** process id of a part that runs now */
  pid(part: Part): number;
  /** kill -9 of a part; of PostgreSQL the postmaster and all its children */
  kill(part: Part): void;
  /** kill -9 of everything, the supervisor included */
  killAll(): Promise<void>;
  /** starts it again on the same folder and ports */
  start(): Promise<void>;
  /** asks the REST API; parses its JSON */
  get<T>(path: string): Promise<T>;
  /** resolves when it says that it is ready */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

export type Part = 'gateway' | 'api' | 'postgres';

const KEY = 'key-of-a-test';
/** certificates are verified by tests of their own */
const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });

/** Starts it from the build and waits until it is ready. */
export async function startSystem(settings: Record<string, string> = {}): Promise<System> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fleetgate-system-'));
  const [apiPort, devicePort] = [await freePort(), await freePort()];
  const isTls = settings['API_TLS_CERT'] !== undefined;
  const url = `${isTls ? 'https' : 'http'}://127.0.0.1:${apiPort}`;
  const env = {
    ...INHERITED,
    DATA_DIR: dataDir,
    PORT: String(apiPort),
    AUTO_PORT: String(devicePort),
    API_KEY: KEY,
    LOG_LEVEL: 'error',
    RATE_LIMIT: '0',
    ...settings,
  };
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    child = spawn(process.execPath, [ENTRY, 'serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    await untilReady(url, child);
  };
  const pid = (part: Part): number =>
    part === 'postgres' ? postmasterOf(dataDir) : childWith(child.pid!, `ROLE=${part}`);
  await start();
  return {
    apiPort,
    devicePort,
    key: KEY,
    dataDir,
    start,
    ready: () => untilReady(url, child),
    async metric(name) {
      const text = await (
        await fetch(`${url}/metrics`, { dispatcher, headers: { authorization: `Bearer ${KEY}` } })
      ).text();
      const lines = text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    },
    async get<T>(path: string) {
      const answer = await fetch(`${url}${path}`, { dispatcher, headers: { authorization: `Bearer ${KEY}` } });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as T;
    },
    cpuSeconds: () => cpuOf([child.pid!, postmasterOf(dataDir)]),
    pid,
    kill: (part) => killTree(pid(part), part === 'postgres'),
    async killAll() {
      const pids = (['gateway', 'api', 'postgres'] as const).map(pid);
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      killTree(pids[0]!, false);
      killTree(pids[1]!, false);
      killTree(pids[2]!, true);
      await gone;
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const gone = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        await gone;
      }
      const location = readLocation(keepFolder(dataDir));
      if (location !== undefined) rmSync(location, { recursive: true, force: true });
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function killTree(root: number, withChildren: boolean): void {
  const pids = withChildren ? [root, ...processes().flatMap((p) => (p.parent === root ? [p.pid] : []))] : [root];
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // gone already
    }
  }
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the system ended with ${child.exitCode}`);
    const answer = await fetch(`${url}/readyz`, { dispatcher }).catch(() => undefined);
    // also the checks without which traffic is served
    if (((await answer?.json()) as { status: string } | undefined)?.status === 'ready') return;
    await sleep(100);
  }
}

function postmasterOf(dataDir: string): number {
  const keep = keepFolder(dataDir);
  const folder = readLocation(keep) ?? keep;
  for (const path of [join(folder, 'data', 'postmaster.pid'), join(keep, 'data', 'postmaster.pid')]) {
    try {
      return Number(readFileSync(path, 'utf8').split('\n', 1)[0]);
    } catch {
      // the other place, then
    }
  }
  throw new Error('the database’s process is not found');
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

function processes(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // the name may contain spaces and brackets
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // utime, stime, and those of children that have ended and been waited for
      const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
      return [{ pid: Number(name), parent: Number(fields[1]), ticks }];
    } catch {
      return [];
    }
  });
}

function cpuOf(roots: readonly number[]): number {
  const all = processes();
  const wanted = new Set(roots);
  // parents have smaller or larger ids: look until nothing is added
  for (let before = -1; before !== wanted.size; ) {
    before = wanted.size;
    for (const { pid, parent } of all) if (wanted.has(parent)) wanted.add(pid);
  }
  return all.filter(({ pid }) => wanted.has(pid)).reduce((sum, { ticks }) => sum + ticks, 0) / 100;
}

function childWith(parent: number, setting: string): number {
  for (const { pid } of processes().filter((p) => p.parent === parent)) {
    if (environmentOf(pid).includes(setting)) return pid;
  }
  throw new Error(`no child has ${setting}`);
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    // it has ended since
    return [];
  }
}
