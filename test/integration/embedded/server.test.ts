import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { stopSharedServer, withDatabase } from '../../support/postgres.ts';

afterAll(stopSharedServer);

test('a fresh database answers', async () => {
  await withDatabase(async (url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(
      "select current_setting('jit') as jit, current_setting('server_encoding') as encoding",
    );
    expect(rows).toEqual([{ jit: 'off', encoding: 'UTF8' }]);
    await client.end();
  });
});
