import { fork, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { childEnvironment } from '../../src/apps/config.ts';
import { INTERNAL_KEY } from '../support/api.ts';
import type { Load, Loaded } from './load.ts';

/** A part of the benchmark in a process of its own. */
export interface Part {
  readonly url: string;
  /** user and system time so far */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

/** A file of the build. */
export const built = (path: string): string => {
  const root = join(import.meta.dirname, '..', '..');
  return join(root, import.meta.filename.endsWith('.ts') ? 'dist' : '', path);
};

/** An API over a database, with its ordinary settings but for what is given. */
export async function startApiProcess(databaseUrl: string, settings: Record<string, string> = {}): Promise<Part> {
  const child = fork(built('src/apps/main.js'), {
    env: {
      ...childEnvironment({}),
      ROLE: 'api',
      PORT: '0',
      DATA_DIR: tmpdir(),
      DATABASE_URL: databaseUrl,
      INTERNAL_KEY,
      AUTO_REGISTER: 'true',
      LOG_LEVEL: 'warn',
      ...settings,
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.on('message', (message: { type: string; port: number }) => {
      if (message.type === 'ready') resolve(message.port);
    });
    child.once('exit', (code) => reject(new Error(`the API ended with ${code}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    cpuSeconds: () => {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number);
      return (fields[11]! + fields[12]!) / 100;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        child.removeAllListeners('exit').once('exit', () => resolve());
        child.send({ type: 'stop' });
      }),
  };
}

/** The reference: a Fastify route that returns a constant, in a process of its own. */
export async function startBareFastify(): Promise<Omit<Part, 'cpuSeconds'>> {
  const child = fork(built('test/bench/bare-fastify.js'));
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message: number) => resolve(message));
    child.once('exit', (code) => reject(new Error(`bare Fastify ended with ${code}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        child.removeAllListeners('exit').once('exit', () => resolve());
        child.disconnect();
      }),
  };
}

/** Runs the load generator in a process of its own. */
export async function generate(load: Load): Promise<Loaded> {
  const child = spawn(process.execPath, [built('test/bench/load.js')], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(load));
  const loaded = (await json(child.stdout)) as Loaded;
  if (loaded.others > 0) throw new Error(`${loaded.others} requests failed`);
  return loaded;
}
