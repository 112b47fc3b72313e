import type { Cell, CellKind } from './report.ts';

export const clockOf = (minutes: number): string => {
  const sign = minutes < 0 ? '-' : '';
  const size = Math.abs(minutes);
  return `${sign}${Math.floor(size / 60)}:${String(size % 60).padStart(2, '0')}`;
};

/** As it is written on a page. */
export function written(cell: Cell, kind: CellKind): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return cell;
  if (kind === 'minutes') return clockOf(cell);
  return kind === 'hours' ? cell.toFixed(2) : String(cell);
}
