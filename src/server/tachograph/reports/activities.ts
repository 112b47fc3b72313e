import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { type DayBar, type Field, type Report, type Section, type Table, tableOf } from '../../documents/report.ts';
import { toInstant } from '../../kernel/http/index.ts';
import { countryCode } from '../engine/nations.ts';
import type { PlaceNote } from '../engine/reports/driver-days.ts';
import { addUp, type Minutes, type ReportDay, reportDays } from '../engine/reports/report-days.ts';
import { clockAt, weekdayOf } from '../engine/timeline/zone.ts';
import { aboutOf, correctionTables, dataFact, factsOf, footerOf, sourceTable, subjectShape } from './about.ts';
import { type Labels, type Language, labelsOf, legendOf, weekdayName } from './labels.ts';
import { placeMapOf } from './place-map.ts';
import type { Subject } from './subject.ts';

const minutes = z.object({
  driving: z.number().int(),
  work: z.number().int(),
  availability: z.number().int(),
  rest: z.number().int(),
  unknown: z.number().int().describe('without data; never rest'),
});
const activity = z.enum(['rest', 'availability', 'work', 'driving', 'unknown']);

export const activitiesAnswer = subjectShape.extend({
  days: z.array(
    z.object({
      date: z.string(),
      minutesInDay: z.number().int(),
      minutes,
      distanceKm: z.number().int(),
      vehicles: z.array(z.string()),
      intervals: z.array(
        z.object({
          from: instant,
          to: instant,
          activity,
          slot: z.enum(['driver', 'co-driver']),
          crew: z.boolean(),
          source: z.enum(['card', 'vu', 'manual', 'person', 'none']).describe('`person`: of a correction'),
        }),
      ),
      conditions: z.array(z.object({ kind: z.enum(['out-of-scope', 'ferry']), from: instant, to: instant.nullable() })),
      places: z.array(
        z.object({
          at: instant,
          kind: z
            .enum(['begin', 'end', 'border', 'load', 'unload', 'load-unload', 'way'])
            .describe('`way`: a position while driving'),
          country: z.number().int(),
          odometerKm: z.number().int().nullable(),
          position: z
            .object({ latitude: z.number(), longitude: z.number() })
            .nullable()
            .describe('null: the record has none (generation 1, entered by hand)'),
        }),
      ),
      manualEntries: z.boolean(),
      corrected: z
        .array(z.object({ correctionId: z.string(), from: instant, to: instant, was: activity, activity }))
        .describe('where a correction counts and not what was recorded'),
      fileIds: z.array(z.string()),
    }),
  ),
  totals: minutes.extend({ distanceKm: z.number().int(), days: z.number().int() }),
});

const atMinute = (minute: number): string => toInstant(minute * 60_000);

export function activitiesOf(subject: Subject): { readonly days: readonly ReportDay[]; readonly json: unknown } {
  const days = reportDays(subject.days, subject.from, subject.to, subject.zone);
  const json: z.output<typeof activitiesAnswer> = {
    ...aboutOf(subject),
    days: days.map((day) => ({
      date: day.date,
      minutesInDay: day.to - day.from,
      minutes: day.minutes,
      distanceKm: day.distanceKm,
      vehicles: [...day.plates],
      intervals: day.spans.map((span) => ({ ...span, from: atMinute(span.from), to: atMinute(span.to) })),
      conditions: day.conditions.map(({ kind, from, to }) => ({
        kind,
        from: atMinute(from),
        to: to === null ? null : atMinute(to),
      })),
      places: day.places.map(({ at, kind, country, odometerKm, position }) => ({
        at: toInstant(at * 1000),
        kind,
        country,
        odometerKm,
        position: position && { latitude: position.latitude, longitude: position.longitude },
      })),
      manualEntries: day.hasManualEntries,
      corrected: day.corrected.map(({ id, from, to, was, activity: now }) => ({
        correctionId: id,
        from: atMinute(from),
        to: atMinute(to),
        was,
        activity: now,
      })),
      fileIds: [...day.fileIds],
    })),
    totals: { ...addUp(days), distanceKm: sumKm(days), days: days.length },
  };
  return { days, json };
}

const sumKm = (days: readonly ReportDay[]): number => days.reduce((sum, { distanceKm }) => sum + distanceKm, 0);

/** The order in which people look at them. */
const ORDER: readonly (keyof Minutes)[] = ['driving', 'work', 'availability', 'rest', 'unknown'];

export function activityReport(subject: Subject, days: readonly ReportDay[], language: Language): Report {
  const words = labelsOf(language);
  const totals = addUp(days);
  const section: Section = {
    title: `${words.driver}: ${subject.name}`,
    facts: [
      ...factsOf(subject, words),
      dataFact(totals.unknown, words),
      ...(days.some((day) => placesText(day, subject.zone) !== '') ? [[words.places, words.placeMarks] as const] : []),
    ],
    barNotes: words.activityNotes,
    bars: days.map((day) => barOf(day, language)),
    map: placeMapOf(days, subject.zone, words),
    tables: [
      tableOf<ReportDay>(words.days, dayFields(subject, words, language), days, [
        words.total,
        '',
        ...ORDER.map((key) => totals[key]),
        sumKm(days),
        '',
        '',
        '',
        subject.name,
      ]),
      intervalTable(subject, days, words),
      ...correctionTables(subject, words, language),
      sourceTable(subject.verdicts, words),
    ],
  };
  return {
    title: words.activities,
    language,
    sections: [section],
    legend: legendOf(words),
    footer: footerOf(subject, words),
  };
}

