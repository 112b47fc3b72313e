import { type Field, type Report, tableOf } from '../../../documents/report.ts';
import { NO_LEGEND } from './labels.ts';
import { allOf, driverNames, localTime, type ReportScope } from './scope.ts';

interface Due {
  readonly driverId?: string;
  readonly targa?: string;
  readonly status: 'ok' | 'due_soon' | 'overdue' | 'never';
  readonly dueAt: string | null;
  readonly daysLeft: number | null;
  readonly downloadedAt: string | null;
}

/** As of today; the days of the report do not matter. */
export async function deadlineReport(scope: ReportScope): Promise<Report> {
  const { ask, zone, language, words, mostRows } = scope;
  const names = await driverNames(ask);
  const cards = await allOf<Due>(ask, '/v1/drivers/ddd/me', mostRows + 1);
  const units = await allOf<Due>(ask, '/v1/vehicles/ddd/me', mostRows + 1);
  const isCut = cards.length > mostRows || units.length > mostRows;
  const fieldsOf = (title: string, name: (due: Due) => string): Field<Due>[] => [
    { title, kind: 'text', weight: 1.6, cell: name },
    { title: words.due, kind: 'date', cell: ({ dueAt }) => localTime(dueAt, zone) },
    { title: words.daysLeft, kind: 'number', weight: 0.6, cell: ({ daysLeft }) => daysLeft },
    { title: words.state, kind: 'text', cell: ({ status }) => words[status] },
    { title: words.downloaded, kind: 'date', cell: ({ downloadedAt }) => localTime(downloadedAt, zone) },
  ];
  const byDue = (a: Due, b: Due): number => (a.daysLeft ?? Infinity) - (b.daysLeft ?? Infinity);
  return {
    title: words['download-deadlines'],
    language,
    legend: NO_LEGEND,
    footer: words.footer,
    sections: [
      {
        title: words['download-deadlines'],
        facts: [[words.zone, zone]],
        paragraphs: isCut ? [words.cut] : [],
        tables: [
          tableOf(
            words.cards,
            fieldsOf(words.driver, ({ driverId = '' }) => names.get(driverId) ?? driverId),
            cards.slice(0, mostRows).sort(byDue),
          ),
          tableOf(
            words.units,
            fieldsOf(words.vehicle, ({ targa = '' }) => targa),
            units.slice(0, mostRows).sort(byDue),
          ),
        ],
      },
    ],
  };
}
