// Seals everything in a database and kills itself at a step: `<database URL> <folder> <step>`.
import { join } from 'node:path';
import { pino } from 'pino';
import { systemClock } from '../../dist/src/platform/clock.js';
import { openDatabase } from '../../dist/src/server/database/index.js';
import { createHistory } from '../../dist/src/server/history/index.js';
import { HISTORY_OPTIONS } from './history-options.mjs';

const [url, folder, step] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const history = createHistory({
  settings: { url: join(folder, 'files'), workDir: join(folder, 'work'), ...HISTORY_OPTIONS },
  database: await openDatabase({ url, log }),
  clock: systemClock,
  log,
  at(reached) {
    if (reached === step) process.kill(process.pid, 'SIGKILL');
  },
});
await history.seal({ before: systemClock.now() + 86_400_000 });
// the step was not reached
process.exit(1);
