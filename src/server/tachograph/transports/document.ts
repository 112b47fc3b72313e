import { type Field, type Report, type Table, tableOf } from '../../documents/report.ts';
import { countryCode } from '../engine/nations.ts';
import { clockAt, dateAt } from '../engine/timeline/zone.ts';
import type { CabotageOperation } from '../engine/transport/cabotage.ts';
import type { CountryStay } from '../engine/transport/crossings.ts';
import type { PostedOperation, Posting } from '../engine/transport/posting.ts';
import { footerOf } from '../reports/about.ts';
import { type Language, labelsOf, legendOf } from '../reports/labels.ts';
import type { DriverPostings, PostingList, VehicleCabotage } from './posting.ts';
import { countryName, KINDS, PURPOSES, REMARKS, STATUS, TYPES, WORDS } from './texts.ts';

export interface PostingScope {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly language: Language;
  readonly employer: string;
}

const letters = (country: number | null): string => (country === null ? '?' : countryCode(country));

export function postingReport(list: PostingList, scope: PostingScope): Report {
  const { language, zone, from, to, employer } = scope;
  const words = WORDS[language];
  const labels = labelsOf(language);
  return {
    title: words.title,
    language,
    legend: legendOf(labels),
    sections: [
      {
        title: '',
        facts: [
          ...(employer === '' ? [] : [[labels.employer, employer] as const]),
          [labels.period, `${from} – ${to}`],
          [labels.zone, zone === 'UTC' ? labels.utc : zone],
        ],
        paragraphs: [words.note],
        tables: [
          postingTable(list, scope),
          operationTable(list, scope),
          cabotageTable(list, scope),
          remainingTable(list, scope),
          stayTable(list, scope),
        ].filter((table, index) => index === 0 || table.rows.length > 0),
      },
    ],
    footer: footerOf({ engineVersion: null, rulesVersion: null }, labels),
  };
}

const at = (seconds: number | null, zone: string): string | null => {
  if (seconds === null) return null;
  const minute = Math.floor(seconds / 60);
  return `${dateAt(minute, zone)} ${clockAt(minute, zone)}`;
};

type Of<T> = T & { readonly driver: DriverPostings['driver'] };
const ofAll = <T>(list: PostingList, take: (each: DriverPostings) => readonly T[]): Of<T>[] =>
  list.drivers.flatMap((each) => take(each).map((row) => ({ ...row, driver: each.driver })));

/** A line for each declaration, with what the form asks for. */
function postingTable(list: PostingList, { language }: PostingScope): Table {
  const words = WORDS[language];
  const fields: Field<Of<Posting>>[] = [
    { title: words.host, kind: 'text', weight: 1.5, cell: ({ country }) => countryName(country, language) },
    { title: words.from, kind: 'date', weight: 1, cell: ({ from }) => from },
    { title: words.to, kind: 'date', weight: 1, cell: ({ to }) => to },
    { title: labelsOf(language).driver, kind: 'text', weight: 2, cell: ({ driver }) => driver.name },
    { title: words.licence, kind: 'text', weight: 1.2, cell: ({ driver }) => driver.licenceNumber },
    {
      title: words.types,
      kind: 'text',
      weight: 2,
      cell: ({ types }) => types.map((type) => TYPES[type][language]).join(', '),
    },
    { title: words.vehicles, kind: 'text', weight: 1.5, cell: ({ plates }) => plates.join(', ') },
    { title: words.remarks, kind: 'text', weight: 2, cell: ({ isIncomplete }) => (isIncomplete ? words.ends : '') },
  ];
  const rows = ofAll(list, ({ postings }) => postings);
  return tableOf(rows.length === 0 ? words.noPostings : words.postings, fields, rows);
}

