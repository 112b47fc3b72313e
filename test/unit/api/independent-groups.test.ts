import fc from 'fast-check';
import { expect, it } from 'vitest';
import { independentGroups } from '../../../src/server/kernel/records/independent-groups.ts';

const items = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'), { maxLength: 3 }));

it('keeps every item in its order, and never puts two with a common key into one group', () => {
  fc.assert(
    fc.property(items, (keys) => {
      const groups = [...independentGroups(keys, (own) => own)];
      expect(groups.flat()).toEqual(keys);
      for (const group of groups) {
        const all = group.flatMap((own) => [...new Set(own)]);
        expect(new Set(all).size).toBe(all.length);
        expect(group.length).toBeGreaterThan(0);
      }
    }),
  );
});

it('puts at most six items into a group', () => {
  const groups = [
    ...independentGroups(
      Array.from({ length: 14 }, (_, n) => String(n)),
      (own) => [own],
    ),
  ];
  expect(groups.map(({ length }) => length)).toEqual([6, 6, 2]);
});
