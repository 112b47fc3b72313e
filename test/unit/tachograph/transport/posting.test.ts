import { describe, expect, it } from 'vitest';
import { countryCode } from '../../../../src/server/tachograph/engine/nations.ts';
import { purposesOf } from '../../../../src/server/tachograph/engine/transport/crossings.ts';
import { entered, ITALY, judge, line, nation, short } from './journey.ts';

/** A journey, its operations, and its postings. */
type Case = readonly [name: string, journey: string, operations: readonly string[], postings: readonly string[]];

const check = (cases: readonly Case[]): void => {
  it.each(cases)('%s', (_name, journey, operations, postings) => {
    const judged = judge(journey);
    expect(judged.operations.map(short)).toEqual(operations);
    expect(judged.postings.map(line)).toEqual(postings);
  });
};

const out = '2026-03-02T05:00 I begin, 2026-03-02T06:00 L, 2026-03-02T12:00 > A, 2026-03-02T18:00 > D';

describe('recorded operations, Directive 2020/1057 article 1', () => {
  check([
    ['1(3): bilateral from the state of establishment', `${out}, 2026-03-03T09:00 U`, ['I-D bilateral'], []],
    [
      '1(3): and back to it, with an empty journey between',
      `${out}, 2026-03-03T09:00 U, 2026-03-03T15:00 > F, 2026-03-03T17:00 L, 2026-03-04T08:00 > I, 2026-03-04T10:00 U`,
      ['I-D bilateral', 'F-I bilateral'],
      [],
    ],
    [
      '1(3): several places of unloading on the way',
      `${out.replace('18:00 > D', '14:00 U, 2026-03-02T18:00 > D')}, 2026-03-03T09:00 U`,
      ['I-A bilateral', 'I-D bilateral'],
      [],
    ],
    ['1(5): transit, here through Austria, is no posting', `${out}, 2026-03-03T09:00 U`, ['I-D bilateral'], []],
    [
      '1(7): cabotage, until the driver leaves with an international carriage',
      `${out}, 2026-03-03T09:00 U, 2026-03-03T11:00 L, 2026-03-04T15:00 U, 2026-03-05T08:00 L, 2026-03-05T12:00 > I, 2026-03-05T16:00 U`,
      ['I-D bilateral', 'D-D cabotage posted', 'D-I bilateral'],
      ['D 03-03..03-04 cabotage'],
    ],
    [
      'cross-trade between two bilateral operations is posted in both states, not in that of transit',
      `${out}, 2026-03-03T09:00 U, 2026-03-03T11:00 L, 2026-03-04T08:00 > B, 2026-03-04T12:00 > F, 2026-03-05T10:00 U, 2026-03-05T12:00 L, 2026-03-06T08:00 > I, 2026-03-06T10:00 U`,
      ['I-D bilateral', 'D-F cross-trade posted', 'F-I bilateral'],
      ['D 03-03..03-04 international', 'F 03-04..03-05 international'],
    ],
    [
      'an empty journey to cross-trade belongs to it',
      '2026-03-02T05:00 I begin, 2026-03-02T12:00 > F, 2026-03-03T06:00 > E, 2026-03-03T09:00 L, 2026-03-03T15:00 > P, 2026-03-04T09:00 U',
      ['E-P cross-trade posted'],
      ['F 03-02..03-03 international', 'E 03-03..03-03 international', 'P 03-03..03-04 international'],
    ],
    [
      'simultaneous loading and unloading is both',
      `${out}, 2026-03-03T09:00 LU, 2026-03-04T08:00 > I, 2026-03-04T10:00 U`,
      ['I-D bilateral', 'D-I bilateral'],
      [],
    ],
    ['without a loading nothing is decided', '2026-03-02T18:00 > D, 2026-03-03T09:00 U', ['?-D undetermined'], []],
    [
      'outside the Union nobody is posted by the directive',
      '2026-03-02T12:00 > CH, 2026-03-02T14:00 L, 2026-03-02T17:00 U',
      ['CH-CH cabotage'],
      [],
    ],
  ]);

  it('two loadings and two unloadings in three states are assigned in their order, and say so', () => {
    const { operations } = judge(
      `${out}, 2026-03-02T20:00 L, 2026-03-03T08:00 > F, 2026-03-03T09:00 U, 2026-03-03T12:00 U`,
    );
    expect(operations.map(({ isAssumed }) => isAssumed)).toEqual([true, true]);
  });
});

