import { describe, expect, it } from 'vitest';
import type { AnalysisOptions, KnownPlace } from '../../../../src/server/tachograph/engine/index.ts';
import { analysed, minute, plan, short } from './plan.ts';

const MONDAY = '2026-03-02T00:00';
/** Five days from Monday 00:00, each of four hours: they end on Friday at 04:00, and 68 hours later the week. */
const FIVE = '(W4 R20)x4 W4';

type Case = readonly [title: string, plan: string, findings: readonly string[]];

function check(cases: readonly Case[], options: Partial<AnalysisOptions> = {}): void {
  it.each(cases)('%s', (_, text, expected) => {
    const own = analysed(plan(MONDAY, text), options).findings.filter(({ regulation }) => regulation === '561/2006');
    expect(own.map(short)).toEqual(expected);
  });
}

describe('weekly rest, article 8(6)', () => {
  check([
    ['a regular one each week', `(${FIVE} R68)x4 W1 R45`, []],
    // Six days of 24 hours end on Sunday at 00:00.
    ['begun on the last minute of six days', `(W4 R20)x5 W4 R19 W1 R45 W4 R24`, []],
    ['begun an hour too late', `(W4 R20)x5 W4 R19 W2 R45 W4 R24`, ['W1 8700/8640 MI']],
    ['begun three hours too late', `(W4 R20)x5 W4 R19 W4 R45 W4 R24`, ['W1 8820/8640 SI']],
    ['begun twelve hours too late', `(W5 R19)x6 W4 R4 W4 R45 W4 R24`, ['W1 9360/8640 VSI']],
    ['reduced in one of two weeks', `${FIVE} R68 ${FIVE} R30 W4 R20 W4 R34 ${FIVE} R100`, []],
    ['23 hours stand in for a reduced one', `(W4 R20)x4 W4 R23 (W4 R20)x5 W4 R48`, ['W2 1380/1440 MI']],
    ['of several the one that leaves the fewest findings', '(W4 R20)x9 W4 R68 W4 R24', ['W2 1200/1440 SI']],
    ['one of a lighter grade before it', '(W4 R20)x3 W4 R22 (W4 R20)x5 W4 R68 W4 R24', ['W2 1320/1440 MI']],
    [
      'two weeks: of two in a row one is due as a regular one',
      '(W4 R20)x16 W4 R68 W4 R24',
      ['W2 1200/2700 VSI', 'W2 1200/1440 SI'],
    ],
    ['21 hours too, and weigh more', `(W4 R20)x4 W4 R21 (W4 R20)x5 W4 R48`, ['W2 1260/1440 SI']],
  ]);

  const week = (rest: string): string => `${FIVE} R${rest}`;
  it('two reduced ones in a row: the longer of the two is too short', () => {
    const timeline = plan(MONDAY, `${week('68')} ${week('30')} ${FIVE} R40 (W4 R20)x4 W4 R90`);
    const found = analysed(timeline).findings.filter(({ rule }) => rule === 'W2');
    expect(found.map(short)).toEqual(['W2 2400/2700 SI']);
    expect(found[0]).toMatchObject({ article: '8(6)', remarks: ['derogation-possible', 'grade-from-memory'] });
    expect(found[0]!.evidence).toMatchObject([{ kind: 'rest', minutes: 2400 }]);
  });

  it.each([
    // Two weeks with a rest of 22 hours each, of which one had to be regular.
    ['a week', `${FIVE} R68 (W4 R20)x4 W4 R22 (W4 R20)x5 W4 R22 (W4 R20)x4 W4 R68`, 'goods'],
    // A rest of 43 hours after eleven days of an occasional service.
    ['twelve days', `${FIVE} R68 (W4 R20)x11 W4 R43 (W4 R20)x4 W4 R68`, 'occasional-passengers'],
  ] as const)('a rest too short in itself and for its week is one finding: %s', (_, text, service) => {
    const { findings } = analysed(plan(MONDAY, text), { service });
    const own = findings.filter(({ rule }) => rule === 'W2');
    expect(own.length).toBeGreaterThan(0);
    expect(new Set(own.map(({ from }) => from)).size).toBe(own.length);
    expect(new Set(findings.map(({ id }) => id)).size).toBe(findings.length);
    expect(own.map(short)).toEqual(
      service === 'goods' ? ['W2 1320/2700 VSI', 'W2 1320/1440 MI'] : ['W2 2580/4140 VSI'],
    );
  });

  it('a rest across the end of a week counts for one of the two weeks', () => {
    // From Saturday 7 March 22:00 to Monday 20:00; the second begins on Saturday 14 March at 00:00.
    const { weeklyRests, findings } = analysed(plan(MONDAY, `(W4 R20)x5 W4 R17 W1 R46 ${FIVE} R48`));
    expect(weeklyRests.map(({ week }) => week)).toEqual([minute('2026-03-02T00:00'), minute('2026-03-09T00:00')]);
    expect(findings.filter(({ rule }) => rule.startsWith('W'))).toEqual([]);
  });
});

