import type writeExcelFile from 'write-excel-file/node';

type Feature = NonNullable<NonNullable<Parameters<typeof writeExcelFile>[1]>['features']>[number];

type SheetOptions = Parameters<
  NonNullable<
    NonNullable<NonNullable<NonNullable<Feature['files']>['transform']>['xl/worksheets/sheet{id}.xml']>['transform']
  >
>[1];

/** The row of a worksheet (from 1 on) that is repeated at the top of each printed page; `null`: none of it. */
export interface PrintTitle {
  readonly sheet: string;
  readonly row: number | null;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Names `_xlnm.Print_Titles` of a workbook (ECMA-376, 18.2.5), which the writer of spreadsheets does not know. */
export function printTitles(titles: readonly PrintTitle[]): Feature {
  const names = titles.flatMap(({ sheet, row }, index) =>
    row === null
      ? []
      : [
          `<definedName name="_xlnm.Print_Titles" localSheetId="${index}">` +
            `'${escaped(sheet.replaceAll("'", "''"))}'!$${row}:$${row}</definedName>`,
        ],
  );
  const transform = (content: string): string =>
    content.replace(/<definedNames\/>|<definedNames><\/definedNames>/, () =>
      names.length === 0 ? '' : `<definedNames>${names.join('')}</definedNames>`,
    );
  return { files: { transform: { 'xl/workbook.xml': { transform } } } };
}

/** Characters that an A4 sheet in landscape takes on its width at three fifths of their size. */
const CHARACTERS_A_PAGE = 230;

/**
 * Pages are filled by the width of a worksheet, wide ones by two or more pages beside each other, and have numbers
 * (ECMA-376, 18.3.1.46, 18.3.1.63 and 18.3.1.65), which the writer of spreadsheets does not know.
 */
export function printPages(): Feature {
  const transform = (content: string, { columns = [] }: SheetOptions): string => {
    const width = columns.reduce((sum, column) => sum + (column?.width ?? 0), 0);
    const fit = `fitToWidth="${Math.max(1, Math.ceil(width / CHARACTERS_A_PAGE))}" fitToHeight="0"`;
    const footer = '<headerFooter><oddFooter>&amp;L&amp;A&amp;R&amp;P / &amp;N</oddFooter></headerFooter>';
    return content
      .replace(/<(sheetViews|cols|sheetData)\b/, '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><$1')
      .replace(/<pageSetup ([^>]*?)\/>/, (_, attributes: string) => `<pageSetup ${attributes} ${fit}/>${footer}`);
  };
  return { files: { transform: { 'xl/worksheets/sheet{id}.xml': { transform } } } };
}
