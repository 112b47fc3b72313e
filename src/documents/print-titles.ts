import type writeExcelFile from 'write-excel-file/node';

type Feature = NonNullable<NonNullable<Parameters<typeof writeExcelFile>[1]>['features']>[number];

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
