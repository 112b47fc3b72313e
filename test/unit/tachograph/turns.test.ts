import { expect, test } from 'vitest';
import { createTurns } from '../../../src/server/tachograph/reader/turns.ts';

test('owners take turns, each in its own order', () => {
  const turns = createTurns<string>();
  for (const item of ['a1', 'a2', 'a3']) turns.push(1, item);
  turns.push(2, 'b1');
  turns.push(undefined, 'server');
  expect(turns.size).toBe(5);
  const taken = [turns.next()];
  turns.push(3, 'c1');
  while (turns.size > 0) taken.push(turns.next());
  expect(taken).toEqual(['a1', 'b1', 'server', 'a2', 'c1', 'a3']);
  expect(turns.next()).toBeUndefined();
});
