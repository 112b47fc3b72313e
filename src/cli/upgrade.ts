import type { Command } from 'commander';
import { VERSION } from '../apps/version.ts';
import { schemaMigrations } from '../server/database/index.ts';
import { plainly, withDatabase } from './database.ts';

export function register(program: Command): void {
  program
    .command('upgrade')
    .description('bring the database to this version, as the first start of the API would do')
    .option('--check', 'only report what would be changed; exits with 1 if this version cannot use the database')
    .action(({ check = false }: { check?: boolean }) =>
      plainly(() => withDatabase('share', (url) => upgrade(url, check))),
    );
}

async function upgrade(url: string, isCheck: boolean): Promise<void> {
  const applied = await schemaMigrations.applied(url);
  const known = schemaMigrations.known();
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
  if (!isCheck) await schemaMigrations.migrate(url, undefined);
  const done = isCheck ? 'would be applied' : 'applied';
  process.stdout.write(`Fleetgate ${VERSION}: ${missing.length} migrations ${done}\n`);
  for (const name of missing) process.stdout.write(`  ${name}\n`);
  if (isCheck)
    process.stdout.write(
      'Make a backup first (`fleetgate backup`): an earlier version cannot use the database afterwards.\n',
    );
}
