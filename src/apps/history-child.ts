import { loadConfig } from '../platform/config.ts';
import { createLog } from '../platform/log.ts';
import { openDatabase } from '../platform/postgres/index.ts';
import { lowerPriority } from '../platform/processes.ts';
import { openHistory, sealDue } from './history.ts';

/**
 * The history process: moves what is old enough to files, and ends. It is a process of its own so that it has the lowest
 * priority, its memory is given back, and a fault in what writes files takes nothing else with it.
 */

lowerPriority();
// whoever has started it is gone
process.on('disconnect', () => process.exit(1));

const config = loadConfig();
const log = createLog('history', config.LOG_LEVEL);
const database = await openDatabase({ url: config.DATABASE_URL!, log });
const history = openHistory(config, database, log);
await sealDue(history, config, log);
await history.close();
await database.close();
process.disconnect?.();
