import { expect, test } from 'vitest';
import { asRepeated, simplify } from '../../../src/server/kernel/http/document/simplify.ts';

const nothing = { type: 'null' };

test('a list or null is one type, not a choice of two schemas', () => {
  const list = { type: 'array', items: { type: 'string' } };
  expect(simplify({ description: 'd', anyOf: [list, nothing] })).toEqual({
    ...list,
    description: 'd',
    type: ['array', 'null'],
  });
  const text = { anyOf: [{ type: 'string', format: 'date-time' }, nothing] };
  expect(simplify(text)).toEqual(text);
});

test('any value or null is any value', () => {
  expect(simplify({ description: 'd', anyOf: [{}, nothing] })).toEqual({ description: 'd' });
});

test('numbers to choose from are whole numbers if all of them are', () => {
  expect(simplify({ type: 'number', enum: [0, 100] })).toEqual({ type: 'integer', enum: [0, 100] });
  expect(simplify({ type: 'number', enum: [0.5, 1] })).toEqual({ type: 'number', enum: [0.5, 1] });
});

test('a query parameter that may be repeated is a list', () => {
  const list = { type: 'array', items: { type: 'string' }, minItems: 1 };
  expect(asRepeated({ description: 'd', anyOf: [{ type: 'string' }, list] })).toEqual({ ...list, description: 'd' });
  const instant = { anyOf: [{ type: 'integer' }, { type: 'string' }] };
  expect(asRepeated(instant)).toEqual(instant);
});
