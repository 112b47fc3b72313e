import { createLog } from '../platform/log.ts';
import { lowerPriority } from '../platform/processes.ts';
import { openDatabase } from '../server/database/index.ts';
import { loadConfig } from './config.ts';
import { openHistory, sealDue } from './history.ts';

/**
 * The history process: moves old positions to files, and ends. It is a process of its own so that it has the lowest
 * priority, its memory is freed, and a crash of the file writer affects no other part.
 */

lowerPriority();
// the parent process has ended
process.on('disconnect', () => process.exit(1));

const config = loadConfig();
const log = createLog('history', config.LOG_LEVEL);
const database = await openDatabase({ url: config.DATABASE_URL!, log });
const history = openHistory(config, database, log);
await sealDue(history, config, log);
await history.close();
await database.close();
process.disconnect?.();
