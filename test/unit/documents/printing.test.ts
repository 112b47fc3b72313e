import { expect, test } from 'vitest';
import type { Report } from '../../../src/server/documents/report.ts';
import { toXlsx } from '../../../src/server/documents/xlsx.ts';
import { unzip } from '../../support/documents.ts';

const table = { title: 'Days', columns: [{ title: 'Day', kind: 'text' as const }], rows: [['1'], ['2']] };
const report: Report = {
  title: 'Report',
  language: 'en',
  sections: [
    { title: 'Rossi & Figli', facts: [['Period', 'March']], tables: [table] },
    {
      title: 'B',
      facts: [],
      tables: [table],
      bars: [{ label: '1', minutes: 60, spans: [{ from: 0, to: 60, state: 'rest' }], marks: [], note: '' }],
    },
  ],
  footer: '',
  legend: { rest: 'Rest', availability: 'Availability', work: 'Work', driving: 'Driving', unknown: 'Unknown' },
};

test('each printed page of a table begins with its headings', async () => {
  const parts = await unzip(await toXlsx(report));
  const workbook = parts.get('xl/workbook.xml')!.toString();
  const names = [...workbook.matchAll(/<definedName name="_xlnm.Print_Titles" localSheetId="(\d+)">(.*?)</g)];
  expect(names.map(([, sheet, area]) => [sheet, area])).toEqual([
    ['0', "'Days Rossi &amp; Figli'!$4:$4"],
    ['1', "'Days B'!$3:$3"],
  ]);
  // sheets before names before what comes after them, as the schema of workbooks has them
  expect(workbook.indexOf('</sheets>')).toBeLessThan(workbook.indexOf('<definedNames>'));
  // the row that is repeated holds the headings
  for (const [sheet, row] of [
    [1, 4],
    [2, 3],
  ]) {
    const xml = parts.get(`xl/worksheets/sheet${sheet}.xml`)!.toString();
    const shared = [
      ...parts
        .get('xl/sharedStrings.xml')!
        .toString()
        .matchAll(/<t[^>]*>(.*?)<\/t>/g),
    ].map(([, t]) => t);
    const [, index] = new RegExp(`<row r="${row}"[^>]*>.*?<v>(\\d+)</v>`).exec(xml)!;
    expect(shared[Number(index)]).toBe('Day');
  }
});

test('pages are filled by the width of a table, wide ones by two beside each other, and have numbers', async () => {
  const hash = 'f'.repeat(64);
  const columns = Array.from({ length: 30 }, (_, n) => ({ title: `C${n}`, kind: 'minutes' as const }));
  const wide = { title: 'Wide', columns, rows: [columns.map(() => 60)] };
  const [section] = report.sections;
  const parts = await unzip(
    await toXlsx({ ...report, sections: [{ ...section!, tables: [{ ...table, rows: [[hash]] }, wide] }] }),
  );
  const [first, second] = [1, 2].map((n) => parts.get(`xl/worksheets/sheet${n}.xml`)!.toString());
  expect(first).toContain('<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews');
  expect(first).toMatch(/<pageSetup [^>]*orientation="landscape" fitToWidth="1" fitToHeight="0"\/><headerFooter>/);
  expect(first).toContain('<oddFooter>&amp;L&amp;A&amp;R&amp;P / &amp;N</oddFooter>');
  expect(second).toContain('fitToWidth="2"');
  // a hash is not cut off
  expect(Number(/<col [^>]*width="([\d.]+)"/.exec(first!)![1])).toBeGreaterThanOrEqual(64);
});
