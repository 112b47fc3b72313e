import { afterAll, expect, test } from 'vitest';
import { prepareJobTables } from '../../../src/dispatch/queue/index.ts';
import { createLog } from '../../../src/platform/log.ts';
import { openDatabase } from '../../../src/platform/postgres/index.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

afterAll(dropDatabases);

test('processes that start at once on a new database all find it prepared', async () => {
  const url = await withDatabase(async (own) => own);
  const log = createLog('test', 'silent');
  const small = { appConnections: 1, ingestConnections: 1, streamConnections: 1 };
  const opened = await Promise.allSettled(
    Array.from({ length: 8 }, () => openDatabase({ url, log, prepare: prepareJobTables, ...small })),
  );
  const reasons = opened.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  await Promise.all(opened.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)));
  expect(reasons).toEqual([]);
});
