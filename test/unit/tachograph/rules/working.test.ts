import { describe, expect, it } from 'vitest';
import type { AnalysisOptions } from '../../../../src/server/tachograph/engine/index.ts';
import { analysed, minute, plan, short } from './plan.ts';

const MONDAY = '2026-03-02T06:00';

function check(
  cases: readonly (readonly [title: string, plan: string, findings: readonly string[]])[],
  options: Partial<AnalysisOptions> = {},
): void {
  it.each(cases)('%s', (_, text, expected) => {
    const own = analysed(plan(MONDAY, text), options).findings.filter(({ regulation }) => regulation === '2002/15');
    expect(own.map(short)).toEqual(expected);
  });
}

describe('breaks at work, Directive 2002/15 art. 5', () => {
  check([
    ['six hours without one', 'W6 R12', []],
    ['a minute more: thirty are due', 'W6:01 R12', ['TB6 0/30 VSI']],
    ['nine hours with thirty', 'W4:30 R0:30 W4:30 R12', []],
    ['nine hours and a minute: 45 are due', 'W4:30 R0:30 W4:31 R12', ['TB6 30/45 SI']],
    ['nine hours and a minute with twenty', 'W4:30 R0:20 W4:31 R12', ['TB6 20/45 VSI']],
    ['fifteen of thirty', 'W4 R0:15 W3 R12', ['TB6 15/30 SI']],
    ['twenty of thirty', 'W4 R0:20 W3 R12', ['TB6 20/30 SI']],
    ['more than twenty has no grade', 'W4 R0:21 W3 R12', ['TB6 21/30 -']],
    ['nor has more than thirty of 45', 'W5 R0:31 W5 R12', ['TB6 31/45 -']],
    ['three parts of fifteen', 'W3 R0:15 W3 R0:15 W3 R0:15 W1 R12', []],
    ['parts of fourteen do not count', 'W3 R0:14 W2 R0:14 W2 R12', ['TB6 0/30 VSI']],
    ['enough in all, and too long at once', 'W2 R0:45 W6:01 R12', ['TB6 361/360 -']],
    ['availability is no work', 'W5 A3 W1 R12', []],
  ]);
  describe('where availability is work', () => {
    check([['it counts', 'W5 A3 W1 R12', ['TB6 0/30 VSI']]], { availabilityAsWork: true });
  });
});

describe('night work, art. 7', () => {
  // From 06:00: 22 hours later it is 04:00, so that work must lie between 00:00 and 04:00.
  const day = (start: string, text: string) =>
    analysed(plan(start, text))
      .findings.filter(({ rule }) => rule === 'TN')
      .map(short);
  it.each([
    ['ten hours', '2026-03-02T18:00', 'W5 R1 W5 R11', []],
    ['a minute more', '2026-03-02T18:00', 'W5 R1 W5:01 R11', ['TN 601/600 -']],
    ['eleven', '2026-03-02T18:00', 'W5 R1 W6 R11', ['TN 660/600 SI']],
    ['thirteen', '2026-03-02T18:00', 'W5 R1 W5 R1 W3 R11', ['TN 780/600 VSI']],
    ['by day there is no such limit', '2026-03-02T06:00', 'W5 R1 W6 R11', []],
    ['from 04:00 on neither', '2026-03-02T04:00', 'W5 R1 W6 R11', []],
  ] as const)('%s', (_, start, text, expected) => {
    expect(day(start, text)).toEqual(expected);
  });

  it('is defined by the tenant in local time', () => {
    // 03:30 to 04:30 in Rome is 02:30 to 03:30 UTC in winter, and 01:30 to 02:30 in summer.
    const night = { from: 210, to: 270, zone: 'Europe/Rome' };
    const touches = (start: string): number =>
      analysed(plan(start, 'W5 R1 W6 R11'), { night }).findings.filter(({ rule }) => rule === 'TN').length;
    expect([touches('2026-03-02T03:00'), touches('2026-03-02T03:30')]).toEqual([1, 0]);
    expect([touches('2026-07-06T02:00'), touches('2026-07-06T02:30')]).toEqual([1, 0]);
  });
});

describe('working weeks, art. 4', () => {
  const week = (hours: string): string => `(W5 R1 W5 R13)x5 W${hours} R${24 - Number(hours)} R24`;
  check([
    ['sixty hours', week('10').replace('W10', 'W5 R1 W5'), []],
    ['61', `(W5 R1 W5 R13)x5 W5 R1 W6 R12 R24`, ['T60 3660/3600 -']],
    ['65', `(W5 R1 W6 R12)x5 W5 R1 W5 R13 R24`, ['T60 3900/3600 SI']],
    ['70', `(W5 R1 W5 R0:15 W1:40 R11:05)x6 R24`, ['T60 4200/3600 VSI']],
  ]);

  it('averages over four months and reports infringements that the known work alone proves', () => {
    // January to April 2026 has 120 days: 48 hours a week are 49,371 minutes. 69 hours in 16 weeks are 66,240.
    const text = `((W5 R1 W6:30 R11:30)x6 R24)x16`;
    const { references, findings } = analysed(plan('2026-01-05T06:00', text));
    expect(references[0]).toMatchObject({ from: minute('2026-01-01T00:00'), to: minute('2026-05-01T00:00') });
    expect(references[0]).toMatchObject({ workingTime: 66_240, complete: false, limitWeekly: 2880 });
    const average = findings.filter(({ rule }) => rule === 'T48');
    // 66,240 minutes in 120 days are 3,864 in seven.
    expect(average.map(short)).toEqual(['T48 3864/2880 VSI']);
    const long = analysed(plan('2026-01-05T06:00', text), { referenceMonths: 6 });
    expect(long.references[0]!.to).toBe(minute('2026-07-01T00:00'));
    expect(long.findings.filter(({ rule }) => rule === 'T48')).toEqual([]);
  });

  it('sums days and weeks by kind', () => {
    const { days, weeks } = analysed(plan(MONDAY, 'D4 W1 A2 R17 D1 R5'));
    expect(days[0]).toMatchObject({ date: '2026-03-02', driving: 240, work: 60, availability: 120, workingTime: 300 });
    expect(days[0]).toMatchObject({ rest: 660, unknown: 360 });
    expect(weeks[0]).toMatchObject({ driving: 300, work: 60, availability: 120, workingTime: 360 });
  });
});
