import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepFolder, readLocation } from '../../src/platform/postgres/embedded/home.ts';

/** The whole of Fleetgate in processes of its own, on free ports and a temporary DATA_DIR. */
export interface BenchSystem {
  readonly apiPort: number;
  readonly devicePort: number;
  readonly key: string;
  /** value of a metric, all labels added up */
  metric(name: string): Promise<number>;
  /** CPU seconds of all its processes so far, PostgreSQL included */
  cpuSeconds(): number;
  /** resident bytes of its gateway */
  gatewayPid(): number;
  stop(): Promise<void>;
}

const KEY = 'bench-key-of-no-value';

/** Starts it from the build and waits until it is ready. */
export async function startSystem(settings: Record<string, string> = {}): Promise<BenchSystem> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fleetgate-bench-'));
  const [apiPort, devicePort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.js'), 'serve'], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      PORT: String(apiPort),
      AUTO_PORT: String(devicePort),
      API_KEY: KEY,
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${apiPort}`;
  await untilReady(url, child);
  return {
    apiPort,
    devicePort,
    key: KEY,
    async metric(name) {
      const text = await (await fetch(`${url}/metrics`)).text();
      const lines = text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    },
    cpuSeconds: () => cpuOf([child.pid!, postmasterOf(dataDir)]),
    gatewayPid: () => childWith(child.pid!, 'ROLE=gateway'),
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
      const location = readLocation(keepFolder(dataDir));
      if (location !== undefined) rmSync(location, { recursive: true, force: true });
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the system ended with ${child.exitCode}`);
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(100);
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
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
      // the name may hold blanks and brackets
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
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    if (environment.includes(setting)) return pid;
  }
  throw new Error(`no child has ${setting}`);
}
