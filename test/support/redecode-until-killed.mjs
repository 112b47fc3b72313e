// Applies a changed decoder to the frames of a database and kills itself at a step:
// `<database URL> <folder> <step> <attribute> <from> <to>`. The decoder adds one to the speed and reports an attribute.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { applyFrames } from '../../dist/src/apps/redecode.js';
import { loadCatalogue } from '../../dist/src/codec/catalogue/index.js';
import { systemClock } from '../../dist/src/platform/clock.js';
import { openDatabase } from '../../dist/src/server/database/index.js';
import { attachReader, createHistory } from '../../dist/src/server/history/index.js';
import { changedDecoder } from './changed-decoder.mjs';
import { HISTORY_OPTIONS } from './history-options.mjs';

const [url, folder, step, attribute, from, to] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const database = await openDatabase({ url, log });
const history = createHistory({
  settings: { url: join(folder, 'files'), workDir: join(folder, 'work'), ...HISTORY_OPTIONS },
  database,
  clock: systemClock,
  log,
  at(reached) {
    if (reached === step) process.kill(process.pid, 'SIGKILL');
  },
});
attachReader([database.app], history.reader);
const query = { protocol: 'teltonika', from: Number(from), to: Number(to) };
const catalogue = changedDecoder(await loadCatalogue(), attribute);
// undefined while another process has the positions
while (
  (await applyFrames(database, history, query, {
    knownLimits: { attributes: 500, valueBytes: 16_384 },
    clockLimits: { aheadMs: 300_000 },
    arrivedBefore: systemClock.now(),
    catalogue,
  })) === undefined
) {
  await setTimeout(100);
}
// the step was not reached
process.exit(1);
