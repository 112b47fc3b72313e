import { expect, it } from 'vitest';
import { createArenas } from '../../../src/server/database/arena.ts';

it('allocates pieces that do not overlap, and new memory when it is full', () => {
  const arena = createArenas(100, 1).borrow();
  const pieces = [arena.take(40), arena.take(60), arena.take(1), arena.take(500)];
  expect(pieces.map(({ length }) => length)).toEqual([40, 60, 1, 500]);
  for (const [index, piece] of pieces.entries()) piece.fill(index + 1);
  expect(pieces.map((piece) => new Set(piece))).toEqual([new Set([1]), new Set([2]), new Set([3]), new Set([4])]);
  const memories = new Set(pieces.map(({ buffer }) => buffer));
  expect(memories.size).toBe(3);
});

it('reuses released memory, and keeps no more than its limit', () => {
  const arenas = createArenas(100, 1);
  const [first, second] = [arenas.borrow(), arenas.borrow()];
  const memory = first.take(10).buffer;
  expect(second.take(10).buffer).not.toBe(memory);
  arenas.release(first);
  arenas.release(second);
  expect(arenas.borrow().take(100).buffer).toBe(memory);
  expect(arenas.borrow().take(100).buffer).not.toBe(memory);
});
