import { formatCell } from './cells.ts';
import type { Cell, CellKind, Report } from './report.ts';

/** A text that a spreadsheet would evaluate gets an apostrophe, as OWASP advises. */
function field(cell: Cell, kind: CellKind): string {
  const text = formatCell(cell, kind);
  const safe = typeof cell === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** RFC 4180 with a byte order mark, as spreadsheets require; the first table of each section under one header. */
export function toCsv({ sections }: Report): Uint8Array {
  const lines: string[] = [];
  for (const { tables } of sections) {
    const table = tables[0];
    if (table === undefined) continue;
    if (lines.length === 0) lines.push(table.columns.map(({ title }) => field(title, 'text')).join(','));
    for (const row of table.rows) lines.push(row.map((cell, i) => field(cell, table.columns[i]!.kind)).join(','));
  }
  return Buffer.from(`\ufeff${lines.join('\r\n')}\r\n`);
}
