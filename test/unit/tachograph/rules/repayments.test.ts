import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { assignRepayments, type Owed, type Room } from '../../../../src/server/tachograph/engine/rules/repayments.ts';
import { analysed, minute, plan } from './plan.ts';

const MONDAY = minute('2026-03-02T00:00');
const WEEK = 10_080;
const SEED = 20_260_309;

/**
 * Weeks that end with a weekly rest of so many hours, on Sunday at 24:00. Daily rests of nine hours have no room for a
 * compensation.
 */
function weeksOf(hours: readonly number[]): string {
  const week = (rest: number): string => {
    const days = Math.floor((168 - rest - 1) / 24);
    return `${'W15 R9 '.repeat(days)}W${168 - rest - days * 24} R${rest}`;
  };
  return `${hours.map(week).join(' ')} W1`;
}

const compensationsOf = (hours: readonly number[]) => {
  const { weeklyRests, findings } = analysed(plan('2026-03-02T00:00', weeksOf(hours)));
  return {
    repaid: weeklyRests.flatMap(({ compensation }) =>
      compensation === null ? [] : [[compensation.minutes, compensation.takenFrom] as const],
    ),
    unpaid: findings.filter(({ rule }) => rule === 'W3').map(({ limitMinutes }) => limitMinutes),
  };
};
/** Begin of the rest that ends a week, the first being 0. */
const restOf = (week: number, hours: number): number => MONDAY + (week + 1) * WEEK - hours * 60;

describe('which rest compensates which reduced one, article 8(7)', () => {
  it('each debt is repaid in the next weekly rest, where that is enough for all', () => {
    // the 56 hours would be enough for the first debt too, and the 57 hours not for the second afterwards
    expect(compensationsOf([35, 57, 34, 56, 45, 45, 45, 45])).toEqual({
      repaid: [
        [600, restOf(1, 57)],
        [660, restOf(3, 56)],
      ],
      unpaid: [],
    });
  });

  it('one rest compensates several debts only if it is long enough for their sum', () => {
    expect(compensationsOf([35, 45, 34, 66, 45, 45, 45, 45])).toEqual({
      repaid: [
        [600, restOf(3, 66)],
        [660, restOf(3, 66)],
      ],
      unpaid: [],
    });
  });

  it('without a lawful assignment, as few minutes as possible remain', () => {
    // room for one of the two
    expect(compensationsOf([35, 45, 34, 65, 45, 45, 45, 45])).toEqual({
      repaid: [
        [600, null],
        [660, restOf(3, 65)],
      ],
      unpaid: [600],
    });
  });
});

/** Every assignment is tried; of those with the fewest minutes unpaid, the first that repays the earliest debt earliest. */
function exhaustive(debts: readonly Owed[], rooms: readonly Room[]): (Room | undefined)[] {
  const all = debts.reduce<(number | undefined)[][]>(
    (lists) => lists.flatMap((list) => [...rooms.keys(), undefined].map((room) => [...list, room])),
    [[]],
  );
  const isLawful = (list: readonly (number | undefined)[]): boolean =>
    rooms.every(({ from, spare }, room) => {
      const own = debts.filter((_, index) => list[index] === room);
      const inTime = own.every((debt) => {
        const before = own.filter(({ dueBy }) => dueBy <= debt.dueBy);
        return debt.from <= from && from + before.reduce((sum, { minutes }) => sum + minutes, 0) <= debt.dueBy;
      });
      return inTime && own.reduce((sum, { minutes }) => sum + minutes, 0) <= spare;
    });
  const unpaid = (list: readonly (number | undefined)[]): number =>
    debts.reduce((sum, { minutes }, index) => (list[index] === undefined ? sum + minutes : sum), 0);
  // `all` is in the order of preference
  let best = all.at(-1)!;
  for (const list of all) {
    if (!isLawful(list)) continue;
    if (unpaid(list) < unpaid(best)) best = list;
  }
  const first = all.find((list) => isLawful(list) && unpaid(list) === unpaid(best))!;
  return first.map((room) => (room === undefined ? undefined : rooms[room]));
}

const debt = fc
  .record({ minutes: fc.integer({ min: 1, max: 12 }), from: fc.nat(60), lasts: fc.integer({ min: 5, max: 40 }) })
  .map(({ minutes, from, lasts }) => ({ minutes, from, dueBy: from + lasts }));
const room = fc.record({ from: fc.nat(100), spare: fc.nat(25) });

test('random debts and rests have the assignment that a search of all finds', () => {
  fc.assert(
    fc.property(fc.array(debt, { maxLength: 4 }), fc.array(room, { maxLength: 5 }), (owed, rests) => {
      const debts = owed.toSorted((a, b) => a.dueBy - b.dueBy);
      const rooms = rests.toSorted((a, b) => a.from - b.from);
      expect(assignRepayments(debts, rooms)).toEqual(exhaustive(debts, rooms));
    }),
    { seed: SEED, numRuns: 2_000 },
  );
});

test('random histories have the repayments that a search of all finds', () => {
  const reduced = fc.integer({ min: 24, max: 44 });
  const regular = fc.integer({ min: 45, max: 80 });
  // no two reduced rests in a row: they are another infringement
  const history = fc
    .array(fc.tuple(fc.option(reduced), regular), { minLength: 2, maxLength: 5 })
    .map((pairs) => pairs.flatMap(([first, second]) => (first === null ? [second] : [first, second])));
  fc.assert(
    fc.property(history, (hours) => {
      const end = MONDAY + hours.length * WEEK;
      const debts = hours.flatMap((rest, week) =>
        rest < 45
          ? [{ minutes: 2700 - rest * 60, from: MONDAY + (week + 1) * WEEK, dueBy: MONDAY + (week + 4) * WEEK }]
          : [],
      );
      const rooms = [
        ...hours.flatMap((rest, week) => (rest > 45 ? [{ from: restOf(week, rest), spare: rest * 60 - 2700 }] : [])),
        // what follows the data is not known, and may be rest
        { from: end + 60, spare: Number.POSITIVE_INFINITY },
      ];
      const expected = exhaustive(debts, rooms);
      const { repaid, unpaid } = compensationsOf(hours);
      expect(repaid).toEqual(debts.map(({ minutes }, index) => [minutes, expected[index]?.from ?? null]));
      const overdue = debts.filter(({ dueBy }, index) => expected[index] === undefined && dueBy <= end + 60);
      expect(unpaid).toEqual(overdue.map(({ minutes }) => minutes));
    }),
    { seed: SEED, numRuns: 150 },
  );
});

test('four years with a debt each week, for which there are rests in every second week, are searched', () => {
  const debts = Array.from({ length: 200 }, (_, index) => ({
    minutes: 300 + (index % 7),
    from: index * WEEK,
    dueBy: (index + 4) * WEEK,
  }));
  const rooms = Array.from({ length: 1_400 }, (_, day) => ({ from: day * 1440, spare: day % 14 === 0 ? 310 : 299 }));
  expect(assignRepayments(debts, rooms).filter((each) => each !== undefined)).toHaveLength(100);
});