const dayFields = ({ zone, name }: Subject, words: Labels, language: Language): Field<ReportDay>[] => [
  { title: words.date, kind: 'date', weight: 0.9, cell: ({ date }) => date },
  { title: words.day, kind: 'text', weight: 0.5, cell: ({ date }) => weekdayName(weekdayOf(date), language) },
  ...ORDER.map(
    (key): Field<ReportDay> => ({ title: words[key], kind: 'minutes', weight: 0.9, cell: (day) => day.minutes[key] }),
  ),
  { title: words.distance, kind: 'number', weight: 0.7, cell: ({ distanceKm }) => distanceKm },
  { title: words.vehicles, kind: 'text', weight: 1.8, cell: ({ plates }) => plates.join(', ') },
  { title: words.places, kind: 'text', weight: 1.8, cell: (day) => placesText(day, zone) },
  { title: words.notes, kind: 'text', weight: 1.8, cell: (day) => notesOf(day, words) },
  // rows of a CSV are read without their heading
  { title: words.driver, kind: 'text', offPage: true, cell: () => name },
];

interface DaySpan {
  readonly day: ReportDay;
  readonly span: ReportDay['spans'][number];
}

function intervalTable({ zone, name }: Subject, days: readonly ReportDay[], words: Labels): Table {
  const fields: Field<DaySpan>[] = [
    { title: words.date, kind: 'date', weight: 1.2, cell: ({ day }) => day.date },
    { title: words.from, kind: 'text', weight: 0.7, cell: ({ span }) => clockAt(span.from, zone) },
    {
      title: words.to,
      kind: 'text',
      weight: 0.7,
      cell: ({ day, span: { to } }) => (to === day.to ? '24:00' : clockAt(to, zone)),
    },
    { title: words.activity, kind: 'text', cell: ({ span }) => words[span.activity] },
    { title: words.length, kind: 'minutes', weight: 0.7, cell: ({ span: { from, to } }) => to - from },
    { title: words.slot, kind: 'text', weight: 0.6, cell: ({ span }) => (span.slot === 'driver' ? '1' : '2') },
    { title: words.crew, kind: 'text', weight: 0.7, cell: ({ span }) => (span.crew ? 'x' : '') },
    {
      title: words.source,
      kind: 'text',
      weight: 0.8,
      cell: ({ span: { source } }) => SOURCES[source](words),
    },
    { title: words.driver, kind: 'text', offPage: true, cell: () => name },
  ];
  return tableOf(
    words.intervals,
    fields,
    days.flatMap((day) => day.spans.map((span) => ({ day, span }))),
  );
}

const SOURCES: Readonly<Record<ReportDay['spans'][number]['source'], (words: Labels) => string>> = {
  card: (words) => words.ofCard,
  vu: (words) => words.ofUnit,
  manual: (words) => words.manual,
  person: (words) => words.person,
  none: () => '',
};

const labelOf = (date: string, language: Language): string => `${date} ${weekdayName(weekdayOf(date), language)}`;

const MARKS: Readonly<Record<PlaceNote['kind'], string>> = {
  begin: '▸',
  end: '◂',
  border: '⇄',
  load: '▲',
  unload: '▼',
  'load-unload': '▲▼',
  way: '',
};

const placesText = ({ places }: ReportDay, zone: string): string =>
  places
    .filter(({ kind }) => kind !== 'way')
    .map(({ at, kind, country }) => {
      const mark = `${MARKS[kind]}${clockAt(Math.floor(at / 60), zone)}`;
      // a unit records the position of a loading, and no country
      return kind === 'begin' || kind === 'end' || kind === 'border' ? `${mark} ${countryCode(country)}` : mark;
    })
    .join(' ');

function notesOf(day: ReportDay, words: Labels): string {
  const kinds = new Set(day.conditions.map(({ kind }) => kind));
  return [
    ...(kinds.has('ferry') ? [words.ferry] : []),
    ...(kinds.has('out-of-scope') ? [words.outOfScope] : []),
    ...(day.hasManualEntries ? [words.manual] : []),
    ...(day.corrected.length > 0 ? [words.person] : []),
    ...(day.to - day.from === 1_440 ? [] : [`${(day.to - day.from) / 60} h`]),
  ].join(', ');
}

function barOf(day: ReportDay, language: Language): DayBar {
  const { driving, work, availability } = day.minutes;
  const clock = (length: number): string => `${Math.floor(length / 60)}:${String(length % 60).padStart(2, '0')}`;
  return {
    label: labelOf(day.date, language),
    minutes: day.to - day.from,
    spans: day.spans.map(({ from, to, activity: state }) => ({ from: from - day.from, to: to - day.from, state })),
    marks: day.conditions.map(({ kind, from, to }) => ({
      from: Math.max(0, from - day.from),
      to: Math.min(day.to, to ?? from + 30) - day.from,
      text: kind === 'ferry' ? 'F/T' : 'OUT',
    })),
    note: `${clock(driving)} / ${clock(work)} / ${clock(availability)}  ${day.distanceKm} km  ${day.plates.join(', ')}`,
  };
}
