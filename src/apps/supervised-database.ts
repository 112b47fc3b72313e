import { setTimeout as wait } from 'node:timers/promises';
import { doublingMs } from '../platform/backoff.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../server/database/embedded.ts';

export interface SupervisedDatabase {
  url(): string;
  pid(): number | undefined;
  stop(timeoutMs: number): Promise<void>;
}

const MIN_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;

/**
 * Runs the embedded database and restarts it whenever it ends. `onMoved` is called when its address has changed. Throws what the first start throws.
 */
export async function superviseDatabase(
  options: { readonly dataDir: string; readonly log: Log; readonly clock: Clock },
  onMoved: () => void,
): Promise<SupervisedDatabase> {
  const { log } = options;
  let stopped = false;
  let restart: Promise<void> = Promise.resolve();
  let database = await startEmbeddedPostgres(options);

  const watch = (current: EmbeddedPostgres): void =>
    current.onExit(({ code, signal }) => {
      if (stopped) return;
      log.error({ part: 'postgres', code, signal }, 'ended; starting it again');
      restart = startAgain();
    });

  const startAgain = async (): Promise<void> => {
    for (let failures = 1; !stopped; failures++) {
      try {
        const before = database.url;
        database = await startEmbeddedPostgres(options);
        watch(database);
        log.info({ part: 'postgres', pid: database.pid }, 'runs again');
        if (database.url !== before) onMoved();
        return;
      } catch (error) {
        const delayMs = doublingMs(failures, MIN_DELAY_MS, MAX_DELAY_MS);
        log.error({ part: 'postgres', err: error, againInMs: delayMs }, 'does not start');
        await wait(delayMs);
      }
    }
  };

  watch(database);
  return {
    url: () => database.url,
    pid: () => database.pid,
    stop: async (timeoutMs) => {
      stopped = true;
      // A server that is still recovering is ended too, and continues at the next start.
      await Promise.race([restart, wait(timeoutMs)]);
      await database.stop(timeoutMs);
    },
  };
}
