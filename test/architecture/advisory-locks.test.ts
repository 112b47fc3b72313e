import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './sources.ts';

/** Numbers of advisory locks, by the files that name them. One that two parts of the server use would hold up one of them. */
const LOCK = /\b4_?711_?902_?(\d{3})\b/g;
/** a lock that is taken in SQL too */
const SHARED = { 558: ['src/server/history/narrow/store.ts', 'src/server/history/sql/53-narrow-positions.sql'] };

test('each number of an advisory lock has one purpose', () => {
  const users = new Map<string, string[]>();
  for (const name of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(ts|sql)$/.test(name) || /migrations\/|schema\.sql$/.test(name)) continue;
    const file = join('src', name);
    for (const [, number = ''] of readFileSync(join(root, file), 'utf8').matchAll(LOCK)) {
      users.set(number, [...(users.get(number) ?? []), file]);
    }
  }
  expect(users.size).toBeGreaterThan(4);
  expect(Object.fromEntries([...users].filter(([, files]) => files.length > 1))).toEqual(SHARED);
});
