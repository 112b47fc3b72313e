import type { Cell, CellKind, Report } from './report.ts';

export const formatMinutes = (minutes: number): string => {
  const sign = minutes < 0 ? '-' : '';
  const absolute = Math.abs(minutes);
  return `${sign}${Math.floor(absolute / 60)}:${String(absolute % 60).padStart(2, '0')}`;
};

/** The text of a cell. */
export function formatCell(cell: Cell, kind: CellKind): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return cell;
  if (kind === 'minutes') return formatMinutes(cell);
  return kind === 'hours' ? cell.toFixed(2) : String(cell);
}

/** Dates in a text as people of both languages write them: 02/03/2026 for 2026-03-02. */
export const localDates = (text: string): string => text.replace(/\b(\d{4})-(\d{2})-(\d{2})\b/g, '$3/$2/$1');

/** Dates as people of both languages write them, decimals as those of the language do. */
export function printCell(cell: Cell, kind: CellKind, language: Report['language']): string {
  const text = formatCell(cell, kind);
  if (typeof cell === 'number' && language === 'it') return text.replace('.', ',');
  return kind === 'date' ? text.replace(/^(\d{4})-(\d{2})-(\d{2})/, '$3/$2/$1') : text;
}