describe('compensation, article 8(7)', () => {
  // Reduced by 15 hours in the second week, ended 13 March: due by the end of the week from 30 March, 5 April 24:00.
  const before = `${FIVE} R68 ${FIVE} R30 W4 R34`;
  const plainWeek = '(W4 R20)x4 W4 R68';

  it('is due by the end of the third week after', () => {
    const { weeklyRests, findings } = analysed(plan(MONDAY, `${before} ${FIVE} R45`));
    const reduced = weeklyRests.find(({ compensation }) => compensation !== null)!;
    expect(reduced.compensation).toMatchObject({ minutes: 660, dueBy: minute('2026-04-06T00:00') });
    expect(findings.filter(({ rule }) => rule === 'W3')).toEqual([]);
  });

  it('taken with a regular rest long enough for both', () => {
    const { weeklyRests, findings } = analysed(
      plan(MONDAY, `${before} ${plainWeek} ${plainWeek} ${plainWeek} ${plainWeek}`),
    );
    const reduced = weeklyRests.find(({ compensation }) => compensation !== null)!;
    expect(reduced.compensation!.takenFrom).not.toBeNull();
    expect(findings.filter(({ rule }) => rule === 'W3')).toEqual([]);
  });

  it('without compensation has no severity', () => {
    const bare = '(W4 R13 W6 R13 W6 R13 W6 R13 W6 R13 W6 R13 W6 R13 W3 R45)';
    const text = `${FIVE} R68 ${FIVE} R30 W4 R13 W10 R13 ${bare}x5`;
    const missing = analysed(plan(MONDAY, text)).findings.filter(({ rule }) => rule === 'W3');
    expect(missing.map(({ level, italian }) => [level, italian])).toContainEqual([null, null]);
    expect(missing[0]).toMatchObject({ article: '8(7)', limitMinutes: 900, actualMinutes: 0 });
  });
});

describe('two reduced rests in a row abroad, article 8(6) and (6b)', () => {
  const home = { establishment: 26, residence: 26 };
  const abroad = (...dates: string[]): KnownPlace[] =>
    dates.map((date) => ({ at: minute(date), country: 17, position: null, kind: 'end' }));
  // The longest rests of both weeks are of 34 hours, from Saturday 7 and 14 March at 14:00: eleven are lacking in each.
  const pair = `${FIVE} R30 W4 R34 ${FIVE} R30 W4 R34 ${FIVE}`;
  const rules = (text: string, places: KnownPlace[]): string[] =>
    analysed(plan(MONDAY, text), { home, places })
      .findings.filter(({ rule }) => rule.startsWith('W'))
      .map(short);
  const both = abroad('2026-03-07T14:00', '2026-03-14T14:00');

  it('are lawful if the next rest lasts 67 hours: 45 and both compensations', () => {
    expect(rules(`${pair} R68 ${FIVE} R68`, both)).toEqual([]);
  });

  it('and very serious where it is less', () => {
    expect(rules(`${pair} R66 ${FIVE} R68`, both)).toEqual(['W3 0/660 VSI', 'W3 0/660 VSI']);
  });

  it('are not where one began at home', () => {
    const other: KnownPlace[] = both.map((place, index) => (index === 1 ? { ...place, country: 26 } : place));
    expect(rules(`${pair} R68 ${FIVE} R68`, other)).toEqual(['W2 2040/2700 VSI']);
  });

  it('nor without evidence', () => {
    expect(rules(`${pair} R68 ${FIVE} R68`, [])).toEqual(['W2 2040/2700 VSI']);
  });
});

describe('twelve days of an occasional service with passengers, article 8(6a)', () => {
  const twelve = '(W4 R20)x11 W4';
  check(
    [
      ['twelve days, then a regular and a reduced rest', `${twelve} R69 W4 R11`, []],
      ['then less: 66 hours', `${twelve} R66 W4 R11`, ['W2 3960/4140 SI']],
      ['then 65', `${twelve} R65 W4 R11`, ['W2 3900/4140 VSI']],
      ['thirteen days', `(W4 R20)x12 W4 R70 W4 R11`, ['W1 17520/17280 SI']],
    ],
    { service: 'occasional-passengers' },
  );
});

