// Archives what devices have sent, or removes copies of it, and kills itself at a step: `<database URL> <step>`.
import { pino } from 'pino';
import { systemClock } from '../../dist/src/platform/clock.js';
import { openDatabase } from '../../dist/src/server/database/index.js';
import { forgetCopies } from '../../dist/src/server/tachograph/copies/index.js';
import { createFiles } from '../../dist/src/server/tachograph/files/service.js';
import { createReader } from '../../dist/src/server/tachograph/reader/index.js';
import { createRemoteDownloads } from '../../dist/src/server/tachograph/remote/index.js';

const [url, step] = process.argv.slice(2);
const log = pino({ level: 'silent' });
const database = await openDatabase({ url, log });
const die = () => process.kill(process.pid, 'SIGKILL');

if (step === 'archived') {
  const files = createFiles({
    pool: database.app,
    reader: createReader({ threads: 1, roots: [], script: undefined, log }),
    cursors: undefined,
    clock: systemClock,
    limits: { fileBytes: 1e7, uploadFiles: 10, uploadsAtOnce: 1, uploadBytes: 1e8, unpackedBytes: 1e8 },
    onChange() {},
  });
  const remote = createRemoteDownloads({
    ingest: database.ingest,
    // the archive has the file, and nobody has noted it
    files: {
      async addAll(...args) {
        await files.addAll(...args);
        die();
        await new Promise(() => {});
      },
    },
    clock: systemClock,
    log,
    requestFile: undefined,
    everyMs: 1e6,
    timeoutMs: 1e6,
    retryMs: 1e6,
  });
  await remote.run();
}

if (step === 'removed') {
  const connect = database.ingest.connect.bind(database.ingest);
  database.ingest.connect = async () => {
    const client = await connect();
    const query = client.query.bind(client);
    client.query = async (text, values) => {
      const answer = await query(text, values);
      if (String(text.text ?? text).includes('delete from device_file')) {
        if (answer.rows[0].removed !== 1) throw new Error('nothing was removed');
        die();
        await new Promise(() => {});
      }
      return answer;
    };
    return client;
  };
  await forgetCopies(database.ingest, 0, systemClock.now() + 2 * 86_400_000);
}
// the step was not reached
process.exit(1);
