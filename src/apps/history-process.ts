import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Log } from '../platform/log.ts';
import { childEnvironment } from './config.ts';

/** The process that moves positions to files, with the lowest CPU priority. */
export interface HistoryProcess {
  /** Runs until it has ended; at once if it runs already or has been stopped. How it failed is in the log. */
  run(): Promise<void>;
  /** Kills it and prevents restarts. Safe at any time: positions are either rows or in a file. */
  stop(): void;
}

/** the compiled history-child.ts */
const SCRIPT = fileURLToPath(new URL('./history-child.js', import.meta.url));

export interface HistoryProcessOptions {
  readonly script?: string;
  /** environment of the process; by default that of this process */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export function createHistoryProcess(
  log: Log,
  { script = SCRIPT, environment = childEnvironment({}) }: HistoryProcessOptions = {},
): HistoryProcess {
  let child: ChildProcess | undefined;
  let isStopped = false;
  return {
    async run() {
      if (isStopped || child !== undefined) return;
      const started = fork(script, [], {
        env: environment,
        execArgv: [],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      child = started;
      const ended = await new Promise<{ code: number | null; signal: NodeJS.Signals | null; err?: Error }>(
        (resolve) => {
          started.once('exit', (code, signal) => resolve({ code, signal }));
          started.once('error', (err) => {
            if (started.pid === undefined) resolve({ code: null, signal: null, err });
          });
        },
      );
      child = undefined;
      if (ended.code !== 0 && !isStopped)
        log.error(ended, 'the history process has failed; it is started again in an hour');
    },
    stop() {
      isStopped = true;
      child?.kill('SIGKILL');
    },
  };
}