describe('the compensation of the rests after twelve days, article 8(6a)', () => {
  const service = 'occasional-passengers';
  const twelve = '(W4 R20)x11 W4';
  // It ends on Friday 13 March at 04:00: the third week that follows ends on 5 April at 24:00.
  const dueBy = minute('2026-04-06T00:00');
  const week = (rest: string): string => `(W4 R20)x4 W4 R${rest}`;
  const rests = (text: string) => analysed(plan(MONDAY, text), { service }).weeklyRests;

  it('is the time that the reduced rest lacks and is taken with a later rest', () => {
    const [after] = rests(`${twelve} R80 ${week('68')} ${week('68')}`);
    expect(after!.compensation).toMatchObject({ minutes: 600, dueBy });
    expect(after!.compensation!.takenFrom).not.toBeNull();
  });

  it('does not exist after two regular ones', () => {
    expect(rests(`${twelve} R90 ${week('68')}`)[0]!.compensation).toBeNull();
  });

  it('does not compensate another rest: all of it is due', () => {
    // No daily rest has room for the eleven hours that the first one lacks.
    const days = (count: number): string => `(W5 R19)x${count} W5`;
    const [reduced, regular, after] = rests(`${week('34')} ${days(4)} R45 ${days(11)} R80 ${days(3)}`);
    expect([reduced, regular, after].map((rest) => rest!.minutes)).toEqual([2040, 2700, 4800]);
    expect(reduced!.compensation).toMatchObject({ minutes: 660, takenFrom: null });
  });

  it('without compensation has no severity', () => {
    const bare = 'W4 R13 W6 R13 W6 R13 W6 R13 W6 R13 W6 R13 W6 R13 W3 R45';
    const { findings } = analysed(plan(MONDAY, `${twelve} R69 (${bare})x4`), { service });
    const missing = findings.filter(({ rule }) => rule === 'W3');
    expect(missing.map((one) => [short(one), one.article])).toEqual([['W3 0/1260 -', '8(6a)']]);
    expect(missing[0]!.to).toBe(dueBy);
  });
});

describe('driving at night on twelve days, article 8(6a)', () => {
  // Nine days, of which the first nights are driven through: the week's rest came after more than six.
  const trip = (night: string): string => `W4 R18 ${night} R15 (W4 R20)x8 R70 W4 R11`;
  const breaksOf = (text: string, service: AnalysisOptions['service'] = 'occasional-passengers') =>
    analysed(plan(MONDAY, text), { service: service! })
      .findings.filter(({ rule }) => rule === 'B1')
      .map((one) => `${one.article} ${short(one)}`);
  it.each([
    ['three hours are lawful', 'D3', []],
    ['a minute more is not', 'D3:01', ['8(6a) B1 181/180 SI']],
    ['four and a half hours are very serious', 'D4:30', ['8(6a) B1 270/180 VSI']],
    ['with a break they are lawful', 'D3 R0:45 D3', []],
    ['two drivers have four and a half hours', 'D3:30+', []],
    ['before 22:00 it does not count', 'R21 D4:30', []],
    ['of two limits that are broken the graver one counts', 'D5', ['8(6a) B1 300/180 VSI']],
  ] as const)('%s', (_, night, expected) => {
    expect(breaksOf(trip(night))).toEqual(expected);
  });

  it('is unchanged if the weekly rest came in time', () => {
    expect(breaksOf('W4 R18 D3:30 R15 W4 R20 W4 R45 W4 R11')).toEqual([]);
    expect(breaksOf(trip('D3:30'), 'goods')).toEqual([]);
  });
});

describe('a daily rest an hour late, article 8(2a)', () => {
  const remarks = (text: string, service: 'goods' | 'occasional-passengers') =>
    analysed(plan(MONDAY, text), { service })
      .findings.filter(({ rule }) => rule === 'R1')
      .map(({ remarks }) => remarks.filter((remark) => remark !== 'grade-from-memory'));
  it.each([
    ['may be lawful on a trip', 'W16 R9 W1 R24', 'occasional-passengers', ['derogation-possible']],
    ['not with more than an hour', 'W16:01 R9 W1 R24', 'occasional-passengers', []],
    ['not after more than seven hours of driving', 'D4 R0:45 D3:01 W8:14 R9 W1 R24', 'occasional-passengers', []],
    ['not with goods', 'W16 R9 W1 R24', 'goods', []],
  ] as const)('%s', (_, text, service, expected) => {
    expect(remarks(text, service)).toEqual([expected]);
  });
});

describe('article 12', () => {
  const long = 'D4:30 R0:45 D4:30 R0:45';
  const justified = (text: string) =>
    analysed(plan(MONDAY, text))
      .findings.filter(({ rule }) => rule === 'D1')
      .map((one) => [short(one), one.justifiable?.allowedMinutes ?? null]);
  it.each([
    ['an hour more to reach a weekly rest', `${long} D1:55 R24`, [['D1 655/600 MI', 60]]],
    ['two hours after a break, to reach a regular one', `${long} D1 R0:30 D1:30 R45`, [['D1 690/600 SI', 120]]],
    ['without the break', `${long} D2:30 R45`, [['D1 690/600 SI', null]]],
    ['to a reduced one', `${long} D1 R0:30 D1:30 R24 W1 R24`, [['D1 690/600 SI', null]]],
    ['more than two hours', `${long} D1 R0:30 D2:05 R45`, [['D1 725/600 VSI', null]]],
    ['to a daily rest', `${long} D1:55 R11 W1 R24`, [['D1 655/600 MI', null]]],
  ] as const)('%s', (_, text, expected) => {
    expect(justified(text)).toEqual(expected);
  });

  it('is compensated by the end of the third week', () => {
    const [one] = analysed(plan(MONDAY, `${long} D1:55 R24`)).findings;
    expect(one!.justifiable).toEqual({ article: '12', allowedMinutes: 60, compensateBy: minute('2026-03-30T00:00') });
  });
});
