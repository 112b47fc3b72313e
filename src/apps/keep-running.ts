import { type ChildProcess, fork } from 'node:child_process';
import type { Clock } from '../platform/clock.ts';
import { childEnvironment } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import { type ChildMessage, EXIT_SETUP, type ReadyReport, type StopMessage } from './child.ts';

export interface KeptProcess {
  /** of the process that runs now */
  pid(): number | undefined;
  /** Stops it in order, or after `patienceMs` by force, for good. */
  stop(patienceMs: number): Promise<void>;
  /** Stops it and starts it anew, with the settings that hold by then. */
  recycle(patienceMs: number): void;
}

interface Kept {
  readonly name: string;
  /** script that a new Node process runs */
  readonly entry: string;
  /** settings over our own environment, asked for at each start */
  readonly settings: () => Readonly<Record<string, string>>;
  readonly log: Log;
  readonly clock: Clock;
  readonly onReady: (report: ReadyReport) => void;
  /** It cannot be run: it says so itself, or has failed three times and never been ready. */
  readonly onHopeless: () => void;
}

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 10_000;
/** What has run so long starts anew at once. */
const STEADY_MS = 30_000;
const ATTEMPTS_TO_BE_READY = 3;
const PATIENCE_MS = 5_000;

/** Runs a Node process and starts it again, with growing pauses, whenever it ends. */
export function keepRunning(kept: Kept): KeptProcess {
  let child: ChildProcess;
  let stopped = false;
  let wasReady = false;
  let attempts = 0;
  let delayMs = FIRST_DELAY_MS;
  let timer: NodeJS.Timeout | undefined;
  let gone: Promise<void> = Promise.resolve();

  const start = (): void => {
    const startedAt = kept.clock.monotonic();
    attempts++;
    child = fork(kept.entry, [], {
      env: childEnvironment(kept.settings()),
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.on('message', (message: ChildMessage) => {
      if (message.type === 'ready') {
        wasReady = true;
        kept.onReady(message);
      } else if (!stopped) {
        kept.log.info({ part: kept.name, signal: message.signal }, 'asked to stop: it will be started again');
        void end(child, PATIENCE_MS);
      }
    });
    gone = new Promise((resolve) => {
      const over = (code: number | null, signal: NodeJS.Signals | null): void => {
        resolve();
        if (!stopped) again(code, signal, kept.clock.monotonic() - startedAt);
      };
      child.once('exit', over);
      child.once('error', (error) => {
        kept.log.error({ part: kept.name, err: error }, 'could not be started');
        if (child.pid === undefined) over(null, null);
      });
    });
  };

  const again = (code: number | null, signal: NodeJS.Signals | null, ranMs: number): void => {
    if (!wasReady && (code === EXIT_SETUP || attempts >= ATTEMPTS_TO_BE_READY)) {
      stopped = true;
      kept.onHopeless();
      return;
    }
    if (ranMs > STEADY_MS) delayMs = FIRST_DELAY_MS;
    kept.log.error({ part: kept.name, code, signal, againInMs: delayMs }, 'ended; starting it again');
    timer = setTimeout(start, delayMs);
    delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS);
  };

  start();
  return {
    pid: () => child.pid,
    stop: async (patienceMs) => {
      stopped = true;
      clearTimeout(timer);
      await end(child, patienceMs);
      await gone;
    },
    recycle: (patienceMs) => void end(child, patienceMs),
  };
}

/** Asks a process to stop, and kills it where it does not within its time. Resolves when it has gone. */
async function end(child: ChildProcess, patienceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const message: StopMessage = { type: 'stop' };
  if (child.connected) child.send(message, () => undefined);
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  await gone;
  clearTimeout(timer);
}
