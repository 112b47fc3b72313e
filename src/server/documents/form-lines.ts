import type { FormLine } from './report.ts';

type Page = PDFKit.PDFDocument;

const FORM_SIZE = 8.5;
const TRANSLATION_SIZE = 6.5;
const NUMBER_WIDTH = 24;
const BOX_WIDTH = 14;
const SIGNATURE_HEIGHT = 24;

export interface PlacedLine {
  /** in points */
  readonly height: number;
  draw(y: number): void;
}

/** A line of an official form, between `left` and `left + width`. */
export function placeLine(page: Page, line: FormLine, left: number, width: number): PlacedLine {
  const { number, text, translation, value, checked, strong, toSign } = line;
  const font = strong ? 'bold' : 'plain';
  const indent = (number === undefined ? 0 : NUMBER_WIDTH) + (checked === undefined ? 0 : BOX_WIDTH);
  // a value is printed to the right of its text
  const textWidth = (value === undefined && !toSign ? width : width * 0.56) - indent;
  const right = left + width * 0.58;
  const rightWidth = width * 0.42;
  const heightOf = (shown: string | undefined, name: string, size: number, room: number): number =>
    shown === undefined ? 0 : page.font(name).fontSize(size).heightOfString(shown, { width: room });
  const first = heightOf(text, font, FORM_SIZE, textWidth);
  const second = heightOf(translation, font, TRANSLATION_SIZE, textWidth);
  const other = heightOf(value, 'bold', FORM_SIZE, rightWidth);
  const height = Math.max(first + second, other, toSign ? SIGNATURE_HEIGHT : 0) + 3;
  const draw = (y: number): void => {
    page.fillColor('black').font('plain').fontSize(FORM_SIZE);
    if (number !== undefined) page.text(`${number}.`, left, y, { lineBreak: false });
    if (checked !== undefined) drawBox(page, left + indent - BOX_WIDTH, y + 1, checked);
    page.font(font).text(text, left + indent, y, { width: textWidth });
    if (translation !== undefined) {
      page.fontSize(TRANSLATION_SIZE).fillColor('#444444');
      page.text(translation, left + indent, y + first, { width: textWidth });
    }
    page.fillColor('black').font('bold').fontSize(FORM_SIZE);
    if (value !== undefined) page.text(value, right, y, { width: rightWidth });
    if (!toSign) return;
    const end = y + height - 6;
    page.lineWidth(0.5).strokeColor('#333333').moveTo(right, end);
    page.lineTo(left + width, end).stroke();
  };
  return { height, draw };
}

function drawBox(page: Page, x: number, y: number, checked: boolean): void {
  page.lineWidth(0.7).strokeColor('black').rect(x, y, 8, 8).stroke();
  if (!checked) return;
  page.lineWidth(1.2).moveTo(x, y);
  page
    .lineTo(x + 8, y + 8)
    .moveTo(x + 8, y)
    .lineTo(x, y + 8)
    .stroke();
}
