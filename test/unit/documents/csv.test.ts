import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { toCsv } from '../../../src/server/documents/csv.ts';
import type { Report } from '../../../src/server/documents/report.ts';

const report = (over: Partial<Report>): Report => ({
  title: 'Month',
  language: 'it',
  footer: '',
  legend: { rest: '', availability: '', work: '', driving: '', unknown: '' },
  sections: [
    {
      title: 'Rossi',
      facts: [],
      tables: [
        {
          title: 'Days',
          columns: [
            { title: 'Nota; libera', kind: 'text' },
            { title: 'Ore', kind: 'hours' },
            { title: 'Km', kind: 'number' },
            { title: 'Guida', kind: 'minutes' },
          ],
          rows: [['Milano; Roma, Napoli "A1"', 9.5, 1234.25, 570]],
        },
      ],
    },
  ],
  ...over,
});

/** Decimal signs by CLDR, as the runtime has it. */
const decimalOf = (language: string): string =>
  new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')!.value;

describe('CSV', () => {
  test.each([
    ['it', ';'],
    ['en', ','],
  ] as const)(
    'of %s has the decimal sign of the language and a separator that is another sign',
    (language, delimiter) => {
      const bytes = Buffer.from(toCsv(report({ language })));
      expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
      const decimal = decimalOf(language);
      expect(decimal).not.toBe(delimiter);
      expect(parse(bytes, { bom: true, delimiter })).toEqual([
        ['Nota; libera', 'Ore', 'Km', 'Guida'],
        ['Milano; Roma, Napoli "A1"', `9${decimal}50`, `1234${decimal}25`, '9:30'],
      ]);
    },
  );

  test('for programs is the same in each language', () => {
    const [it, en] = (['it', 'en'] as const).map((language) => toCsv(report({ language, isForPrograms: true })));
    expect(it).toEqual(en);
    expect(parse(Buffer.from(it!), { bom: true })[1]).toContain('9.50');
  });

  test.each([',', ';', '\t'])('has no formula in any cell, read with the separator %j', (delimiter) => {
    const texts = ['x;=1+1', 'x,=1+1', 'x\t=1+1', '=1+1', '+1', '-1+1', '@SUM(1)', '\t=1', 'a\r=1+1', 'a\n=1+1'];
    const column = [{ title: 'Note', kind: 'text' }] as const;
    const tables = [{ title: 'T', columns: column, rows: texts.map((text) => [text]) }];
    const bytes = Buffer.from(toCsv(report({ sections: [{ title: 'S', facts: [], tables }] })));
    const cells = (parse(bytes, { bom: true, delimiter, relax_column_count: true }) as string[][]).flat();
    expect(cells.filter((cell) => /^[=+@-]/.test(cell))).toEqual([]);
    expect(cells).toHaveLength(texts.length + 1);
  });
});
