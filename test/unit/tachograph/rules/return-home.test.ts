import { describe, expect, it } from 'vitest';
import type { AnalysisOptions } from '../../../../src/server/tachograph/engine/index.ts';
import { analysed, minute, plan } from './plan.ts';

const MONDAY = '2026-03-02T00:00';
const WEEK = 7 * 1_440;
/** Five days from Monday 00:00, which end on Friday at 04:00. */
const FIVE = '(W4 R20)x4 W4';
const ITALY = 26;
const FRANCE = 17;
const UNKNOWN = 0;

/** Where each weekly rest of `FIVE` begins, week by week. */
const places = (countries: readonly number[]): NonNullable<AnalysisOptions['places']> =>
  countries.map((country, week) => ({
    at: minute(MONDAY) + week * WEEK + 4 * 1_440 + 240,
    kind: 'end' as const,
    country: country === UNKNOWN ? null : country,
    position: null,
  }));
const home = { establishment: ITALY, residence: ITALY };
const returns = (text: string, countries: readonly number[]) =>
  analysed(plan(MONDAY, text), { home, places: places(countries) }).notices.filter(
    ({ kind }) => kind === 'return-home',
  );

describe('return home, article 8(8a)', () => {
  // "within each period of four consecutive weeks"; a week is Monday 00:00 to Sunday 24:00 (article 4(i))
  it.each<readonly [string, string, readonly number[], readonly string[]]>([
    [
      'four weeks without a regular rest at home',
      `(${FIVE} R68)x6`,
      [FRANCE, FRANCE, FRANCE, FRANCE, ITALY, ITALY],
      ['2026-03-02'],
    ],
    [
      'counted from the week after the last one at home',
      `(${FIVE} R68)x6`,
      [ITALY, FRANCE, FRANCE, FRANCE, FRANCE, ITALY],
      ['2026-03-09'],
    ],
    [
      'eight weeks are two periods',
      `(${FIVE} R68)x9`,
      [...Array<number>(8).fill(FRANCE), ITALY],
      ['2026-03-02', '2026-03-30'],
    ],
    [
      'a reduced rest at home is no return, nor does it shorten the time',
      `(${FIVE} R68)x2 ${FIVE} R30 W4 R34 ${FIVE} R68 ${FIVE} R68 ${FIVE} R68`,
      [ITALY, FRANCE, ITALY, FRANCE, FRANCE, ITALY],
      ['2026-03-09'],
    ],
  ])('a notice: %s', (_, text, countries, mondays) => {
    const found = returns(text, countries);
    expect(found.map(({ from, to }) => [from, to])).toEqual(
      mondays.map((monday) => [minute(`${monday}T00:00`), minute(`${monday}T00:00`) + 4 * WEEK]),
    );
    expect(found[0]).toMatchObject({ rule: 'W5', kind: 'return-home' });
  });

  it.each([
    ['each third one is at home', [FRANCE, FRANCE, ITALY, FRANCE, FRANCE, ITALY]],
    ['each fourth one is at home', [FRANCE, FRANCE, FRANCE, ITALY, FRANCE, FRANCE]],
    ['it is unknown where one of four was spent', [FRANCE, FRANCE, UNKNOWN, FRANCE, FRANCE, ITALY]],
    ['all are at home', [ITALY, ITALY, ITALY, ITALY, ITALY, ITALY]],
  ] as const)('no notice where %s', (_, countries) => {
    expect(returns(`(${FIVE} R68)x6`, countries)).toEqual([]);
  });

  it('after two reduced ones in a row the driver is home before the next regular one', () => {
    const text = `${FIVE} R68 (${FIVE} R44 W4 R11 W4 R5)x2 ${FIVE} R68 ${FIVE} R68`;
    expect(returns(text, [ITALY, FRANCE, FRANCE, ITALY, ITALY])).toEqual([]);
    const abroad = returns(text, [ITALY, FRANCE, FRANCE, FRANCE, ITALY]);
    expect(abroad).toMatchObject([{ rule: 'W5', from: minute('2026-03-13T04:00'), to: minute('2026-03-27T04:00') }]);
  });

  it('two of them in one week are one weekly rest, after which no return is due', () => {
    const text = `${FIVE} R68 ${FIVE} R30 W4 R34 ${FIVE} R68 ${FIVE} R68`;
    expect(returns(text, [ITALY, FRANCE, FRANCE, ITALY])).toEqual([]);
  });

  it('reports nothing without places or without a home', () => {
    const timeline = plan(MONDAY, `(${FIVE} R68)x6`);
    const kinds = (options: Partial<AnalysisOptions>) =>
      analysed(timeline, options).notices.filter(({ kind }) => kind === 'return-home');
    expect(kinds({ home })).toEqual([]);
    expect(kinds({ places: places([FRANCE, FRANCE, FRANCE, FRANCE, FRANCE, FRANCE]) })).toEqual([]);
  });
});
