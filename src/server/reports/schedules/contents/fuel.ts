import { type Field, type Report, tableOf } from '../../../documents/report.ts';
import { NO_LEGEND } from './labels.ts';
import { edgesOf, inPieces, localTime, platesOf, type ReportScope } from './scope.ts';

interface Change {
  readonly at: string;
  readonly litres: number | null;
  readonly percent: number | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

interface Levels {
  readonly targa: string;
  readonly refuels: readonly Change[];
  readonly drains: readonly Change[];
  readonly hint: string | null;
}

interface Row extends Change {
  readonly targa: string;
  readonly isDrain: boolean;
}

/** vehicles of one request */
const PIECE = 10;
/** of the series, which reports do not have */
const RESOLUTION_S = 86_400;

export async function fuelReport(scope: ReportScope): Promise<Report> {
  const { ask, from, to, zone, language, words, mostRows } = scope;
  const levels: Levels[] = [];
  for (const vehicles of inPieces(await platesOf(scope), PIECE)) {
    const body = { vehicles, ...edgesOf(scope), resolutionS: RESOLUTION_S };
    levels.push(...(await ask.json<{ items: Levels[] }>('POST', '/v1/vehicles/get_fuel_levels', body)).items);
  }
  const rows = levels
    .flatMap(({ targa, refuels, drains }): Row[] => [
      ...refuels.map((each) => ({ ...each, targa, isDrain: false })),
      ...drains.map((each) => ({ ...each, targa, isDrain: true })),
    ])
    .sort((a, b) => a.targa.localeCompare(b.targa) || a.at.localeCompare(b.at));
  const fields: Field<Row>[] = [
    { title: words.vehicle, kind: 'text', cell: ({ targa }) => targa },
    { title: words.at, kind: 'date', cell: ({ at }) => localTime(at, zone) },
    { title: words.event, kind: 'text', cell: ({ isDrain }) => (isDrain ? words.drain : words.refuel) },
    { title: words.litres, kind: 'number', cell: ({ litres }) => litres },
    { title: words.percent, kind: 'number', cell: ({ percent }) => percent },
    { title: words.place, kind: 'text', weight: 1.6, cell: ({ latitude, longitude }) => placeOf(latitude, longitude) },
  ];
  const sum = (changes: readonly Change[]): number =>
    Math.round(changes.reduce((all, { litres }) => all + (litres ?? 0), 0) * 10) / 10;
  const sums: Field<Levels>[] = [
    { title: words.vehicle, kind: 'text', cell: ({ targa }) => targa },
    { title: `${words.refuel} (l)`, kind: 'number', cell: ({ refuels }) => sum(refuels) },
    { title: `${words.drain} (l)`, kind: 'number', cell: ({ drains }) => sum(drains) },
    { title: words.note, kind: 'text', weight: 2.5, cell: ({ hint }) => hint },
  ];
  return {
    title: words.fuel,
    language,
    legend: NO_LEGEND,
    footer: words.footer,
    sections: [
      {
        title: words.fuel,
        facts: [
          [words.period, `${from} – ${to}`],
          [words.zone, zone],
        ],
        paragraphs: [...(rows.length === 0 ? [words.nothing] : []), ...(rows.length > mostRows ? [words.cut] : [])],
        tables: [tableOf(words.fuel, fields, rows.slice(0, mostRows)), tableOf(words.byVehicle, sums, levels)],
      },
    ],
  };
}

const placeOf = (latitude: number | null, longitude: number | null): string | null =>
  latitude === null || longitude === null ? null : `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
