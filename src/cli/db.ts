import type { Command } from 'commander';
import { systemClock } from '../platform/clock.ts';
import { schemaKeeper } from '../platform/postgres/index.ts';
import { exportDatabase, importDatabase, type Transferred } from '../platform/postgres/transfer/index.ts';
import { plainly, withDatabase } from './database.ts';

export function register(program: Command): void {
  const db = program.command('db').description('the database as one file: for a backup, a move, a newer PostgreSQL');
  db.command('export')
    .description('write every row, as of one instant, to a new file; nothing has to stop for it')
    .argument('<file>', 'must not exist')
    .action((file: string) =>
      plainly(async () => {
        const result = await withDatabase('share', (url) => exportDatabase(url, file, schemaKeeper, systemClock, say));
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
        summary(await withDatabase('own', (url) => importDatabase(url, file, schemaKeeper, options)), 'imported');
      }),
    );
}

const say = (table: string): void => void process.stderr.write(`  ${table}\n`);

function summary({ rows, leftOut }: Transferred, what: string): void {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  process.stderr.write(`${total} rows of ${Object.keys(rows).length} tables ${what}\n`);
  if (leftOut.length > 0) process.stderr.write(`left out, not made by this version: ${leftOut.join(', ')}\n`);
}
