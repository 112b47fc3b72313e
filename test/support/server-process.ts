import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A server that a test has started. */
export interface ServerProcess {
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** SIGSTOP and SIGCONT among others */
  signal(signal: NodeJS.Signals): void;
}

/** Starts a program and waits for a text in its output. It may start others: signals go to its process group. */
export async function startServer(
  program: string,
  args: readonly string[],
  ready: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const child: ChildProcess = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, ...env },
  });
  const exited = once(child, 'exit');
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-child.pid!, name);
    } catch {
      // it has ended
    }
  };
  await new Promise<void>((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer): void => {
      text = (text + chunk.toString()).slice(-100_000);
      if (text.includes(ready)) resolve();
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${program} does not start: ${text.slice(-2_000)}`)));
  });
  return {
    signal,
    async stop(name = 'SIGTERM') {
      signal(name);
      await exited;
      // what it has left behind
      signal('SIGKILL');
    },
  };
}
