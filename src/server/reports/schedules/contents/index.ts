import { render } from '../../../documents/index.ts';
import type { Report } from '../../../documents/report.ts';
import { Refused } from '../ask.ts';
import type { ReportKind } from '../kinds.ts';
import { deadlineReport } from './deadlines.ts';
import { fuelReport } from './fuel.ts';
import { NO_LEGEND } from './labels.ts';
import type { ReportScope } from './scope.ts';
import { tripReport } from './trips.ts';

type Format = 'xlsx' | 'pdf';

const REPORTS: Readonly<Record<Exclude<ReportKind, 'infringements'>, (scope: ReportScope) => Promise<Report>>> = {
  trips: tripReport,
  fuel: fuelReport,
  'download-deadlines': deadlineReport,
};

/** The document of a report. Throws Refused if its owner may not read the contents. */
export async function makeDocument(kind: ReportKind, format: Format, scope: ReportScope): Promise<Uint8Array> {
  if (kind === 'infringements') return infringementDocument(format, scope);
  return render(await REPORTS[kind](scope), format);
}

/** The document of the API; without infringements one that says so. */
async function infringementDocument(format: Format, scope: ReportScope): Promise<Uint8Array> {
  const { ask, from, to, zone, language, words } = scope;
  try {
    return await ask.file('/v1/drivers/ddd/infringements_file', { from, to, format, tz: zone, lang: language });
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'no-data') throw error;
    const facts = [[words.period, `${from} – ${to}`] as const];
    const sections = [{ title: words.infringements, facts, paragraphs: [words.nothing], tables: [] }];
    return render({ title: words.infringements, language, legend: NO_LEGEND, footer: words.footer, sections }, format);
  }
}
