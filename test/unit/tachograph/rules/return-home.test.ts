import { describe, expect, it } from 'vitest';
import type { AnalysisOptions } from '../../../../src/tachograph/index.ts';
import { analysed, minute, plan } from './plan.ts';

const MONDAY = '2026-03-02T00:00';
const WEEK = 7 * 1_440;
/** Five days from Monday 00:00, which end on Friday at 04:00. */
const FIVE = '(W4 R20)x4 W4';
const ITALY = 26;
const FRANCE = 17;

/** Where each weekly rest of `FIVE` begins, week by week. */
const places = (countries: readonly number[]): NonNullable<AnalysisOptions['places']> =>
  countries.map((country, week) => ({
    at: minute(MONDAY) + week * WEEK + 4 * 1_440 + 240,
    kind: 'end' as const,
    country,
    position: null,
  }));
const home = { establishment: ITALY, residence: ITALY };
const returns = (text: string, countries: readonly number[]) =>
  analysed(plan(MONDAY, text), { home, places: places(countries) }).notices.filter(
    ({ kind }) => kind === 'return-home',
  );

describe('return home, article 8(8a)', () => {
  it('five regular weekly rests abroad one after the other are more than four weeks without one at home', () => {
    const found = returns(`(${FIVE} R68)x6`, [FRANCE, FRANCE, FRANCE, FRANCE, FRANCE, ITALY]);
    expect(found).toMatchObject([{ rule: 'W5', from: minute('2026-03-06T04:00'), to: minute('2026-04-06T00:00') }]);
  });

  it.each([
    ['each third one is at home', [FRANCE, FRANCE, ITALY, FRANCE, FRANCE, ITALY]],
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
