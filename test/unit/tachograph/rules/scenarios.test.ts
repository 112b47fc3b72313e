import { describe, expect, it } from 'vitest';
import type { AnalysisOptions } from '../../../../src/server/tachograph/engine/index.ts';
import type { Condition } from '../../../../src/server/tachograph/engine/timeline/timeline.ts';
import { analysed, found, minute, plan, short } from './plan.ts';

/** Title, plan from Monday 2 March 2026 06:00 UTC, findings of 561/2006 worked out by hand. */
type Scenario = readonly [title: string, plan: string, findings: readonly string[]];

const MONDAY = '2026-03-02T06:00';
/** Nine hours of driving with a break in their middle. */
const NINE = 'D4:30 R0:45 D4:30';

function check(scenarios: readonly Scenario[], options: Partial<AnalysisOptions> = {}): void {
  it.each(scenarios)('%s', (_, text, expected) => {
    const own = analysed(plan(MONDAY, text), options).findings.filter(({ regulation }) => regulation === '561/2006');
    expect(own.map(short)).toEqual(expected);
  });
}

describe('breaks, article 7', () => {
  check([
    ['four and a half hours are lawful', 'D4:30 R0:45 D4:30 R11', []],
    ['a minute more is not', 'D4:31 R0:45 D4 R11', ['B1 271/270 MI']],
    ['five hours are serious', 'D5 R0:45 D4 R11', ['B1 300/270 SI']],
    ['six hours are very serious', 'D6 R0:45 D3 R11', ['B1 360/270 VSI']],
    ['other work is no break, and no driving', 'D2 W3 D2:30 R0:45 D4 R11', []],
    ['a break of 44 minutes does not count', 'D2:30 R0:44 D2:30 R11', ['B1 300/270 SI']],
    ['15 then 30 is a whole break', 'D2 R0:15 D2:30 R0:30 D4:30 R11', []],
    ['30 then 15 is not: the order counts', 'D2 R0:30 D2:30 R0:15 D2 R11', ['B1 390/270 VSI']],
    ['30 first counts as the part of 15', 'D2 R0:30 D2:30 R0:30 D4:30 R11', []],
    ['14 minutes are no first part', 'D2 R0:14 D2:30 R0:30 D1 R11', ['B1 330/270 SI']],
    ['three parts of 15 do not add up', 'D2 R0:15 D1:30 R0:15 D1 R0:15 D1 R11', ['B1 330/270 SI']],
    ['availability is no break', 'D3 A0:45 D2 R11', ['B1 300/270 SI']],
    ['beside a colleague who drives 45 minutes are a break', 'D4:30+ B0:45 D4:30+ R9', []],
    ['44 are not', 'D4:30+ B0:44 D0:15+ R9', ['B1 285/270 MI']],
    ['time without data may have been a break', 'D4 U0:45 D4 R11', []],
    ['a first part before any driving does not count', 'W1 R0:15 D4:30 R0:30 D4:30 R11', ['B1 540/270 VSI']],
    ['a whole break before it does', 'D4 R0:15 W1 R0:45 D4:30 R11', []],
    ['a break restarts after a complete one', 'D3 R0:15 D1:30 R0:45 D1 R0:30 D4 R11', ['B1 300/270 SI']],
  ]);

  describe('of occasional services with passengers', () => {
    check(
      [
        ['30 then 15 is a whole break', 'D2 R0:30 D2:30 R0:15 D4:30 R11', []],
        ['15 then 30 too', 'D2 R0:15 D2:30 R0:30 D4:30 R11', []],
        ['20 then 25, article 7 as amended by 2024/1258', 'D2 R0:20 D2:30 R0:25 D4:30 R11', []],
        ['three of 15 are not: there are two parts', 'D2 R0:15 D1 R0:15 D1:30 R0:15 D2 R11', ['B1 390/270 VSI']],
        ['a shorter part between two does no harm', 'D1 R0:30 D1 R0:10 D2:30 R0:15 D4:30 R11', []],
        ['30 alone does not count', 'D2 R0:30 D2:31 R11', ['B1 271/270 MI']],
      ],
      { service: 'occasional-passengers' },
    );
  });
});

