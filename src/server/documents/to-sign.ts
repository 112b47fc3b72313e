/** The end of a paper that people write on. Lengths in points; the font is set by the caller. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** height of a line of text */
  readonly line: number;
}

const STATEMENT_LINES = 4;
export const SIGNATURES_HEIGHT = 70;
export const statementHeight = (line: number): number => (2 + 2 * STATEMENT_LINES) * line;

/** A heading, and empty lines to write on. */
export function drawStatement(page: PDFKit.PDFDocument, label: string, { x, y, width, line }: Place): void {
  page.lineWidth(0.5).strokeColor('#999999').text(label, x, y, { width });
  for (let row = 1; row <= STATEMENT_LINES; row++) {
    const at = y + line + 2 * row * line - 3;
    page
      .moveTo(x, at)
      .lineTo(x + width, at)
      .stroke();
  }
}

/** Lines to sign on, side by side. */
export function drawSignatures(page: PDFKit.PDFDocument, labels: readonly string[], place: Place): void {
  const width = place.width / labels.length;
  const y = place.y + SIGNATURES_HEIGHT - 2 * place.line;
  page.lineWidth(0.5).strokeColor('#333333');
  for (const [index, label] of labels.entries()) {
    const x = place.x + index * width;
    page
      .moveTo(x, y)
      .lineTo(x + width - 16, y)
      .stroke();
    page.text(label, x, y + 3, { width: width - 16 });
  }
}
