import type { Command } from 'commander';
import { loadConfig } from '../apps/config.ts';
import { createLog } from '../platform/log.ts';
import { openDatabase } from '../server/database/index.ts';
import { plainly, withDatabase } from './database.ts';

/** Imported on demand, so that other commands start faster. */
const loadQueue = () => import('../apps/queue.ts');

export function register(program: Command): void {
  const queue = program.command('queue').description('manage the command queue of the dashboard');
  queue
    .command('rebuild')
    .description('rebuild every job from the stored commands; works while the server is running')
    .action(() => plainly(rebuild));
}

async function rebuild(): Promise<void> {
  const { createQueue, queuePreparation } = await loadQueue();
  const config = loadConfig();
  const log = createLog('queue', 'fatal');
  await withDatabase('share', async (url) => {
    const database = await openDatabase({ url, log, ...queuePreparation(config) });
    const queue = createQueue(config, database, log);
    try {
      const count = await queue.rebuild((done) => process.stderr.write(`  ${done} jobs\r`));
      process.stderr.write(`${count} jobs rebuilt\n`);
    } finally {
      await queue.stop();
      await database.close();
    }
  });
}