it('says where practice differs about a break before any driving', () => {
  const remarksOf = (text: string) =>
    analysed(plan(MONDAY, text))
      .findings.filter(({ rule }) => rule === 'B1')
      .map(({ remarks }) => remarks);
  expect(remarksOf('W1 R0:15 D4:30 R0:30 D4:30 R11')).toEqual([['practice-differs']]);
  expect(remarksOf('D5 R0:45 D4 R11')).toEqual([[]]);
});

it('marks grades that were not compared with the published list, minor ones among them', () => {
  const marked = (text: string) =>
    analysed(plan(MONDAY, text)).findings.map(
      ({ rule, level, remarks }) => `${rule} ${level}${remarks.includes('grade-from-memory') ? ' marked' : ''}`,
    );
  expect(marked('D4:59 R0:45 D4 R11')).toEqual(['B1 MI marked']);
  expect(marked('D5 R0:45 D4 R11')).toEqual(['B1 SI']);
  expect(marked('(D4:30 R0:45)x2 D2 R7:30 D1 R11')).toEqual(['D1 SI', 'R1 SI marked']);
});

describe('daily driving, article 6(1)', () => {
  const day = (hours: string): string => `D4:30 R0:45 D4:30 R0:45 D${hours} R11`;
  check([
    ['nine hours', `${NINE} R11`, []],
    ['ten hours on two days of a week', `(${day('1')})x2`, []],
    ['on a third day it is too much, and the lightest is chosen', `(${day('1')})x3`, ['D1 600/540 SI']],
    [
      'of three long days the longest two are the extended ones',
      `${day('0:30')} ${day('1')} ${day('1')}`,
      ['D1 570/540 MI'],
    ],
    ['eleven hours with an extension left', day('2'), ['D1 660/600 SI']],
    ['twelve hours', day('3'), ['D1 720/600 VSI']],
    ['fifteen hours', `D4:30 R0:45 D4:30 R0:45 D4:30 R0:45 D1:30 R11`, ['D1 900/600 MSI', 'R1 405/540 VSI']],
    ['work out of scope is not driving', 'D4 R0:45 D4 R0:45 W3 R11', []],
    ['a rest of seven hours ends a day where a due one was cut short', `${NINE} R7 ${NINE} R11`, ['R1 420/540 SI']],
    ['one of less does not', `${NINE} R6:59 ${NINE} R11`, ['D1 1080/600 MSI', 'R1 419/540 VSI']],
  ]);

  it('has two extended days in every week', () => {
    const days = 'D4:30 R0:45 D4:30 R0:45 D1 R12:30 ';
    const text = `${days.repeat(2)} (D4 R0:45 D4 R15:15)x3 R48 ${days.repeat(2)}`;
    expect(found(plan(MONDAY, text))).toEqual([]);
    const { weeks, periods } = analysed(plan(MONDAY, text));
    expect(weeks.map(({ extendedDays }) => extendedDays)).toEqual([2, 2]);
    expect(periods.map(({ drivingLimit }) => drivingLimit)).toEqual([600, 600, 540, 540, 540, 600, 600]);
  });

  it('a shift over the end of a week belongs to the week in which its driving begins', () => {
    const sunday = plan('2026-03-08T20:00', 'D4:30 R0:45 D4:30 R0:45 D0:30 R11 D4:30 R0:45 D4:30 R0:45 D1 R11');
    expect(analysed(sunday).weeks.map(({ extendedDays }) => extendedDays)).toEqual([1, 1]);
  });
});

