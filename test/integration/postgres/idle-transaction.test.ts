import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../../src/server/database/index.ts';
import { createPool, isDatabaseAway } from '../../../src/server/database/pool.ts';
import { silent } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

afterAll(dropDatabases);

test('what a frozen process had locked is free for others after a while', async () => {
  const pool = await withDatabase(async (url) =>
    createPool({ database: { url }, name: 'frozen', max: 2, idleInTransactionMs: 300 }, silent),
  );
  try {
    const frozen = await pool.connect();
    await frozen.query('begin');
    await frozen.query('select pg_advisory_xact_lock(1)');
    // waits for the lock of a session that says nothing more
    await pool.query('select pg_advisory_xact_lock(1)');
    const error = await frozen.query('commit').then(
      () => undefined,
      (reason: unknown) => reason,
    );
    frozen.release(true);
    expect(isDatabaseAway(error)).toBe(true);
  } finally {
    await pool.end();
  }
});

test('every pool of the API has such a limit', async () => {
  const database = await withDatabase((url) => openDatabase({ url, log: silent }));
  try {
    for (const pool of [database.app, database.streams, database.ingest]) {
      const { rows } = await pool.query('show idle_in_transaction_session_timeout');
      expect(rows).toEqual([{ idle_in_transaction_session_timeout: '15s' }]);
    }
  } finally {
    await database.close();
  }
});