describe('activities in addition to a bilateral operation, article 1(3), third to fifth subparagraph', () => {
  const outward = entered('I 2026-03-02T06:00 F 2026-03-04T10:00', 'out');
  const back = entered('F 2026-03-05T06:00 I 2026-03-07T10:00', 'back');
  const on = (day: string, from: string, to: string, id: string) =>
    entered(`${from} 2026-03-${day}T08:00 ${to} 2026-03-${day}T18:00`, id);
  const additional = (carriages: ReturnType<typeof entered>[], options = {}) =>
    judge('', carriages, options).operations.map(({ id, isPosted }) => `${id} ${isPosted}`);

  it('one on the way out and one on the way back', () => {
    const carriages = [outward, on('03', 'A', 'D', 'a'), back, on('06', 'F', 'D', 'b')];
    expect(additional(carriages)).toEqual(['out false', 'a false', 'back false', 'b false']);
  });
  it('a second one on the way out is posted', () => {
    const carriages = [outward, on('02', 'A', 'D', 'a'), on('03', 'D', 'F', 'b')];
    expect(additional(carriages)).toEqual(['out false', 'a false', 'b true']);
  });
  it('two on the way back after none on the way out, and no third', () => {
    const carriages = [outward, back, on('05', 'F', 'D', 'a'), on('06', 'D', 'A', 'b'), on('07', 'F', 'A', 'c')];
    expect(additional(carriages)).toEqual(['out false', 'back false', 'a false', 'b false', 'c true']);
  });
  it('two on the way back after one on the way out: the second is posted', () => {
    const carriages = [outward, on('03', 'A', 'D', 'x'), back, on('05', 'F', 'D', 'a'), on('06', 'D', 'A', 'b')];
    expect(additional(carriages)).toEqual(['out false', 'x false', 'back false', 'a false', 'b true']);
  });
  it('loading and unloading in one state is cabotage', () => {
    expect(additional([outward, on('03', 'D', 'D', 'a')])).toEqual(['out false', 'a true']);
  });
  it('only with a tachograph that records borders and activities', () => {
    expect(additional([outward, on('03', 'A', 'D', 'a')], { isSmart: false })).toEqual(['out false', 'a true']);
  });
  it('for another state of establishment it is otherwise', () => {
    const { operations } = judge('', [outward], { establishment: nation('PL') });
    expect(operations.map(short)).toEqual(['I-F cross-trade posted']);
  });
});

it('what a person enters replaces what is recorded around it', () => {
  const journey = `${out}, 2026-03-03T09:00 U, 2026-03-04T09:00 L, 2026-03-04T15:00 U`;
  const { operations } = judge(journey, [entered('I 2026-03-02T06:00 D 2026-03-03T09:30')]);
  expect(operations.map((each) => `${each.source} ${short(each)}`)).toEqual([
    'entered I-D bilateral',
    'recorded D-D cabotage posted',
  ]);
});

it('stays abroad are loading, transit, unladen or undetermined', () => {
  const journey = `${out}, 2026-03-03T09:00 U, 2026-03-03T12:00 > B, 2026-03-03T15:00 > F, 2026-03-03T17:00 L, 2026-03-04T08:00 > I, 2026-03-04T10:00 U, 2026-03-09T08:00 > CH`;
  const { operations, stays } = judge(journey);
  const found = purposesOf(stays, operations, ITALY).map(
    ({ country, purpose }) => `${countryCode(country)} ${purpose}`,
  );
  expect(found).toEqual(['A transit', 'D loading', 'B unladen', 'F loading', 'CH undetermined']);
});

it('without the border the posting begins with the first record in the state, and is incomplete', () => {
  const { postings } = judge('', [
    entered('I 2026-03-02T06:00 D 2026-03-03T09:00', 'out'),
    entered('D 2026-03-03T10:00 F 2026-03-05T09:00', 'cross'),
  ]);
  expect(postings.map((each) => [line(each), each.isIncomplete])).toEqual([
    ['D 03-03..03-05 international', false],
    ['F 03-05..03-05 international', true],
  ]);
});
