import { expect, test } from 'vitest';
import type { Report } from '../../../src/documents/report.ts';
import { toXlsx } from '../../../src/documents/xlsx.ts';
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
