import { type Field, type Report, tableOf } from '../../../documents/report.ts';
import { NO_LEGEND } from './labels.ts';
import { allOf, driverNames, inPieces, localTime, platesOf, type ReportScope } from './scope.ts';

interface Trip {
  readonly targa: string;
  readonly driverId: string | null;
  readonly start: { readonly at: string; readonly address: string | null };
  readonly end: { readonly at: string; readonly address: string | null };
  readonly distanceM: number;
  readonly durationS: number;
  readonly idleS: number;
  readonly stopBeforeS: number;
  readonly maxSpeed: number;
  readonly fuelUsedL: number | null;
}

/** vehicles of one request */
const PIECE = 25;

const minutes = (seconds: number): number => Math.round(seconds / 60);
const kilometers = (meters: number): number => Math.round(meters / 100) / 10;

export async function tripReport(scope: ReportScope): Promise<Report> {
  const { ask, from, to, zone, language, words, mostRows } = scope;
  const names = await driverNames(ask).catch(() => new Map<string, string>());
  const trips: Trip[] = [];
  for (const piece of inPieces(await platesOf(scope), PIECE)) {
    const query = new URLSearchParams([
      ...piece.map((targa): [string, string] => ['targa', targa]),
      ...Object.entries({ from, to, tz: zone, include: 'address,fuel', lang: language }),
    ]);
    trips.push(...(await allOf<Trip>(ask, `/v1/vehicles/routesV2?${query}`, mostRows + 1 - trips.length)));
    if (trips.length > mostRows) break;
  }
  const shown = trips.slice(0, mostRows);
  const fields: Field<Trip>[] = [
    { title: words.vehicle, kind: 'text', weight: 0.8, cell: ({ targa }) => targa },
    { title: words.driver, kind: 'text', weight: 1.2, cell: ({ driverId }) => names.get(driverId ?? '') ?? driverId },
    { title: words.from, kind: 'date', weight: 1.2, cell: ({ start }) => localTime(start.at, zone) },
    { title: words.fromPlace, kind: 'text', weight: 2, cell: ({ start }) => start.address },
    { title: words.to, kind: 'date', weight: 1.2, cell: ({ end }) => localTime(end.at, zone) },
    { title: words.toPlace, kind: 'text', weight: 2, cell: ({ end }) => end.address },
    { title: words.distance, kind: 'number', weight: 0.6, cell: ({ distanceM }) => kilometers(distanceM) },
    { title: words.duration, kind: 'minutes', weight: 0.7, cell: ({ durationS }) => minutes(durationS) },
    { title: words.idle, kind: 'minutes', weight: 0.8, cell: ({ idleS }) => minutes(idleS) },
    { title: words.stop, kind: 'minutes', weight: 0.7, cell: ({ stopBeforeS }) => minutes(stopBeforeS) },
    { title: words.maxSpeed, kind: 'number', weight: 0.8, cell: ({ maxSpeed }) => Math.round(maxSpeed) },
    { title: words.fuelUsed, kind: 'number', weight: 0.7, cell: ({ fuelUsedL }) => fuelUsedL },
  ];
  return {
    title: words.trips,
    language,
    legend: NO_LEGEND,
    footer: words.footer,
    sections: [
      {
        title: words.trips,
        facts: [
          [words.period, `${from} – ${to}`],
          [words.zone, zone],
        ],
        paragraphs: [...(shown.length === 0 ? [words.nothing] : []), ...(trips.length > mostRows ? [words.cut] : [])],
        tables: [sumsOf(shown, scope), tableOf(words.trips, fields, shown)],
      },
    ],
  };
}

interface Sum {
  readonly targa: string;
  readonly trips: number;
  readonly distanceM: number;
  readonly durationS: number;
  readonly idleS: number;
}

function sumsOf(trips: readonly Trip[], { words }: ReportScope) {
  const sums = new Map<string, Sum>();
  for (const { targa, distanceM, durationS, idleS } of trips) {
    const before = sums.get(targa) ?? { targa, trips: 0, distanceM: 0, durationS: 0, idleS: 0 };
    sums.set(targa, {
      targa,
      trips: before.trips + 1,
      distanceM: before.distanceM + distanceM,
      durationS: before.durationS + durationS,
      idleS: before.idleS + idleS,
    });
  }
  const rows = [...sums.values()];
  const total = (of: (sum: Sum) => number): number => rows.reduce((all, each) => all + of(each), 0);
  const fields: Field<Sum>[] = [
    { title: words.vehicle, kind: 'text', cell: ({ targa }) => targa },
    { title: words.trip, kind: 'number', cell: (sum) => sum.trips },
    { title: words.distance, kind: 'number', cell: ({ distanceM }) => kilometers(distanceM) },
    { title: words.duration, kind: 'minutes', cell: ({ durationS }) => minutes(durationS) },
    { title: words.idle, kind: 'minutes', cell: ({ idleS }) => minutes(idleS) },
  ];
  return tableOf(words.byVehicle, fields, rows, [
    words.total,
    total((sum) => sum.trips),
    kilometers(total(({ distanceM }) => distanceM)),
    minutes(total(({ durationS }) => durationS)),
    minutes(total(({ idleS }) => idleS)),
  ]);
}
