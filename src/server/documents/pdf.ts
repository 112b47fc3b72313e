import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import { BAR_STYLES } from './bar-styles.ts';
import { localDates, printCell as printed } from './cells.ts';
import { BAR_LABEL_WIDTH, BAR_NOTE_WIDTH, drawBar } from './day-bar.ts';
import { placeLine } from './form-lines.ts';
import { drawPlaceMap } from './map/place-map.ts';
import type { BarState, Column, DayBar, FormLine, PlaceMap, Report, Section, Table } from './report.ts';
import { drawSignatures, drawStatement, SIGNATURES_HEIGHT, statementHeight } from './to-sign.ts';

const { resolve } = createRequire(import.meta.url);
/** Names of drivers use Latin, Greek and Cyrillic letters: the standard fonts of PDF have Latin only. */
const FONTS = {
  plain: resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'),
  bold: resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'),
};

const MARGIN = 36;
const SIZE = 7;
const TEXT_SIZE = 9;
const CELL_SIZE = 6.5;
const SMALLEST = 4;
const LINE = 11;
const BAR_HEIGHT = 14;
const FACT_WIDTH = 140;
/** space between lines, as a share of the font size */
const LEADING = 0.17;
const MAP_HEIGHT = 300;
/** largest table that is measured to keep it on one page: more rows never fit */
const MAX_ROWS_TOGETHER = 50;

/** A4, with page numbers, a bar per day and tables whose headers repeat on each page. */
export function toPdf(report: Report): Promise<Uint8Array> {
  const page = new PDFDocument({
    size: 'A4',
    layout: report.orientation ?? 'landscape',
    margin: MARGIN,
    bufferPages: true,
    lang: report.language,
    info: { Title: report.title, Producer: 'Fleetgate' },
  });
  const done = new Promise<Uint8Array>((settle, reject) => {
    const parts: Buffer[] = [];
    page.on('data', (part: Buffer) => parts.push(part));
    page.on('end', () => settle(Buffer.concat(parts)));
    page.on('error', reject);
  });
  page.registerFont('plain', FONTS.plain).registerFont('bold', FONTS.bold);
  const writer = new PageWriter(page, report);
  for (const [index, section] of report.sections.entries()) writer.section(section, index > 0);
  if (report.sections.length === 0) writer.heading(report.title, 14);
  writer.finish();
  page.end();
  return done;
}

class PageWriter {
  readonly #page: PDFKit.PDFDocument;
  readonly #report: Report;
  readonly #width: number;
  readonly #bottom: number;
  #y = MARGIN;

  constructor(page: PDFKit.PDFDocument, report: Report) {
    this.#page = page;
    this.#report = report;
    this.#width = page.page.width - 2 * MARGIN;
    this.#bottom = page.page.height - MARGIN - LINE;
  }

  section(
    { title, facts, paragraphs = [], form = [], bars, barNotes = '', map, tables, statement, signatures = [] }: Section,
    onNewPage: boolean,
  ): void {
    if (onNewPage) this.#turn();
    this.heading(this.#report.title, 14);
    if (title !== '') this.heading(title, 10);
    for (const [label, value] of facts) this.#fact(label, value);
    this.#y += 4;
    for (const paragraph of paragraphs) this.#paragraph(paragraph);
    for (const line of form) this.#formLine(line);
    if (bars !== undefined && bars.length > 0) this.#bars(bars, barNotes);
    if (map !== undefined && map.points.length > 0) this.#map(map);
    for (const table of tables) this.#table(table);
    this.#toSign(statement, signatures);
  }

  #paragraph(written: string): void {
    const text = localDates(written);
    this.#page.font('plain').fontSize(TEXT_SIZE);
    const height = this.#page.heightOfString(text, { width: this.#width });
    this.#room(height);
    this.#page.fillColor('black').text(text, MARGIN, this.#y, { width: this.#width });
    this.#y += height + 6;
  }

  #formLine(line: FormLine): void {
    const { height, draw } = placeLine(this.#page, line, MARGIN, this.#width);
    this.#block(height, draw);
  }

  #block(height: number, draw: (y: number) => void): void {
    this.#room(height);
    draw(this.#y);
    this.#y += height;
  }

