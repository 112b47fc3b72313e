import { type Config, loadConfig } from '../apps/config.ts';
import { systemClock } from '../platform/clock.ts';
import { LockedError } from '../platform/lock.ts';
import { createLog } from '../platform/log.ts';
import { EmbeddedPostgresError, runningEmbeddedPostgres, startEmbeddedPostgres } from '../server/database/embedded.ts';
import { MigrationError, writableUrl } from '../server/database/index.ts';
import { ArchiveError, TransferRefused } from '../server/database/transfer/index.ts';
import { UsageError } from './usage.ts';

/**
 * Runs the work on the configured database. An embedded one is started if it does not run; if it runs, it is shared,
 * unless the work needs exclusive access.
 */
export async function withDatabase<T>(purpose: 'share' | 'own', work: (url: string) => Promise<T>): Promise<T> {
  const config = loadConfig();
  if (config.DATABASE_URL !== undefined) {
    return work(await writableUrl(config.DATABASE_URL, createLog('database', config.LOG_LEVEL)));
  }
  const running = runningEmbeddedPostgres(config.DATA_DIR);
  if (running === undefined) return withStarted(config, work);
  if (purpose === 'share') return work(running);
  throw new UsageError('Fleetgate is running on this database; stop it before an import');
}

async function withStarted<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  const log = createLog('database', config.LOG_LEVEL);
  const database = await startEmbeddedPostgres({ dataDir: config.DATA_DIR, log, clock: systemClock });
  try {
    return await work(database.url);
  } finally {
    await database.stop();
  }
}

const EXPECTED = [ArchiveError, TransferRefused, MigrationError, EmbeddedPostgresError, LockedError];

/** Errors that the operator can fix are printed as one line. */
export async function plainly(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isTheirs = EXPECTED.some((known) => error instanceof known) || /^E[A-Z]+$/.test(code ?? '');
    throw isTheirs ? new UsageError(message) : error;
  }
}
