import { describe, expect, test } from 'vitest';
import { matchesPattern } from '../../../../src/server/commands/api/privileged.ts';

describe('a tenant’s pattern', () => {
  test.each([
    ['relay', 'set RELAY on', true],
    ['relay', 'replay', false],
    ['set*on', 'please set the relay on', true],
    ['set*on', 'on set', false],
    ['*out*1*', 'setdigout 1', true],
    ['a*b*c', 'acb', false],
    ['aa*aa', 'aaa', false],
    ['.', 'anything', false],
    ['***', 'anything', false],
  ])('%s in %s: %s', (pattern, text, matches) => {
    expect(matchesPattern([pattern], [text])).toBe(matches);
  });

  test('is matched in time linear in the length of the text', () => {
    const pattern = 'a*'.repeat(99);
    expect(matchesPattern([`${pattern}b`], ['a'.repeat(1_000_000)])).toBe(false);
  });
});
