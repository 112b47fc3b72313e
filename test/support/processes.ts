import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { INHERITED } from './inherited.ts';
import { freePort } from './ports.ts';
import { isWhole } from './ready.ts';

const built = join(import.meta.dirname, '..', '..', 'src', 'apps', 'main.js');
/** The build: beside this file where that is built itself, otherwise in `dist`. */
export const ENTRY = existsSync(built)
  ? built
  : join(import.meta.dirname, '..', '..', 'dist', 'src', 'apps', 'main.js');
export const KEY = 'key-of-several-processes';

/** An API or a gateway of an installation of several, in a process of its own. */
export interface Part {
  readonly url: string;
  /** of the process that was started last */
  readonly pid: number;
  start(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  kill(): Promise<void>;
  /** asks it to end, and waits for that */
  stop(): Promise<void>;
  metric(name: string): Promise<number>;
}

/**
 * The database and the other settings of the role are given; `start` waits until it is ready. `command`: what it is started
 * by; `host`: where it answers.
 */
export async function part(
  settings: Record<string, string>,
  { command = [], host = '127.0.0.1' }: { readonly command?: readonly string[]; readonly host?: string } = {},
): Promise<Part> {
  const port = await freePort();
  const url = `http://${host}:${port}`;
  const env = {
    ...INHERITED,
    PORT: String(port),
    INTERNAL_KEY: 'internal-key-of-several-processes',
    SECRETS_KEY: 'a key of several processes, of 32 characters or more',
    API_KEY: KEY,
    LOG_LEVEL: 'error',
    RATE_LIMIT: '0',
    METRICS_PUBLIC: 'true',
    ...settings,
  };
  let child: ChildProcess;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  return {
    url,
    get pid() {
      return child.pid!;
    },
    async start() {
      const [program, ...args] = [...command, process.execPath, ENTRY];
      child = spawn(program!, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
      while (!(await isWhole(url))) {
        if (child.exitCode !== null) throw new Error(`${settings['ROLE']} ended with ${child.exitCode}`);
        await sleep(50);
      }
    },
    signal: (signal) => void child.kill(signal),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    async metric(name) {
      const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n');
      const values = lines.filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
      return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    },
  };
}
