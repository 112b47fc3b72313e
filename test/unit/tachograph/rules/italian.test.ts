import { describe, expect, it } from 'vitest';
import type { RuleId } from '../../../../src/server/tachograph/engine/index.ts';
import { italianOf } from '../../../../src/server/tachograph/engine/rules/italian.ts';
import { analysed, minute, plan } from './plan.ts';

const h = (hours: number, minutes = 0): number => hours * 60 + minutes;
const at = minute('2026-03-02T00:00');

/** Boundary minutes of the bands: the last of one and the first of the next. */
const bands: readonly (readonly [RuleId, limit: number, actual: number, band: string | null, comma: string | null])[] =
  [
    ['D1', h(9), h(9, 54), 'a', '4'],
    ['D1', h(9), h(9, 55), 'b', '5'],
    ['D1', h(9), h(10, 48), 'b', '5'],
    ['D1', h(9), h(10, 49), 'c', '6'],
    ['D1', h(10), h(11), 'a', '4'],
    ['D1', h(10), h(12), 'b', '5'],
    ['D1', h(10), h(12, 1), 'c', '6'],
    ['R1', h(11), h(9, 54), 'a', '4'],
    ['R1', h(11), h(8, 48), 'b', '5'],
    ['R1', h(11), h(8, 47), 'c', '6'],
    ['R1', h(9), h(8, 6), 'a', '4'],
    ['R1', h(9), h(8, 5), 'b', '5'],
    ['R1', h(9), h(7, 12), 'b', '5'],
    ['R1', h(9), h(7, 11), 'c', '6'],
    ['D2', h(56), h(61, 36), null, null],
    ['D2', h(56), h(61, 37), 'b', '7'],
    ['D2', h(56), h(67, 12), 'b', '7'],
    ['D2', h(56), h(67, 13), 'c', '7'],
    ['D3', h(90), h(99), null, null],
    ['D3', h(90), h(108), 'b', '7'],
    ['D3', h(90), h(108, 1), 'c', '7'],
    ['W2', h(45), h(40, 30), null, null],
    ['W2', h(45), h(36), 'b', '7'],
    ['W2', h(45), h(35, 59), 'c', '7'],
    ['B1', h(4, 30), h(9), null, '8'],
  ];

describe('art. 174 of the Codice della Strada', () => {
  it.each(bands)('%s of %i: %i is band %s, comma %s', (rule, limit, actual, band, comma) => {
    const grade = italianOf(rule, at, limit, actual);
    expect([grade?.band ?? null, grade?.comma ?? null]).toEqual([band, comma]);
  });

  it('names the table of an amount, and reports no amount if no table covers the date', () => {
    expect(italianOf('R1', at, 540, 500)!.fine).toEqual({
      minEur: 218,
      maxEur: 868,
      table: '2019-2026',
      approximate: false,
    });
    expect(italianOf('B1', at, 270, 310)!.fine).toMatchObject({ approximate: true });
    expect(italianOf('R1', minute('2027-01-01T00:00'), 540, 500)).toMatchObject({ comma: '4', fine: null });
    expect(italianOf('R1', minute('2018-12-31T23:59'), 540, 500)!.fine).toBeNull();
  });
});

describe('a finding', () => {
  const text = 'D4:30 R0:45 D4:30 R0:45 D2 R7:30 W1 R24';
  const { findings } = analysed(plan('2026-03-02T06:00', text));

  it('keeps its id whatever else is found, and has another for each driver, rule and time', () => {
    const ids = findings.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[\w-]{22}$/.test(id))).toBe(true);
    const later = analysed(plan('2026-03-02T06:00', `${text} D5 R24`)).findings.map(({ id }) => id);
    expect(later).toEqual(expect.arrayContaining(ids));
    const other = analysed(plan('2026-03-02T06:00', text), { driver: { nation: 26, number: 'X' } }).findings;
    expect(other.map(({ id }) => id)).not.toEqual(expect.arrayContaining([ids[0]]));
  });

  it('contains its evidence: the driving of the day, the window and the rest in it', () => {
    const [day, rest] = findings;
    expect(day).toMatchObject({ rule: 'D1', actualMinutes: 660, limitMinutes: 600, deltaMinutes: 60 });
    expect(day!.evidence.map(({ minutes }) => minutes)).toEqual([270, 270, 120]);
    expect(day!.evidence[0]).toMatchObject({ kind: 'driving', from: minute('2026-03-02T06:00'), fileIds: ['file-0'] });
    expect(rest!.evidence).toMatchObject([
      { kind: 'window', from: minute('2026-03-02T06:00'), to: minute('2026-03-03T06:00') },
      { kind: 'rest', from: minute('2026-03-02T18:30'), to: minute('2026-03-03T02:00'), minutes: 450 },
    ]);
  });

  it('reports how much of the time is unknown', () => {
    const { findings } = analysed(plan('2026-03-02T06:00', 'D5 U0:30 D1 R11'));
    expect(findings[0]).toMatchObject({ rule: 'B1', unknownMinutes: 30 });
  });
});
