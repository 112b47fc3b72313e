import { formatCell } from './cells.ts';
import type { Cell, CellKind, Report } from './report.ts';

interface Notation {
  readonly separator: ',' | ';';
  readonly decimal: '.' | ',';
}

const PLAIN: Notation = { separator: ',', decimal: '.' };
/** As spreadsheets of most of the continent expect it. */
export const CONTINENTAL: Notation = { separator: ';', decimal: ',' };

/** A text that a spreadsheet would evaluate gets an apostrophe, as OWASP advises. */
function field(cell: Cell, kind: CellKind, { separator, decimal }: Notation): string {
  const text = formatCell(cell, kind);
  const safe =
    typeof cell === 'string' && /^[=+\-@\t\r]/.test(text)
      ? `'${text}`
      : typeof cell === 'number' && kind !== 'minutes'
        ? text.replace('.', decimal)
        : text;
  return /["\r\n]/.test(safe) || safe.includes(separator) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** RFC 4180 with a byte order mark, as spreadsheets require; the first table of each section under one header. */
export function toCsv({ sections, csv = PLAIN }: Report): Uint8Array {
  const lines: string[] = [];
  const line = (cells: readonly string[]): void => void lines.push(cells.join(csv.separator));
  for (const { tables } of sections) {
    const table = tables[0];
    if (table === undefined) continue;
    if (lines.length === 0) line(table.columns.map(({ title }) => field(title, 'text', csv)));
    for (const row of table.rows) line(row.map((cell, i) => field(cell, table.columns[i]!.kind, csv)));
  }
  return Buffer.from(`\ufeff${lines.join('\r\n')}\r\n`);
}
