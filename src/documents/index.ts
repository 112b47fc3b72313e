import { toCsv } from './csv.ts';
import { toPdf } from './pdf.ts';
import type { Format, Report } from './report.ts';
import { toXlsx } from './xlsx.ts';

export { formatMinutes as clockOf } from './cells.ts';

export async function render(report: Report, format: Format): Promise<Uint8Array> {
  if (format === 'csv') return toCsv(report);
  return format === 'xlsx' ? toXlsx(report) : toPdf(report);
}