describe('driving of one and two weeks, article 6(2) and (3)', () => {
  // 9:20 a day, so that no day is too long but two: those are extended, and the others 9:00.
  const six = '(D4:30 R0:45 D4:30 R0:45 D1 R12:30)x2 (D4:30 R0:45 D4:30 R14:15)x4';
  check([
    ['56 hours', six, []],
    [
      'a minute more',
      `${six.replace(/R14:15\)x4/, 'R14:15)x3 D4:30 R0:45 D4:30 R14:14')} D0:01 R45`,
      ['D2 3361/3360 MI'],
    ],
  ]);

  it('counts from Monday 00:00 to Sunday 24:00', () => {
    const { weeks } = analysed(plan('2026-03-08T20:00', 'D4:30 R0:45 D4:30 R45'));
    expect(weeks.map(({ driving }) => driving)).toEqual([240, 300]);
  });

  it('finds more than ninety hours in each two weeks that follow each other', () => {
    const week = `(D4:30 R0:45 D4:30 R14:15)x5 R48 `;
    const long = `${six} R24 `;
    expect(found(plan(MONDAY, week + week))).toEqual([]);
    const two = analysed(plan(MONDAY, `${long}${week}`)).findings.filter(({ rule }) => rule === 'D3');
    expect(two.map(short)).toEqual(['D3 6060/5400 SI']);
    expect(two[0]).toMatchObject({ from: minute('2026-03-02T00:00'), to: minute('2026-03-16T00:00') });
    expect(two[0]!.evidence).toHaveLength(11);
    expect(two[0]!.evidence.reduce((sum, { minutes }) => sum + minutes, 0)).toBe(6060);
  });
});

describe('daily rest, article 8(2) and (4)', () => {
  const short9 = `${NINE} R9`;
  check([
    ['eleven hours', `W13 R11 W1 R24`, []],
    ['nine hours, three times between weekly rests', `(W13 R9)x3 W13 R24`, []],
    ['a fourth reduced rest is judged by eleven hours', `(W13 R9)x4 W13 R24`, ['R2 540/660 SI']],
    ['a weekly rest is none of the three: nine hours of it in the window suffice', `(W13 R9)x3 W14:30 R24 W1 R24`, []],
    ['but not less than nine', `(W13 R9)x3 W15:30 R24 W1 R24`, ['R1 510/660 SI']],
    ['after a weekly rest there are three again', `(W13 R9)x3 W13 R24 (W13 R9)x3 W13 R45`, []],
    ['8:20 where nine were due', `W13 R8:20 W1 R24`, ['R1 500/540 MI']],
    ['7:30', `W13 R7:30 W1 R24`, ['R1 450/540 SI']],
    ['none of seven hours', `W13 R6 W1 R24`, ['R1 360/540 VSI']],
    ['three hours, then nine: a split rest is regular', `W6 R3 W6 R9 W1 R24`, []],
    ['nine, then three is reduced', `W6 R9 W5 R3 W1 R24`, []],
    ['split rests do not use up reduced ones', `(W6 R3 W6 R9)x5 W1 R24`, []],
    ['two hours fifty-nine are no first part', `(W13 R9)x3 W6 R2:59 W6:01 R9 W1 R24`, ['R2 540/660 SI']],
    ['the second part of a split rest is 8:30', `(W13 R9)x3 W6 R3 W6:30 R8:30 W1 R24`, ['R1 510/540 MI']],
    ['guidance note 7: only what lies in the 24 hours counts', `W15:30 R11 W1 R24`, ['R1 510/540 MI']],
    ['guidance note 7: a rest begun at 15 hours is a reduced one', `W15 R11 W13 R24`, []],
    ['guidance note 7: that goes for a weekly rest too', `W16 R45`, ['R1 480/540 MI']],
    ['a rest that goes on beyond the window ends the day all the same', `W15:30 R11 W13 R11 W1 R24`, ['R1 510/540 MI']],
    ['twenty hours of work, then a rest: its part in the window counts', `W20 R11 W1 R24`, ['R1 240/540 VSI']],
    ['guidance note 3: an interrupted rest restarts', `W13 R5 W0:05 R5:55 W1 R24`, ['R1 355/540 VSI']],
    ['time without data may have been rest', `W13 U11 W13 U9 W1 R24`, []],
    [
      'article 4(g): below nine hours a rest is no reduced one, and uses up none of the three',
      `W13 R8:50 (W13 R9:30)x3 W13 R24`,
      ['R1 530/540 MI'],
    ],
    [
      'article 4(g): the fourth after a rest that was too short is one too many',
      `W13 R8:50 (W13 R9:30)x4 W13 R24`,
      ['R1 530/540 MI', 'R2 570/660 SI'],
    ],
    ['the data end: the rest is not over', short9, []],
  ]);

  it('lists each rest with its kind, its window and its parts', () => {
    const { periods } = analysed(plan(MONDAY, `W6 R3 W6 R9 W13 R9 W13 R11 W13 R24 W1 R12`));
    expect(periods.map(({ dailyRest }) => dailyRest.kind)).toEqual(['split', 'reduced', 'regular', 'weekly', 'open']);
    expect(periods[0]).toMatchObject({ from: minute(MONDAY), windowTo: minute('2026-03-03T06:00') });
    expect(periods[0]!.dailyRest).toMatchObject({
      from: minute('2026-03-02T21:00'),
      to: minute('2026-03-03T06:00'),
      minutes: 540,
      minutesInWindow: 540,
      firstPart: { from: minute('2026-03-02T12:00'), to: minute('2026-03-02T15:00') },
    });
    expect(periods.at(-1)!.dailyRest).toMatchObject({ to: null });
  });
});

