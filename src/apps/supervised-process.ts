import { type ChildProcess, fork } from 'node:child_process';
import { doublingMs } from '../platform/backoff.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { type ChildMessage, EXIT_SETUP, type ReadyReport, type StopMessage } from './child.ts';
import { childEnvironment } from './config.ts';

export interface SupervisedProcess {
  /** of the process that runs now */
  pid(): number | undefined;
  /** Stops it in order, or after `timeoutMs` by force, for good. */
  stop(timeoutMs: number): Promise<void>;
  /** Restarts it with the current settings. */
  recycle(timeoutMs: number): void;
}

interface ProcessOptions {
  readonly name: string;
  /** script that a new Node process runs */
  readonly entry: string;
  /** settings added to the environment of this process; evaluated at each start */
  readonly settings: () => Readonly<Record<string, string>>;
  readonly log: Log;
  readonly clock: Clock;
  readonly onReady: (report: ReadyReport) => void;
  /** It cannot be run: it says so itself, or has failed three times and never been ready. */
  readonly onStartFailure: () => void;
}

const MIN_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;
/** A process that has run this long is restarted with the shortest delay. */
const STABLE_MS = 30_000;
const ATTEMPTS_TO_BE_READY = 3;
const STOP_TIMEOUT_MS = 5_000;

/** Runs a Node process and restarts it with growing delays whenever it ends. */
export function superviseProcess(options: ProcessOptions): SupervisedProcess {
  let child: ChildProcess;
  let stopped = false;
  let wasReady = false;
  let attempts = 0;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let gone: Promise<void> = Promise.resolve();

  const start = (): void => {
    const startedAt = options.clock.monotonic();
    attempts++;
    child = fork(options.entry, [], {
      env: childEnvironment(options.settings()),
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.on('message', (message: ChildMessage) => {
      if (message.type === 'ready') {
        wasReady = true;
        options.onReady(message);
      } else if (!stopped) {
        options.log.info({ part: options.name, signal: message.signal }, 'asked to stop: it will be started again');
        void end(child, STOP_TIMEOUT_MS);
      }
    });
    gone = new Promise((resolve) => {
      const over = (code: number | null, signal: NodeJS.Signals | null): void => {
        resolve();
        if (!stopped) again(code, signal, options.clock.monotonic() - startedAt);
      };
      child.once('exit', over);
      child.once('error', (error) => {
        options.log.error({ part: options.name, err: error }, 'could not be started');
        if (child.pid === undefined) over(null, null);
      });
    });
  };

  const again = (code: number | null, signal: NodeJS.Signals | null, ranMs: number): void => {
    if (!wasReady && (code === EXIT_SETUP || attempts >= ATTEMPTS_TO_BE_READY)) {
      stopped = true;
      options.onStartFailure();
      return;
    }
    failures = ranMs > STABLE_MS ? 1 : failures + 1;
    const delayMs = doublingMs(failures, MIN_DELAY_MS, MAX_DELAY_MS);
    options.log.error({ part: options.name, code, signal, againInMs: delayMs }, 'ended; starting it again');
    timer = setTimeout(start, delayMs);
  };

  start();
  return {
    pid: () => child.pid,
    stop: async (timeoutMs) => {
      stopped = true;
      clearTimeout(timer);
      await end(child, timeoutMs);
      await gone;
    },
    recycle: (timeoutMs) => void end(child, timeoutMs),
  };
}

/** Asks a process to stop, and kills it where it does not within its time. Resolves when it has gone. */
async function end(child: ChildProcess, timeoutMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const message: StopMessage = { type: 'stop' };
  if (child.connected) child.send(message, () => undefined);
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  await gone;
  clearTimeout(timer);
}
