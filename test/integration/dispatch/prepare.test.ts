import type pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createLog } from '../../../src/platform/log.ts';
import { prepareJobTables } from '../../../src/server/commands/dispatch/queue/index.ts';
import { MigrationError, openDatabase } from '../../../src/server/database/index.ts';
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

test('a right that the owner lacks to prepare the database is an error of the setting, and its connection is closed', async () => {
  const url = await withDatabase(async (own) => own);
  const sessions: pg.Client[] = [];
  const prepare = async (owner: pg.Client): Promise<void> => {
    sessions.push(owner);
    await owner.query('set role fleetgate_app');
    await owner.query('create schema jobs');
  };
  const opening = openDatabase({ url, log: createLog('test', 'silent'), prepare });
  await expect(opening).rejects.toThrow(MigrationError);
  await expect(opening).rejects.toThrow(/^The user of DATABASE_URL lacks a right: permission denied for database/);
  await expect(sessions[0]!.query('select')).rejects.toThrow(/closed|end/);
});
