import { expect, test } from 'vitest';
import { createRecentIds } from '../../../src/server/ingest/batches/positions/recent-ids.ts';

const id = 'AAECAwQFBgcICQoLDA0ODw';
const time = Date.UTC(2026, 4, 1);

test('a record that is sent again is known', () => {
  const ids = createRecentIds();
  expect(ids.note([{ id, time }])).toBe(false);
  expect(ids.note([{ id, time }])).toBe(true);
});

test('an equal answer at another time is another record', () => {
  const ids = createRecentIds();
  ids.note([{ id, time }]);
  expect(ids.note([{ id, time: time + 1 }])).toBe(false);
  expect(ids.note([{ id, time: time + 2 ** 32 }])).toBe(false);
});
