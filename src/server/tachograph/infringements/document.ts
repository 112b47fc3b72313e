import { DAY_MS } from '../../../platform/durations.ts';
import { type Field, type Report, type Section, type Table, tableOf } from '../../documents/report.ts';
import type { CorrectionRow } from '../corrections/store.ts';
import { correctionTable } from '../corrections/table.ts';
import type { DriverDay } from '../engine/reports/driver-days.ts';
import { clockAt, dateAt } from '../engine/timeline/zone.ts';
import type { FileRow } from '../files/store.ts';
import type { NoticeRow } from '../notices/store.ts';
import { noticeArticle, noticeText } from '../notices/texts.ts';
import { footerOf, sourceTable } from '../reports/about.ts';
import { type Labels, type Language, labelsOf, legendOf } from '../reports/labels.ts';
import type { SubjectRow } from '../reports/store.ts';
import type { InfringementRow } from './store.ts';
import { articleText, derogationText, factOf, remarkText, sanctionText, statusText } from './texts.ts';

/** What a document reports of one driver. */
export interface DriverCase {
  readonly driver: Pick<SubjectRow, 'id' | 'name' | 'cards' | 'engineVersion' | 'rulesVersion'>;
  readonly infringements: readonly InfringementRow[];
  readonly notices: readonly NoticeRow[];
  readonly corrections: readonly CorrectionRow[];
  /** with the corrections laid over them; empty if there are none */
  readonly days: readonly Pick<DriverDay, 'corrected'>[];
  /** that the infringements and notices are derived from */
  readonly files: readonly Pick<FileRow, 'id' | 'name' | 'sha256' | 'verdict'>[];
  /** days of the interval that the driver has data of; letters have none */
  readonly daysWithData?: number;
}

export interface CaseScope {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly language: Language;
  /** name and tax numbers of the undertaking */
  readonly employer: string;
}

const moment = (ms: number, zone: string): string => {
  const minute = Math.floor(ms / 60_000);
  return `${dateAt(minute, zone)} ${clockAt(minute, zone)}`;
};

/** Rules of weeks and months, which begin on Monday 00:00 and on the first day at 00:00 by the law, in no zone. */
const OF_WEEKS: ReadonlySet<string> = new Set(['D2', 'D3', 'T48', 'T60', 'W2', 'W3']);
const zoneOf = (rule: string, ms: number, zone: string): string =>
  OF_WEEKS.has(rule) && ms % DAY_MS === 0 ? 'UTC' : zone;

export function infringementReport(cases: readonly DriverCase[], scope: CaseScope): Report {
  const words = labelsOf(scope.language);
  const versions = cases[0]?.driver ?? { engineVersion: null, rulesVersion: null };
  return {
    title: words.infringements,
    language: scope.language,
    legend: legendOf(words),
    sections: cases.map((each) => sectionOf(each, scope)),
    footer: footerOf(versions, words),
  };
}

function sectionOf(each: DriverCase, scope: CaseScope): Section {
  const words = labelsOf(scope.language);
  return {
    title: `${words.driver}: ${each.driver.name}`,
    facts: [...caseFacts(each, scope, words), ...dataFacts(each, scope, words)],
    tables: [
      infringementTable(each, scope),
      ...(each.notices.length === 0 ? [] : [noticeTable(each, scope)]),
      ...(each.corrections.length === 0
        ? []
        : [correctionTable(each.corrections, each.days, { zone: scope.zone, language: scope.language, words })]),
      sourceTable(each.files, words),
    ],
  };
}

export const caseFacts = ({ driver }: DriverCase, scope: CaseScope, words: Labels): Section['facts'] => [
  ...(scope.employer === '' ? [] : [[words.employer, scope.employer] as const]),
  [words.card, driver.cards.join(', ')],
  [words.period, `${scope.from} – ${scope.to}`],
  [words.zone, scope.zone === 'UTC' ? words.utc : scope.zone],
];

/** Without infringements it says whether there were data to find any in. */
function dataFacts(
  { daysWithData, infringements }: DriverCase,
  { from, to }: CaseScope,
  words: Labels,
): Section['facts'] {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  const isDerived = infringements.some((row) => sanctionText(row).startsWith('~'));
  return [
    ...(daysWithData === undefined ? [] : [[words.daysWithData, `${daysWithData} ${words.of} ${days}`] as const]),
    ...(isDerived ? [[words.sanction, words.derived] as const] : []),
  ];
}

