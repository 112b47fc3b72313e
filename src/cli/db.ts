import type { Command } from 'commander';
import { systemClock } from '../platform/clock.ts';
import { schemaMigrations } from '../server/database/index.ts';
import { exportDatabase, importDatabase, type Transferred } from '../server/database/transfer/index.ts';
import { plainly, withDatabase } from './database.ts';

export function register(program: Command): void {
  const db = program
    .command('db')
    .description('export and import the database, for backups, moves and PostgreSQL upgrades');
  db.command('export')
    .description(
      'write a consistent snapshot of all rows to a new file; works while the server is running. Prints the files of past positions that belong to it',
    )
    .argument('<file>', 'file to create; must not exist')
    .action((file: string) =>
      plainly(async () => {
        const result = await withDatabase('share', (url) =>
          exportDatabase(url, file, schemaMigrations, systemClock, say),
        );
        summary(result, `written to ${file}`);
        name(result.files ?? []);
      }),
    );
  db.command('import')
    .description('read an exported file into the database of DATABASE_URL, or into the embedded one in DATA_DIR')
    .argument('<file>', 'file written by db export')
    .option('--force', 'replace existing rows')
    .action((file: string, { force = false }: { force?: boolean }) =>
      plainly(async () => {
        const options = { force, progress: say };
        summary(await withDatabase('own', (url) => importDatabase(url, file, schemaMigrations, options)), 'imported');
      }),
    );
}

const say = (table: string): void => void process.stderr.write(`  ${table}\n`);

/** Positions in files are not part of the snapshot: a backup needs these files too. */
function name(files: readonly string[]): void {
  if (files.length === 0) return;
  process.stderr.write(`${files.length} files of HISTORY_URL belong to it; their names are on standard output\n`);
  process.stdout.write(`${files.join('\n')}\n`);
}

function summary({ rows, leftOut }: Transferred, what: string): void {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  process.stderr.write(`${total} rows of ${Object.keys(rows).length} tables ${what}\n`);
  if (leftOut.length > 0) process.stderr.write(`left out, not made by this version: ${leftOut.join(', ')}\n`);
}
