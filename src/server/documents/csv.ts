import { csvField } from '../../platform/csv.ts';
import { formatCell } from './cells.ts';
import type { Cell, CellKind, Report } from './report.ts';

export interface CsvNotation {
  readonly separator: ',' | ';';
  readonly decimal: '.' | ',';
}

/** RFC 4180 as programs read it. */
const PLAIN: CsvNotation = { separator: ',', decimal: '.' };

/** As the spreadsheets of people expect it: where the decimal sign is a comma, cells are separated by semicolons. */
const NOTATIONS: Readonly<Record<Report['language'], CsvNotation>> = {
  en: PLAIN,
  it: { separator: ';', decimal: ',' },
};

export const csvNotationOf = (language: Report['language']): CsvNotation => NOTATIONS[language];

/** Without it spreadsheets assume a legacy code page. */
export const BYTE_ORDER_MARK = '\ufeff';

function field(cell: Cell, kind: CellKind, { separator, decimal }: CsvNotation): string {
  const text = formatCell(cell, kind);
  if (typeof cell === 'string') return csvField(text);
  const number = kind === 'minutes' ? text : text.replace('.', decimal);
  return number.includes(separator) ? `"${number}"` : number;
}

/** A line of CSV without its end; cells are texts and plain numbers unless their kinds are given. */
export const csvLine = (cells: readonly Cell[], notation: CsvNotation, kinds: readonly CellKind[] = []): string =>
  cells.map((cell, i) => field(cell, kinds[i] ?? 'text', notation)).join(notation.separator);

/** With a byte order mark; the first table of each section under one header. */
export function toCsv({ sections, language, isForPrograms }: Report): Uint8Array {
  const notation = isForPrograms === true ? PLAIN : csvNotationOf(language);
  const lines: string[] = [];
  for (const { tables } of sections) {
    const table = tables[0];
    if (table === undefined) continue;
    const titles = table.columns.map(({ title }) => title);
    const kinds = table.columns.map(({ kind }) => kind);
    if (lines.length === 0) lines.push(csvLine(titles, notation));
    for (const row of table.rows) lines.push(csvLine(row, notation, kinds));
  }
  return Buffer.from(`${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`);
}
