import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../platform/postgres/embedded.ts';

export interface SupervisedDatabase {
  url(): string;
  pid(): number | undefined;
  stop(timeoutMs: number): Promise<void>;
}

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
    for (let delayMs = 100; !stopped; delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)) {
      try {
        const before = database.url;
        database = await startEmbeddedPostgres(options);
        watch(database);
        log.info({ part: 'postgres', pid: database.pid }, 'runs again');
        if (database.url !== before) onMoved();
        return;
      } catch (error) {
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
      // One that is still recovering ends with us, and recovers at the next start.
      await Promise.race([restart, wait(timeoutMs)]);
      await database.stop(timeoutMs);
    },
  };
}
