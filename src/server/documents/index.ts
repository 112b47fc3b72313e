import { toCsv } from './csv.ts';
import type { Format, Report } from './report.ts';

/** The libraries of PDF and of spreadsheets are loaded by the first document: few processes ever make one. */
export async function render(report: Report, format: Format): Promise<Uint8Array> {
  if (format === 'csv') return toCsv(report);
  return format === 'xlsx' ? (await import('./xlsx.ts')).toXlsx(report) : (await import('./pdf.ts')).toPdf(report);
}
