/** Begins a formula in a spreadsheet (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/;
/** Spreadsheets separate cells by comma, semicolon or tab, depending on the language of the machine. */
const QUOTED = /[",;\t\r\n]/;

/**
 * A field of CSV (RFC 4180). A text that a spreadsheet would evaluate gets an apostrophe; a field with any separator is
 * quoted, so that no part of it becomes a cell of its own.
 */
export function csvField(value: string | number | boolean): string {
  const text = String(value);
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
