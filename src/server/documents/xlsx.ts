import writeExcelFile, { type CellObject, type Sheet, type SheetData } from 'write-excel-file/node';
import { BAR_STYLES } from './bar-styles.ts';
import { localDates } from './cells.ts';
import { printPages, printTitles } from './printing.ts';
import type { BarState, Cell, CellKind, DayBar, Report, Section, Table } from './report.ts';

const HEADER = '#e8e8e8';
const QUARTER = 15;

/** Excel stores times as fractions of a day. */
const MINUTES_A_DAY = 1_440;

type Worksheets = Sheet<never>[];

/** A worksheet per table, and one of bars with a cell per quarter of an hour. */
export async function toXlsx(report: Report): Promise<Uint8Array> {
  const worksheets: Worksheets = [];
  const taken = new Set<string>();
  for (const section of report.sections) {
    for (const table of section.tables)
      worksheets.push(worksheetOf(nameOf(table.title, section.title, taken), section, table));
    const { bars } = section;
    if (bars !== undefined && bars.length > 0)
      worksheets.push(barWorksheet(nameOf('24 h', section.title, taken), bars, report));
  }
  if (worksheets.length === 0) worksheets.push({ data: [[{ value: report.title }]], sheet: '-' } as Worksheets[number]);
  const titles = worksheets.map(({ sheet = '', stickyRowsCount }) => ({ sheet, row: stickyRowsCount ?? null }));
  return writeExcelFile(worksheets, { features: [printTitles(titles), printPages()] }).toBuffer();
}

/** A unique name of at most 31 characters, without []:*?/\. */
function nameOf(table: string, section: string, taken: Set<string>): string {
  const clean = (text: string): string => text.replace(/[[\]:*?/\\'\s]+/g, ' ').trim();
  const [own, whose] = [clean(table), clean(section)];
  const full = (whose === '' ? own : `${own.slice(0, 18)} ${whose}`).trim().slice(0, 31).trim();
  for (let n = 1; ; n++) {
    const suffix = n === 1 ? '' : ` ${n}`;
    const name = `${full.slice(0, 31 - suffix.length)}${suffix}`;
    if (taken.has(name.toLowerCase())) continue;
    taken.add(name.toLowerCase());
    return name;
  }
}

function worksheetOf(sheet: string, section: Section, { columns, rows, totals }: Table): Worksheets[number] {
  const data: SheetData = [
    [{ value: localDates(section.title), fontWeight: 'bold' }],
    ...section.facts.map(([label, value]) => [
      { value: label, fontWeight: 'bold' as const },
      { value: localDates(value) },
    ]),
    [],
    columns.map(({ title }) => ({ value: title, fontWeight: 'bold' as const, backgroundColor: HEADER, wrap: true })),
    ...rows.map((row) => row.map((cell, i) => cellOf(cell, columns[i]!.kind))),
    ...(totals === undefined ? [] : [totals.map((cell, i) => bold(cellOf(cell, columns[i]!.kind)))]),
  ];
  return {
    data,
    sheet,
    columns: columns.map((column, index) => ({ width: widthOf(column, rows, index) })),
    stickyRowsCount: section.facts.length + 3,
    orientation: 'landscape',
  } as Worksheets[number];
}

const MAX_COLUMN_CHARACTERS = 70;

/** Characters. Words, such as hashes, are not cut off by the cell beside them; longer texts continue on a second line. */
function widthOf({ kind, weight = 1 }: Table['columns'][number], rows: Table['rows'], index: number): number {
  if (kind !== 'text') return kind === 'date' ? 16 : 11;
  const words = (text: string): number[] => text.split(/\s+/).map(({ length }) => length);
  const longest = rows.reduce((most, row) => Math.max(most, ...words(String(row[index] ?? ''))), 0);
  return Math.max(10 + 6 * weight, Math.min(longest + 2, MAX_COLUMN_CHARACTERS));
}

const bold = (cell: CellObject | null): CellObject | null =>
  cell === null ? null : ({ ...cell, fontWeight: 'bold', backgroundColor: '#f4f4f4' } as CellObject);

function cellOf(cell: Cell, kind: CellKind): CellObject | null {
  if (cell === null) return null;
  if (typeof cell === 'string') return kind === 'date' ? dateCell(cell) : { value: cell, type: String, wrap: true };
  if (kind === 'minutes') return { value: cell / MINUTES_A_DAY, type: Number, format: '[h]:mm' };
  return { value: cell, type: Number, format: kind === 'hours' ? '0.00' : '0' };
}

function dateCell(cell: string): CellObject {
  const [date, clock] = cell.split(' ');
  const value = new Date(`${date}T${clock ?? '00:00'}:00Z`);
  if (Number.isNaN(value.getTime())) return { value: cell, type: String };
  return { value, type: Date, format: clock === undefined ? 'dd/mm/yyyy' : 'dd/mm/yyyy hh:mm' };
}

function barWorksheet(sheet: string, bars: readonly DayBar[], { legend }: Report): Worksheets[number] {
  const quarters = Math.max(...bars.map(({ minutes }) => Math.ceil(minutes / QUARTER)));
  const hours = Array.from({ length: quarters }, (_, i) => (i % 4 === 0 ? { value: String(i / 4) } : null));
  const states = Object.keys(BAR_STYLES) as BarState[];
  const data: SheetData = [
    states.flatMap((state) => [{ value: legend[state], backgroundColor: BAR_STYLES[state].colour, columnSpan: 1 }]),
    [null, ...hours],
    ...bars.map((bar) => [
      { value: localDates(bar.label) },
      ...Array.from({ length: quarters }, (_, i) => {
        const state = stateAt(bar, i * QUARTER);
        return state === undefined ? null : { value: '', type: String, backgroundColor: BAR_STYLES[state].colour };
      }),
      { value: bar.note },
    ]),
  ];
  const columns = [{ width: 14 }, ...Array.from({ length: quarters }, () => ({ width: 1.6 })), { width: 60 }];
  return { data, sheet, columns, orientation: 'landscape' } as Worksheets[number];
}

/** The state with the most minutes of a quarter of an hour. */
function stateAt({ spans, minutes }: DayBar, from: number): BarState | undefined {
  const end = Math.min(minutes, from + QUARTER);
  let best: BarState | undefined;
  let most = 0;
  for (const { from: a, to: b, state } of spans) {
    const length = Math.min(b, end) - Math.max(a, from);
    if (length > most) [most, best] = [length, state];
  }
  return best;
}
