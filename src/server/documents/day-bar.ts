import { BAR_STYLES } from './bar-styles.ts';
import { localDates } from './cells.ts';
import type { DayBar } from './report.ts';

const SIZE = 7;
/** room for the date at the left, and for the note at the right */
export const BAR_LABEL_WIDTH = 74;
export const BAR_NOTE_WIDTH = 150;

/** The activities of a day as a bar; points. */
export function drawBar(
  page: PDFKit.PDFDocument,
  { label, minutes, spans, marks, note }: DayBar,
  at: { readonly left: number; readonly top: number; readonly width: number; readonly height: number },
): void {
  const { left, top, height } = at;
  const skipped = left + BAR_LABEL_WIDTH;
  const width = at.width - BAR_LABEL_WIDTH - BAR_NOTE_WIDTH;
  const xOf = (minute: number): number => skipped + (minute / minutes) * width;
  page
    .font('plain')
    .fontSize(SIZE)
    .fillColor('black')
    .text(localDates(label), left, top + 3, { lineBreak: false });
  for (const { from, to, state } of spans) {
    const { colour, height: share } = BAR_STYLES[state];
    page.rect(xOf(from), top + height - height * share, xOf(to) - xOf(from), height * share).fill(colour);
  }
  page.lineWidth(0.3).strokeColor('#999999').rect(skipped, top, width, height).stroke();
  for (let hour = 60; hour < minutes; hour += 60) {
    const long = hour % 360 === 0 ? height : 2;
    page
      .moveTo(xOf(hour), top + height - long)
      .lineTo(xOf(hour), top + height)
      .stroke();
  }
  for (const { from, to, text } of marks) {
    page
      .lineWidth(0.8)
      .strokeColor('#333333')
      .rect(xOf(from), top, Math.max(1, xOf(to) - xOf(from)), height);
    page.dash(2, {}).stroke().undash();
    page
      .fontSize(4.5)
      .fillColor('#333333')
      .text(text, xOf(from) + 1, top + 1, { lineBreak: false });
  }
  page.fontSize(6).fillColor('black');
  page.text(note, skipped + width + 5, top + 3, { width: BAR_NOTE_WIDTH - 5, height: 8, ellipsis: true });
}
