import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lateLevel, weeklyRestLevel } from '../../../../src/server/tachograph/engine/rules/grades.ts';
import { pausesOf } from '../../../../src/server/tachograph/engine/rules/pauses.ts';
import { segmentsOf } from '../../../../src/server/tachograph/engine/rules/segments.ts';
import { weeklyChain } from '../../../../src/server/tachograph/engine/rules/weekly.ts';
import { plan } from './plan.ts';

const WORK = 4;
const SIX_DAYS = 144;
const GRADES = ['VSI', 'SI', 'MI'];

/**
 * All choices of rests of 20 to 24 hours that substitute weekly ones, each judged alone: every rest of 24 hours is a weekly
 * one (article 4(h)), and begins in six times 24 hours of the end of the one before (8(6)) or is too late.
 */
function lightest(rests: readonly number[]): number[] {
  const begins = rests.map(
    (_, index) => rests.slice(0, index).reduce((sum, rest) => sum + rest, 0) + WORK * (index + 1),
  );
  const short = rests.flatMap((rest, index) => (rest >= 20 && rest < 24 ? [index] : []));
  let best: number[] | undefined;
  for (let choice = 0; choice < 1 << short.length; choice++) {
    const chosen = new Set(short.filter((_, bit) => (choice & (1 << bit)) !== 0));
    const cost = costOf(rests, begins, chosen);
    if (cost !== undefined && (best === undefined || isLess(cost, best))) best = cost;
  }
  return best!.slice(0, 3);
}

function costOf(
  rests: readonly number[],
  begins: readonly number[],
  chosen: ReadonlySet<number>,
): number[] | undefined {
  const cost = [0, 0, 0, 0];
  const count = (level: string | null, minutes: number): void => {
    const index = GRADES.indexOf(level ?? '');
    if (index >= 0) cost[index]!++;
    cost[3]! += minutes;
  };
  let ended = 0;
  for (const [index, rest] of rests.entries()) {
    if (rest < 24 && !chosen.has(index)) continue;
    const delay = begins[index]! - ended - SIX_DAYS;
    if (chosen.has(index)) {
      // it substitutes a weekly rest that does not come in time, and weighs less than the delay of the next one
      const next = rests.findIndex((each, at) => at > index && each >= 24);
      const late = begins[next]! - ended - SIX_DAYS;
      const level = weeklyRestLevel(1_440, rest * 60);
      if (delay > 0 || late <= 0) return undefined;
      if (GRADES.indexOf(level ?? '') <= GRADES.indexOf(lateLevel(late * 60) ?? '')) return undefined;
      count(level, (24 - rest) * 60);
    } else if (delay > 0) count(lateLevel(delay * 60), delay * 60);
    ended = begins[index]! + rest;
  }
  return cost;
}

const isLess = (a: readonly number[], b: readonly number[]): boolean => {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index >= 0 && a[index]! < b[index]!;
};

it('the chain of weekly rests is the lightest of all, article 8(6)', () => {
  const rest = fc.constantFrom(11, 13, 20, 20, 21, 22, 23, 30, 46);
  fc.assert(
    fc.property(fc.array(rest, { minLength: 1, maxLength: 22 }), (lengths) => {
      // the last rest is long, whatever comes after the data
      const rests = [...lengths.slice(0, -1), 50];
      fc.pre(rests.filter((each) => each >= 20 && each < 24).length <= 12);
      const timeline = plan('2026-03-02T00:00', rests.map((each) => `W${WORK} R${each}`).join(' '));
      const { drafts } = weeklyChain(pausesOf(segmentsOf(timeline, 'unknown'), []), false);
      expect(GRADES.map((grade) => drafts.filter(({ level }) => level === grade).length)).toEqual(lightest(rests));
    }),
    { numRuns: 300 },
  );
});