function operationTable(list: PostingList, { language, zone }: PostingScope): Table {
  const words = WORDS[language];
  const posted = (isPosted: boolean | null): string =>
    isPosted === null ? words.unknown : isPosted ? words.yes : words.no;
  const fields: Field<Of<PostedOperation>>[] = [
    { title: labelsOf(language).driver, kind: 'text', weight: 2, cell: ({ driver }) => driver.name },
    { title: words.loaded, kind: 'date', weight: 1.3, cell: ({ loadedAt }) => at(loadedAt, zone) },
    { title: words.country, kind: 'text', weight: 0.6, cell: ({ loadedIn }) => letters(loadedIn) },
    { title: words.unloaded, kind: 'date', weight: 1.3, cell: ({ unloadedAt }) => at(unloadedAt, zone) },
    { title: words.country, kind: 'text', weight: 0.6, cell: ({ unloadedIn }) => letters(unloadedIn) },
    { title: words.vehicles, kind: 'text', weight: 1, cell: ({ plate }) => plate },
    { title: words.kind, kind: 'text', weight: 2, cell: ({ kind }) => KINDS[kind][language] },
    { title: words.posted, kind: 'text', weight: 1, cell: ({ isPosted }) => posted(isPosted) },
    {
      title: words.remarks,
      kind: 'text',
      weight: 2,
      cell: ({ isAdditional, isCombined, isAssumed, source }) =>
        [
          ...(isAdditional ? [words.additional] : []),
          ...(isCombined ? [words.combined] : []),
          ...(isAssumed ? [words.assumed] : []),
          ...(source === 'entered' ? [words.entered] : []),
        ].join(', '),
    },
  ];
  return tableOf(
    words.operations,
    fields,
    ofAll(list, ({ operations }) => operations),
  );
}

function cabotageTable({ vehicles }: PostingList, { language, zone }: PostingScope): Table {
  const words = WORDS[language];
  const fields: Field<CabotageOperation & Pick<VehicleCabotage, 'isComplete'>>[] = [
    { title: words.vehicles, kind: 'text', weight: 1, cell: ({ operation }) => operation.plate },
    { title: words.country, kind: 'text', weight: 0.6, cell: ({ country }) => letters(country) },
    { title: words.loaded, kind: 'date', weight: 1.3, cell: ({ operation }) => at(operation.loadedAt, zone) },
    { title: words.unloaded, kind: 'date', weight: 1.3, cell: ({ operation }) => at(operation.unloadedAt, zone) },
    { title: words.number, kind: 'number', weight: 0.4, cell: ({ number }) => number },
    { title: words.until, kind: 'date', weight: 1.3, cell: ({ until }) => at(until && until.calendar - 60, zone) },
    { title: words.status, kind: 'text', weight: 1.2, cell: ({ status }) => STATUS[status][language] },
    {
      title: words.remarks,
      kind: 'text',
      weight: 4,
      cell: ({ remarks, isComplete }) =>
        [...remarks.map((remark) => REMARKS[remark][language]), ...(isComplete ? [] : [words.ownDrivers])].join('; '),
    },
  ];
  return tableOf(
    words.cabotage,
    fields,
    vehicles.flatMap(({ operations, isComplete }) => operations.map((each) => ({ ...each, isComplete }))),
  );
}

interface Remaining {
  readonly targa: string;
  readonly country: number;
  readonly left: number | null;
  readonly until: number | null;
  readonly pause: number | null;
}

function remainingTable({ vehicles }: PostingList, { language, zone }: PostingScope): Table {
  const words = WORDS[language];
  const rows = vehicles.flatMap(({ targa, open, coolingOff }): Remaining[] => [
    ...(open === null
      ? []
      : [{ targa, country: open.country, left: open.remaining, until: open.until.calendar - 60, pause: null }]),
    ...coolingOff.map(({ country, until }) => ({
      targa,
      country,
      left: null,
      until: null,
      pause: until.extended - 60,
    })),
  ]);
  const fields: Field<Remaining>[] = [
    { title: words.vehicles, kind: 'text', weight: 1, cell: ({ targa }) => targa },
    { title: words.country, kind: 'text', weight: 0.6, cell: ({ country }) => letters(country) },
    { title: words.left, kind: 'number', weight: 1, cell: ({ left }) => left },
    { title: words.until, kind: 'date', weight: 1.3, cell: ({ until }) => at(until, zone) },
    { title: words.pause, kind: 'date', weight: 1.3, cell: ({ pause }) => at(pause, zone) },
  ];
  return tableOf(words.left, fields, rows);
}

function stayTable(list: PostingList, { language, zone }: PostingScope): Table {
  const words = WORDS[language];
  const fields: Field<Of<CountryStay>>[] = [
    { title: labelsOf(language).driver, kind: 'text', weight: 2, cell: ({ driver }) => driver.name },
    { title: words.country, kind: 'text', weight: 0.6, cell: ({ country }) => letters(country) },
    { title: words.from, kind: 'date', weight: 1.3, cell: ({ from }) => at(from, zone) },
    { title: words.to, kind: 'date', weight: 1.3, cell: ({ to }) => at(to, zone) },
    { title: words.purpose, kind: 'text', weight: 2, cell: ({ purpose }) => PURPOSES[purpose][language] },
  ];
  return tableOf(
    words.stays,
    fields,
    ofAll(list, ({ stays }) => stays),
  );
}