  /** Each on one page. */
  #toSign(statement: string | undefined, signatures: readonly string[]): void {
    const page = this.#page.fontSize(SIZE).fillColor('black');
    const at = (y: number) => ({ x: MARGIN, y, width: this.#width, line: LINE });
    if (statement !== undefined) {
      this.#block(statementHeight(LINE), (y) => drawStatement(page.font('bold'), statement, at(y)));
    }
    if (signatures.length > 0) {
      this.#block(SIGNATURES_HEIGHT, (y) => drawSignatures(page.font('plain'), signatures, at(y)));
    }
  }

  heading(text: string, size: number): void {
    this.#page.font('bold').fontSize(size).fillColor('black');
    const shown = localDates(text);
    const lines = Math.max(size, this.#page.heightOfString(shown, { width: this.#width }) - size * LEADING);
    this.#page.text(shown, MARGIN, this.#y, { width: this.#width });
    this.#y += lines + 5;
  }

  #fact(label: string, written: string): void {
    const value = localDates(written);
    const [left, right] = [{ width: FACT_WIDTH - 8 }, { width: this.#width - FACT_WIDTH }];
    const labelHeight = this.#page.font('bold').fontSize(SIZE).heightOfString(label, left);
    const height = Math.max(LINE, labelHeight + 2, this.#page.font('plain').heightOfString(value, right) + 2);
    this.#room(height);
    this.#page.font('bold').fillColor('#444444').text(label, MARGIN, this.#y, left);
    this.#page
      .font('plain')
      .fillColor('black')
      .text(value, MARGIN + FACT_WIDTH, this.#y, right);
    this.#y += height;
  }

  #bars(bars: readonly DayBar[], notes: string): void {
    this.#legend();
    this.#hours(notes);
    for (const bar of bars) {
      if (this.#room(BAR_HEIGHT + 4)) this.#hours(notes);
      this.#bar(bar);
    }
    this.#y += 8;
  }

  #map(map: PlaceMap): void {
    this.#room(MAP_HEIGHT + 14 + 2 * LINE + 8);
    this.heading(map.title, 9);
    let x = MARGIN;
    const shown = new Set(map.points.map(({ kind }) => kind));
    for (const [kind, { color, text }] of Object.entries(map.kinds)) {
      if (!shown.has(kind)) continue;
      this.#page.circle(x + 3, this.#y + 4, 2.6).fill(color);
      this.#page.font('plain').fontSize(SIZE).fillColor('black');
      this.#page.text(text, x + 9, this.#y, { lineBreak: false });
      x += 24 + this.#page.widthOfString(text);
    }
    this.#y += LINE + 2;
    drawPlaceMap(this.#page, map, { left: MARGIN, top: this.#y, width: this.#width, height: MAP_HEIGHT });
    this.#y += MAP_HEIGHT + 8;
  }

  #legend(): void {
    let x = MARGIN + BAR_LABEL_WIDTH;
    for (const state of Object.keys(BAR_STYLES) as BarState[]) {
      this.#page.rect(x, this.#y + 1, 8, 8).fill(BAR_STYLES[state].colour);
      const text = this.#report.legend[state];
      this.#page
        .font('plain')
        .fontSize(SIZE)
        .fillColor('black')
        .text(text, x + 11, this.#y, { lineBreak: false });
      x += 30 + this.#page.widthOfString(text);
    }
    this.#y += LINE + 3;
  }

  #hours(notes: string): void {
    const width = this.#width - BAR_LABEL_WIDTH - BAR_NOTE_WIDTH;
    this.#page.font('plain').fontSize(5).fillColor('#666666');
    for (let hour = 0; hour <= 24; hour += 2) {
      const x = MARGIN + BAR_LABEL_WIDTH + (hour / 24) * width;
      this.#page.text(String(hour).padStart(2, '0'), x - 5, this.#y, { width: 10, align: 'center', lineBreak: false });
    }
    this.#page.text(notes, MARGIN + BAR_LABEL_WIDTH + width + 8, this.#y, { lineBreak: false });
    this.#y += 8;
  }

  #bar(bar: DayBar): void {
    drawBar(this.#page, bar, { left: MARGIN, top: this.#y, width: this.#width, height: BAR_HEIGHT });
    this.#y += BAR_HEIGHT + 3;
  }

  #table({ title, columns, rows, totals }: Table): void {
    const shown = columns.map((column, index) => ({ column, index })).filter(({ column }) => !column.offPage);
    const weights = shown.reduce((total, { column }) => total + (column.weight ?? 1), 0);
    const widths = shown.map(({ column }) => ((column.weight ?? 1) / weights) * this.#width);
    const titles = shown.map(({ column }) => column.heading ?? column.title);
    const titleSize = this.#wholeWords(titles, widths);
    const header = (): void => this.#row(titles, widths, { font: 'bold', fill: '#e8e8e8', size: titleSize });
    const cells = (row: Table['rows'][number]): string[] =>
      shown.map(({ column, index }: { column: Column; index: number }) =>
        printed(row[index] ?? null, column.kind, this.#report.language),
      );
    const lines = [...rows.slice(0, MAX_ROWS_TOGETHER).map(cells), ...(totals === undefined ? [] : [cells(totals)])];
    const whole =
      9 + 5 + [titles, ...lines].reduce((sum, line) => sum + this.#heightOf(line, widths, 'plain', CELL_SIZE), 0);
    // a short table, or one with totals that fits on a page, is not spread over two
    const most = (this.#bottom - MARGIN) * (totals === undefined ? 0.4 : 1);
    this.#room(rows.length <= MAX_ROWS_TOGETHER && whole <= most ? whole : 4 * LINE);
    this.heading(title, 9);
    header();
    rows.forEach((row, index) => {
      // totals do not stand alone on a page
      const below = totals !== undefined && index === rows.length - 1 ? 2 * LINE : 0;
      this.#row(cells(row), widths, { font: 'plain', header, below });
    });
    if (totals !== undefined) {
      const sums = cells(totals);
      this.#row(sums, widths, { font: 'bold', fill: '#f4f4f4', header, size: this.#wholeWords(sums, widths) });
    }
    this.#y += 8;
  }

  /** The largest size at which no word of a title, and no sum, is broken. */
  #wholeWords(titles: readonly string[], widths: readonly number[]): number {
    this.#page.font('bold').fontSize(CELL_SIZE);
    const fits = titles.map((title, i) => {
      const longest = Math.max(1, ...title.split(/\s+/).map((word) => this.#page.widthOfString(word)));
      return (CELL_SIZE * (widths[i]! - 4.5)) / longest;
    });
    return Math.max(SMALLEST, Math.min(CELL_SIZE, ...fits));
  }

  #row(
    texts: readonly string[],
    widths: readonly number[],
    style: {
      readonly font: 'plain' | 'bold';
      readonly size?: number;
      readonly fill?: string;
      readonly header?: () => void;
      /** height that is kept free below the row */
      readonly below?: number;
    },
  ): void {
    const size = style.size ?? CELL_SIZE;
    const height = this.#heightOf(texts, widths, style.font, size);
    if (this.#room(height + (style.below ?? 0))) {
      style.header?.();
      this.#page.font(style.font).fontSize(size);
    }
    if (style.fill !== undefined) this.#page.rect(MARGIN, this.#y - 1, this.#width, height).fill(style.fill);
    this.#page.fillColor('black');
    let x = MARGIN;
    texts.forEach((text, i) => {
      this.#page.text(text, x + 2, this.#y + 1, { width: widths[i]! - 4, height, ellipsis: true });
      x += widths[i]!;
    });
    this.#y += height;
    this.#page.lineWidth(0.2).strokeColor('#bbbbbb');
    this.#page
      .moveTo(MARGIN, this.#y - 1)
      .lineTo(MARGIN + this.#width, this.#y - 1)
      .stroke();
  }

  #heightOf(texts: readonly string[], widths: readonly number[], font: keyof typeof FONTS, size: number): number {
    this.#page.font(font).fontSize(size);
    const heights = texts.map((text, i) => this.#page.heightOfString(text, { width: widths[i]! - 4 }));
    return Math.min(80, Math.max(LINE - 2, ...heights)) + 2;
  }

  /** Begins a new page if less than this height is left; returns whether it did. */
  #room(height: number): boolean {
    if (this.#y + height <= this.#bottom) return false;
    this.#turn();
    return true;
  }

  #turn(): void {
    this.#page.addPage();
    this.#y = MARGIN;
  }

  finish(): void {
    const { start, count } = this.#page.bufferedPageRange();
    for (let index = start; index < start + count; index++) {
      this.#page.switchToPage(index);
      // text below the margin would begin a new page
      this.#page.page.margins.bottom = 0;
      const y = this.#page.page.height - MARGIN + 8;
      this.#page.font('plain').fontSize(6).fillColor('#666666');
      this.#page.text(this.#report.footer, MARGIN, y, { lineBreak: false });
      const number = `${index + 1} / ${count}`;
      this.#page.text(number, MARGIN, y, { width: this.#width, align: 'right', lineBreak: false });
    }
  }
}
