import { statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isDatabaseAway } from '../../../src/server/database/pool.ts';

const missing = join(tmpdir(), 'nowhere', '.s.PGSQL.5432');

test('a socket that is not there is a database that is away, another file is not', async () => {
  const refused = await new Promise((resolve) => connect(missing).on('error', resolve));
  expect(isDatabaseAway(refused)).toBe(true);
  expect(isDatabaseAway(await statfs(missing).catch((error: unknown) => error))).toBe(false);
});
