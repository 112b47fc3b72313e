import type { Command } from 'commander';
import { systemClock } from '../platform/clock.ts';
import { type Config, loadConfig } from '../platform/config.ts';
import { LockedError } from '../platform/lock.ts';
import { createLog } from '../platform/log.ts';
import {
  EmbeddedPostgresError,
  runningEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../platform/postgres/embedded.ts';
import { MigrationError, schemaKeeper } from '../platform/postgres/index.ts';
import {
  ArchiveError,
  exportDatabase,
  importDatabase,
  TransferRefused,
  type Transferred,
} from '../platform/postgres/transfer/index.ts';
import { UsageError } from './usage.ts';

export function register(program: Command): void {
  const db = program.command('db').description('the database as one file: for a backup, a move, a newer PostgreSQL');
  db.command('export')
    .description('write every row, as of one instant, to a new file; nothing has to stop for it')
    .argument('<file>', 'must not exist')
    .action((file: string) =>
      plainly(async () => {
        const result = await withDatabase('read', (url) => exportDatabase(url, file, schemaKeeper, systemClock, say));
        summary(result, `written to ${file}`);
      }),
    );
  db.command('import')
    .description('read such a file into the database: that of DATABASE_URL, or the embedded one of DATA_DIR')
    .argument('<file>', 'written by db export')
    .option('--force', 'replace the rows that the database holds')
    .action((file: string, { force = false }: { force?: boolean }) =>
      plainly(async () => {
        const options = { force, progress: say };
        summary(await withDatabase('write', (url) => importDatabase(url, file, schemaKeeper, options)), 'imported');
      }),
    );
}

const say = (table: string): void => void process.stderr.write(`  ${table}\n`);

function summary({ rows, leftOut }: Transferred, what: string): void {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  process.stderr.write(`${total} rows of ${Object.keys(rows).length} tables ${what}\n`);
  if (leftOut.length > 0) process.stderr.write(`left out, not made by this version: ${leftOut.join(', ')}\n`);
}

/** Runs the work on the database of the settings; the embedded one is started for it where it does not run. */
async function withDatabase<T>(purpose: 'read' | 'write', work: (url: string) => Promise<T>): Promise<T> {
  const config = loadConfig();
  if (config.DATABASE_URL !== undefined) return work(config.DATABASE_URL);
  const running = runningEmbeddedPostgres(config.DATA_DIR);
  if (running === undefined) return withStarted(config, work);
  if (purpose === 'read') return work(running);
  throw new UsageError('Fleetgate runs on this database: stop it before an import');
}

async function withStarted<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  const log = createLog('db', config.LOG_LEVEL);
  const database = await startEmbeddedPostgres({ dataDir: config.DATA_DIR, log, clock: systemClock });
  try {
    return await work(database.url);
  } finally {
    await database.stop();
  }
}

const EXPECTED = [ArchiveError, TransferRefused, MigrationError, EmbeddedPostgresError, LockedError];

/** What a person can do something about is told in one line. */
async function plainly(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isTheirs = EXPECTED.some((known) => error instanceof known) || /^E[A-Z]+$/.test(code ?? '');
    throw isTheirs ? new UsageError(message) : error;
  }
}