describe('the way to a vehicle elsewhere, article 9(2) and guidance note 2', () => {
  // After three reduced rests eleven hours are due.
  const before = '(W13 R9)x3 W13';
  check([
    ['entered as other work it is no rest', `${before} R10 W1 W3 R24`, ['R2 600/660 MI']],
    ['nor entered as availability', `${before} R10 A1 W3 R24`, ['R2 600/660 MI']],
    ['before a rest too', `${before} A1 R10 W3 R24`, ['R2 600/660 MI']],
    ['with a bunk on board a ferry it is rest', `${before} R11 W3 R24`, []],
    ['it is no break from driving', 'D3 A0:45 D2 R11', ['B1 300/270 SI']],
  ]);
});

describe('crews, article 8(5)', () => {
  check([
    ['nine hours within thirty', 'D4:30+ B4:30 D4:30+ B7:30 R9 W1 R24', []],
    ['8:30 within thirty', 'D4:30+ B4:30 D4:30+ B8 R8:30 W1 R24', ['R3 510/540 MI']],
    ['7 within thirty', 'D4:30+ B4:30 D4:30+ B9:30 R7 W1 R24', ['R3 420/540 SI']],
    ['the second driver may come within the first hour', 'D1 D3:30+ B4:30 D4:30+ B7:30 R9 W1 R24', []],
    ['later it is one driver’s day', 'D1:30 D3+ B4:30 D4:30+ B7:30 R9 W1 R24', ['R1 180/540 VSI']],
    ['a stretch alone makes it one driver’s day', 'D4:30+ B4:30 D2+ B0:45 D2:30 B6:45 R9 W1 R24', ['R1 180/540 VSI']],
  ]);
});

describe('ferries and trains, article 9(1) and guidance note 6', () => {
  const ferry = (from: string, to: string | null): Condition => ({
    kind: 'ferry',
    from: minute(from),
    to: to === null ? null : minute(to),
  });
  const flagged = [ferry('2026-03-02T17:00', '2026-03-03T03:00')];
  const cases: readonly (readonly [string, string, readonly Condition[], readonly string[]])[] = [
    ['a rest interrupted twice for an hour in all', 'W10 R2 D0:30 R8 D0:30 R1 D1 R24', flagged, []],
    ['where only its beginning was flagged', 'W10 R2 D0:30 R8 D0:30 R1 D1 R24', [ferry('2026-03-02T18:15', null)], []],
    ['without a flag', 'W10 R2 D0:30 R8 D0:30 R1 D1 R24', [], ['R1 480/540 MI']],
    ['for more than an hour', 'W10 R2 D0:31 R8 D0:30 R1 D1 R24', flagged, ['R1 480/540 MI']],
    ['three times', 'W10 R2 D0:15 R2 D0:15 R6 D0:15 R1 D1 R24', flagged, ['R1 360/540 VSI']],
    ['a reduced daily rest may not be interrupted', 'W10 R2 D0:30 R8 D1 R24', flagged, ['R1 480/540 MI']],
    [
      'the second part of a split one may',
      'W5 R3 W5 R2 D0:30 R7 D1 R24',
      flagged.map((one) => ({ ...one, to: one.to! + 300 })),
      [],
    ],
    [
      'nor a regular weekly rest on a short crossing',
      'W10 R20 D0:30 R25 W1 R11',
      flagged.map((one) => ({ ...one, to: one.from + 420 })),
      [],
    ],
  ];
  it.each(cases)('%s', (_, text, conditions, expected) => {
    const own = analysed(plan(MONDAY, text, conditions)).findings.filter(({ regulation }) => regulation === '561/2006');
    expect(own.map(short)).toEqual(expected);
  });

  it('leaves the driving on and off board out of the day, and counts it in the week', () => {
    const timeline = plan(MONDAY, `${NINE} R2 D0:30 R8 D0:30 R1 D1 R24`, flagged);
    expect(found(timeline)).toEqual([]);
    const { periods, weeks } = analysed(timeline);
    expect(periods.map(({ driving }) => driving)).toEqual([540, 60]);
    expect(weeks[0]!.driving).toBe(540 + 60 + 60);
  });
});

