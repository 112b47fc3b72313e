import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RouteList } from '../../../../src/server/movement/api/route-list.ts';
import type { Route } from '../../../../src/server/movement/api/trips.ts';

const routeCalled = (id: string): Route => ({ id }) as Route;

test('pages of routes that are found in any order of vehicles are those of the whole', () => {
  const fleet = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fleet, fc.integer({ min: 1, max: 5 }), fc.infiniteStream(fc.nat()), (counts, limit, order) => {
      const whole = counts.flatMap((count, v) => Array.from({ length: count }, (_, n) => `${v}-${n}`));
      const seen: string[] = [];
      let place = { first: 0, skipped: 0 };
      for (let page = 0; page <= whole.length; page++) {
        const list = new RouteList(counts.length, limit + 1, place);
        const left = counts.map((count) => ({ count, n: 0 }));
        for (let i = 0; i < whole.length; i++) {
          const open = [...left.keys()].filter((v) => left[v]!.n < left[v]!.count);
          const v = open[(order.next().value as number) % open.length]!;
          list.add(v, routeCalled(`${v}-${left[v]!.n++}`));
        }
        seen.push(...list.routes.slice(0, limit).map(({ id }) => id));
        if (list.routes.length <= limit) break;
        place = list.placeOf(limit);
      }
      expect(seen).toEqual(whole);
    }),
  );
});

test('no more are kept than can be asked for', () => {
  const list = new RouteList(3, 10);
  for (let n = 0; n < 1_000; n++) list.add(1, routeCalled(`b${n}`));
  for (let n = 0; n < 4; n++) list.add(0, routeCalled(`a${n}`));
  for (let n = 0; n < 1_000; n++) {
    expect(list.wants(2)).toBe(false);
    list.add(2, routeCalled(`c${n}`));
  }
  expect(list.routes.map(({ id }) => id)).toEqual(['a0', 'a1', 'a2', 'a3', 'b0', 'b1', 'b2', 'b3', 'b4', 'b5']);
});
