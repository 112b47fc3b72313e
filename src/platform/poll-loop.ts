import { doublingMs } from './backoff.ts';
import { Mutex } from './mutex.ts';
import { asWholeTenant } from './restriction.ts';

export interface PollLoopOptions {
  /** One round of work. `true`: there is more, the next round follows at once. */
  readonly round: () => Promise<boolean>;
  /** pause between two rounds, ms */
  readonly everyMs: number;
  /** pause before the first round, ms; 0 unless given */
  readonly firstAfterMs?: number;
  /** called for each round that fails, with the number of failures in a row */
  readonly onError: (error: Error, failures: number) => void;
  /** longest pause after failures, ms: each failure doubles the pause up to it; `everyMs` unless given */
  readonly longestPauseMs?: number;
}

/** Runs rounds periodically: immediately while there is more, with back-off while rounds fail. */
export interface PollLoop {
  start(): void;
  /** Starts the next round immediately, or after the running one. No effect before `start`. */
  wake(): void;
  /**
   * Runs rounds until there is nothing more, one at a time with those of the loop.
   * @throws what a round throws
   */
  run(): Promise<void>;
  /** Resolves when the round that is running has ended; no other one begins. */
  stop(): Promise<void>;
}

/** Timers are unreferenced, so that they do not keep the process alive. */
export function createPollLoop(options: PollLoopOptions): PollLoop {
  const { everyMs, longestPauseMs = everyMs } = options;
  let isStopped = false;
  let isWoken = false;
  /** ends the pause that is under way */
  let endPause = (): void => {};
  let running: Promise<void> | undefined;
  const rounds = new Mutex();

  // a round works for all, also if a caller of `run` is limited to the vehicles of a user
  const runRound = (): Promise<boolean> => rounds.run(() => asWholeTenant(options.round));
  const pause = async (ms: number): Promise<void> => {
    if (!isWoken && !isStopped) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        timer.unref();
        endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    isWoken = false;
  };
  const loop = async (): Promise<void> => {
    let failures = 0;
    await pause(options.firstAfterMs ?? 0);
    while (!isStopped) {
      let isMore = false;
      try {
        isMore = await runRound();
        failures = 0;
      } catch (error) {
        failures++;
        options.onError(error as Error, failures);
      }
      const pauseMs = doublingMs(failures + 1, everyMs, Math.max(everyMs, longestPauseMs));
      await pause(isMore ? 0 : pauseMs);
    }
  };
  return {
    start() {
      running ??= loop();
    },
    wake() {
      isWoken = true;
      endPause();
    },
    async run() {
      while (await runRound());
    },
    async stop() {
      isStopped = true;
      endPause();
      await running;
      await rounds.idle();
    },
  };
}