describe('a regular weekly rest on a crossing whose end is not recorded (generation 1)', () => {
  /** A reduced weekly rest in the second week; on Thursday 19 March at 12:00 a regular one begins, on land. */
  const before = '(W4 R20)x4 W4 R48 W4 R16 (W4 R20)x4 W4 R30 W4 R12 (W4 R20)x4 W4';
  /** Driving on board on Friday at 13:00. */
  const trip = (aboard: string): string => `${before} R25 D0:20 R${aboard} D0:20 R24 (W4 R20)x3 W4 R11`;
  const flag = (from: string): Condition => ({ kind: 'ferry', from: minute(from), to: null });
  const judge = (text: string, conditions: readonly Condition[]) =>
    analysed(plan(MONDAY, text, conditions)).findings.filter(({ rule }) => rule.startsWith('W'));
  const [board, ashore] = [flag('2026-03-20T12:58'), flag('2026-03-21T00:19')];
  const undecided = {
    rule: 'W2',
    level: null,
    italian: null,
    remarks: ['derogation-possible'],
    derogation: { article: '9(1)', check: 'crossing-of-eight-hours' },
  };

  it.each([
    ['flags when driving on and off board', [board, ashore]],
    ['a flag when driving on board', [board]],
    ['a flag on board', [flag('2026-03-20T13:30')]],
  ])('may be lawful: %s', (_, conditions) => {
    expect(judge(trip('11'), conditions)).toMatchObject([undecided]);
  });

  it('is lawful with the end of a long crossing', () => {
    const known: Condition = { ...board, to: ashore.from };
    expect(judge(trip('11'), [known])).toEqual([]);
  });

  it.each([
    ['without a flag', '11', []],
    ['on a crossing too short by its flags', '5', [board, flag('2026-03-20T18:19')]],
    ['on a crossing too short by the time on board', '5', [board]],
  ])('is graded %s', (_, aboard, conditions) => {
    const [first] = judge(trip(aboard), conditions);
    expect(first).toMatchObject({ rule: 'W2', level: 'VSI' });
    expect(first!.italian).not.toBeNull();
  });

  it('may begin on board, after the flag', () => {
    const text = `${before} D0:20 R11 D0:20 R35 (W4 R20)x3 W4 R11`;
    expect(judge(text, [flag('2026-03-19T11:58')])).toMatchObject([undecided]);
  });
});

describe('out of scope', () => {
  it('driving is other work, and rest stays rest', () => {
    const outside: Condition = { kind: 'out-of-scope', from: minute(MONDAY), to: minute('2026-03-02T11:00') };
    expect(found(plan(MONDAY, 'D5 R0:45 D4 R11', [outside]))).toEqual([]);
    expect(analysed(plan(MONDAY, 'D5 R0:45 D4 R11', [outside])).days[0]).toMatchObject({ driving: 240, work: 300 });
    const part: Condition = { ...outside, from: minute('2026-03-02T07:00'), to: minute('2026-03-02T08:00') };
    expect(found(plan(MONDAY, 'D6 R0:45 D4 R11', [part]))).toEqual(['B1 300/270 SI']);
  });
});
