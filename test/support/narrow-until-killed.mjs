// Makes narrow rows of everything in a database and kills itself inside of the nth transaction: `<database URL> <n>`.
import { tmpdir } from 'node:os';
import { pino } from 'pino';
import { systemClock } from '../../dist/src/platform/clock.js';
import { openDatabase } from '../../dist/src/server/database/index.js';
import { createHistory } from '../../dist/src/server/history/index.js';
import { HISTORY_OPTIONS } from './history-options.mjs';

const [url, last] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const history = createHistory({
  settings: { url: tmpdir(), workDir: tmpdir(), ...HISTORY_OPTIONS },
  database: await openDatabase({ url, log }),
  clock: systemClock,
  log,
});
let n = 0;
await history.narrow({
  before: systemClock.now() + 86_400_000,
  by: 'day',
  forms: 100,
  at() {
    n += 1;
    if (n === Number(last)) process.kill(process.pid, 'SIGKILL');
  },
});
// the step was not reached
process.exit(1);
