import { type Field, type Report, type Table, tableOf } from '../../documents/report.ts';
import type { Mileage, MileageDay, MileageGap, OdometerJump } from '../engine/reports/mileage.ts';
import { clockAt, dateAt } from '../engine/timeline/zone.ts';
import { type Language, labelsOf, legendOf } from '../reports/labels.ts';

const WORDS = {
  it: {
    title: 'Chilometri senza carta',
    vehicle: 'Veicolo',
    total: 'Chilometri',
    without: 'Senza carta',
    days: 'Giorni (UTC)',
    date: 'Data',
    odometer: 'Contachilometri a fine giorno',
    drivingWithout: 'Guida senza carta',
    gaps: 'Chilometri senza carta',
    jumps: 'Salti del contachilometri',
    odometerFrom: 'Da km',
    odometerTo: 'A km',
    before: 'Conducente precedente',
    after: 'Conducente successivo',
    unknown: 'sconosciuto',
  },
  en: {
    title: 'Kilometers without a card',
    vehicle: 'Vehicle',
    total: 'Kilometers',
    without: 'Without a card',
    days: 'Days (UTC)',
    date: 'Date',
    odometer: 'Odometer at the end of the day',
    drivingWithout: 'Driving without a card',
    gaps: 'Kilometers without a card',
    jumps: 'Jumps of the odometer',
    odometerFrom: 'From km',
    odometerTo: 'To km',
    before: 'Driver before',
    after: 'Driver after',
    unknown: 'unknown',
  },
} as const;

export interface MileageScope {
  readonly targa: string;
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly language: Language;
  readonly nameOf: (driverId: string | null) => string | null;
}

/** Days of a vehicle, its kilometers without a card, and jumps of the odometer. */
export function mileageDocument(mileage: Mileage, scope: MileageScope): Report {
  const { language, zone, targa } = scope;
  const words = WORDS[language];
  const labels = labelsOf(language);
  const moment = (seconds: number): string =>
    `${dateAt(Math.floor(seconds / 60), zone)} ${clockAt(Math.floor(seconds / 60), zone)}`;
  return {
    title: words.title,
    language,
    legend: legendOf(labels),
    footer: '',
    sections: [
      {
        title: `${words.vehicle}: ${targa}`,
        facts: [
          [labels.period, `${scope.from} – ${scope.to}`],
          [words.total, String(mileage.distanceKm)],
          [words.without, String(mileage.withoutCardKm)],
        ],
        tables: [
          gapTable(mileage.gaps, scope, moment),
          ...(mileage.jumps.length === 0 ? [] : [jumpTable(mileage.jumps, scope, moment)]),
          dayTable(mileage.days, scope),
        ],
      },
    ],
  };
}

type Moment = (seconds: number) => string;

function gapTable(gaps: readonly MileageGap[], { language, targa, nameOf }: MileageScope, moment: Moment): Table {
  const words = WORDS[language];
  const labels = labelsOf(language);
  const fields: Field<MileageGap>[] = [
    { title: words.vehicle, kind: 'text', offPage: true, cell: () => targa },
    { title: labels.from, kind: 'date', weight: 1.2, cell: ({ from }) => moment(from) },
    { title: labels.to, kind: 'date', weight: 1.2, cell: ({ to }) => moment(to) },
    { title: words.odometerFrom, kind: 'number', cell: ({ odometerFromKm }) => odometerFromKm },
    { title: words.odometerTo, kind: 'number', cell: ({ odometerToKm }) => odometerToKm },
    { title: words.without, kind: 'number', cell: ({ odometerFromKm, odometerToKm }) => odometerToKm - odometerFromKm },
    {
      title: words.before,
      kind: 'text',
      weight: 1.5,
      cell: ({ driverBefore }) => nameOf(driverBefore) ?? words.unknown,
    },
    { title: words.after, kind: 'text', weight: 1.5, cell: ({ driverAfter }) => nameOf(driverAfter) ?? words.unknown },
  ];
  return tableOf(words.gaps, fields, gaps);
}

function jumpTable(jumps: readonly OdometerJump[], { language }: MileageScope, moment: Moment): Table {
  const words = WORDS[language];
  const labels = labelsOf(language);
  const fields: Field<OdometerJump>[] = [
    { title: labels.from, kind: 'date', weight: 1.2, cell: ({ from }) => moment(from) },
    { title: labels.to, kind: 'date', weight: 1.2, cell: ({ to }) => moment(to) },
    { title: words.odometerFrom, kind: 'number', cell: ({ odometerFromKm }) => odometerFromKm },
    { title: words.odometerTo, kind: 'number', cell: ({ odometerToKm }) => odometerToKm },
  ];
  return tableOf(words.jumps, fields, jumps);
}

function dayTable(days: readonly MileageDay[], { language }: MileageScope): Table {
  const words = WORDS[language];
  const labels = labelsOf(language);
  const fields: Field<MileageDay>[] = [
    { title: words.date, kind: 'date', cell: ({ date }) => date },
    { title: words.odometer, kind: 'number', cell: ({ odometerKm }) => odometerKm },
    { title: words.total, kind: 'number', cell: ({ distanceKm }) => distanceKm },
    { title: words.without, kind: 'number', cell: ({ withoutCardKm }) => withoutCardKm },
    { title: labels.driving, kind: 'minutes', cell: ({ drivingMinutes }) => drivingMinutes },
    { title: words.drivingWithout, kind: 'minutes', cell: ({ withoutCardMinutes }) => withoutCardMinutes },
  ];
  return tableOf(words.days, fields, days);
}
