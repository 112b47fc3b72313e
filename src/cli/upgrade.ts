import type { Command } from 'commander';
import { loadConfig } from '../apps/config.ts';
import { VERSION } from '../apps/version.ts';
import { schemaMigrations } from '../server/database/index.ts';
import { backUpFirst } from './backup/index.ts';
import { plainly, withDatabase } from './database.ts';

export function register(program: Command): void {
  program
    .command('upgrade')
    .description('bring the database to this version, as the first start of the API would do')
    .option('--no-backup', 'do not make a backup to BACKUP_URL first')
    .option('--check', 'only report what would be changed; exits with 1 if this version cannot use the database')
    .action(({ check = false, backup }: { check?: boolean; backup: boolean }) =>
      plainly(() => withDatabase('share', (url) => upgrade(url, check, backup))),
    );
}

/** Versions of the tables are numbers of migrations: several builds have the same version of the program. */
const schemaOf = (migrations: readonly string[]): string => migrations.at(-1)?.split('-', 1)[0] ?? 'none';

async function upgrade(url: string, isCheck: boolean, hasBackup: boolean): Promise<void> {
  const applied = await schemaMigrations.applied(url);
  const known = schemaMigrations.known();
  process.stderr.write(`tables of the database: ${schemaOf(applied)}, of this version: ${schemaOf(known)}\n`);
  const foreign = applied.filter((name) => !known.includes(name));
  if (foreign.length > 0) {
    process.stdout.write(
      `The database was used by a later version: Fleetgate ${VERSION} does not know ${foreign.join(', ')}.\nStart that version again, or restore a backup from before its upgrade.\n`,
    );
    process.exitCode = 1;
    return;
  }
  const missing = known.filter((name) => !applied.includes(name));
  if (missing.length === 0) {
    process.stdout.write(`The database is that of Fleetgate ${VERSION}.\n`);
    return;
  }
  const config = loadConfig();
  if (!isCheck) {
    // an empty database has nothing to lose
    if (hasBackup && config.BACKUP_URL !== undefined && applied.length > 0) {
      process.stdout.write(`Backup ${await backUpFirst(config)} made.\n`);
    }
    await schemaMigrations.migrate(url, undefined);
  }
  const done = isCheck ? 'would be applied' : 'applied';
  process.stdout.write(`Fleetgate ${VERSION}: ${missing.length} migrations ${done}\n`);
  for (const name of missing) process.stdout.write(`  ${name}\n`);
  if (isCheck)
    process.stdout.write(
      'Make a backup first (`fleetgate backup`): an earlier version cannot use the database afterwards.\n',
    );
}