export function infringementTable({ driver, infringements }: DriverCase, { zone, language }: CaseScope): Table {
  const words = labelsOf(language);
  const fields: Field<InfringementRow>[] = [
    // a CSV has several drivers in one table
    { title: words.driver, kind: 'text', offPage: true, cell: () => driver.name },
    { title: words.from, kind: 'date', weight: 1.1, cell: ({ rule, from }) => moment(from, zoneOf(rule, from, zone)) },
    { title: words.to, kind: 'date', weight: 1.1, cell: ({ rule, to }) => moment(to, zoneOf(rule, to, zone)) },
    { title: words.rule, kind: 'text', weight: 0.4, cell: ({ rule }) => rule },
    { title: words.article, kind: 'text', weight: 1.6, cell: ({ article }) => articleText(article, language) },
    { title: words.fact, kind: 'text', weight: 2.2, cell: ({ rule }) => factOf(rule, language) },
    { title: words.limit, kind: 'minutes', weight: 0.6, cell: ({ limit }) => limit },
    { title: words.measured, kind: 'minutes', weight: 0.7, cell: ({ measured }) => measured },
    { title: words.difference, kind: 'minutes', weight: 0.8, cell: ({ limit, measured }) => measured - limit },
    { title: words.severity, kind: 'text', weight: 0.6, cell: ({ severity }) => severity },
    { title: words.sanction, kind: 'text', weight: 2.1, cell: sanctionText },
    { title: words.state, kind: 'text', weight: 0.8, cell: ({ status }) => statusText(status, language) },
    { title: words.notes, kind: 'text', weight: 2, cell: (row) => notesOf(row, language) },
  ];
  return tableOf(infringements.length === 0 ? words.noInfringements : words.infringements, fields, infringements);
}

function notesOf({ content, note }: InfringementRow, language: Language): string {
  const words = labelsOf(language);
  return [
    ...(content.derogation ? [derogationText(content.derogation, language)] : []),
    ...(content.remarks ?? [])
      .filter((remark) => remark !== 'derogation-possible' || !content.derogation)
      .map((remark) => remarkText(remark, language)),
    ...(content.justifiable == null ? [] : [words.justifiable]),
    ...((content.unknownMinutes ?? 0) > 0 ? [words.presumed] : []),
    ...(note === null ? [] : [note]),
  ].join('; ');
}

function noticeTable({ driver, notices }: DriverCase, { zone, language }: CaseScope): Table {
  const words = labelsOf(language);
  const fields: Field<NoticeRow>[] = [
    { title: words.driver, kind: 'text', offPage: true, cell: () => driver.name },
    { title: words.from, kind: 'date', weight: 1, cell: ({ from }) => moment(from * 60_000, zone) },
    { title: words.to, kind: 'date', weight: 1, cell: ({ to }) => moment(to * 60_000, zone) },
    { title: words.length, kind: 'minutes', weight: 0.6, cell: ({ minutes }) => minutes },
    {
      title: words.article,
      kind: 'text',
      weight: 1.5,
      cell: ({ kind }) => articleText(noticeArticle(kind) ?? '', language),
    },
    { title: words.fact, kind: 'text', weight: 3, cell: (notice) => noticeText(notice, language) },
  ];
  return tableOf(words.notices, fields, notices);
}

export interface LetterScope {
  readonly id: string;
  /** epoch ms */
  readonly issuedAt: number;
  readonly decided: string;
  /** plates by infringement */
  readonly vehicles: Readonly<Record<string, readonly string[]>>;
}

/** A grade that was not compared with the published text is none in a paper that a driver has to sign. */
const comparedOnly = (row: InfringementRow): InfringementRow => {
  const remarks = row.content.remarks ?? [];
  if (!remarks.includes('grade-from-memory')) return row;
  const own = remarks.filter((remark) => remark !== 'grade-from-memory');
  return { ...row, severity: null, content: { ...row.content, remarks: own } };
};

/** Article 10 of Regulation 561/2006: what the driver has to sign. */
export function letterReport(
  each: DriverCase,
  scope: CaseScope,
  { id, issuedAt, decided, vehicles }: LetterScope,
): Report {
  const words = labelsOf(scope.language);
  const report = infringementReport([each], scope);
  const infringements = each.infringements.map(comparedOnly);
  const shown = infringementTable({ ...each, infringements }, scope);
  const kept = new Set([
    words.from,
    words.to,
    words.article,
    words.fact,
    words.limit,
    words.measured,
    words.severity,
    words.notes,
  ]);
  const columns = shown.columns
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => kept.has(column.title));
  const plates = infringements.map((row) => (vehicles[row.id] ?? []).join(', '));
  const table = {
    title: shown.title,
    columns: [...columns.map(({ column }) => column), { title: words.vehicles, kind: 'text' as const, weight: 0.9 }],
    rows: shown.rows.map((row, at) => [...columns.map(({ index }) => row[index] ?? null), plates[at] ?? '']),
  };
  const isGraded = infringements.some(({ severity }) => severity !== null);
  return {
    ...report,
    title: words.letter,
    orientation: 'portrait',
    sections: [
      {
        title: each.driver.name,
        facts: [
          ...caseFacts(each, scope, words),
          [words.letterNumber, id],
          [words.issued, moment(issuedAt, scope.zone)],
          [words.state, decided],
          ...(isGraded ? [[words.severity, words.grades] as const] : []),
        ],
        paragraphs: [words.letterText],
        tables: [table, sourceTable(each.files, words)],
        statement: words.driverStatement,
        signatures: [words.signedByEmployer, words.signedByDriver, words.signedOn],
      },
    ],
  };
}
