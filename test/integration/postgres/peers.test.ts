import { afterAll, expect, test } from 'vitest';
import { createLog } from '../../../src/platform/log.ts';
import { type Database, openDatabase, type Peers, startPeers } from '../../../src/server/database/index.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

const databases: Database[] = [];
afterAll(async () => {
  for (const database of databases) await database.close();
  await dropDatabases();
});

test('processes of a database learn of each other, and that one has ended', async () => {
  const url = await withDatabase(async (own) => own);
  let now = 0;
  const start = async (): Promise<Peers> => {
    const database = await openDatabase({ url, log: createLog('test', 'silent') });
    databases.push(database);
    // only starts and ends are notified: the interval is longer than this test
    return startPeers({
      pool: database.ingest,
      listener: database.listener,
      monotonic: () => now,
      everyMs: 3_600_000,
    });
  };
  const first = await start();
  const second = await start();
  await until(() => first.count() === 1 && second.count() === 1);
  const third = await start();
  await until(() => [first, second, third].every((peers) => peers.count() === 2));
  await third.stop();
  await until(() => first.count() === 1 && second.count() === 1);
  now = 4 * 3_600_000;
  expect([first.count(), second.count()], 'of those that nothing is heard from').toEqual([0, 0]);
  await first.stop();
  await second.stop();
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
