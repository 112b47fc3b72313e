import { formatMinutes } from '../../documents/cells.ts';
import type { Cell, DayBar, Report, Section } from '../../documents/report.ts';
import { ABSENCES } from '../absences/kinds.ts';
import type { LulDay } from '../engine/reports/month.ts';
import { weekdayOf } from '../engine/timeline/zone.ts';
import { remarkText } from '../infringements/texts.ts';
import { footerOf } from '../reports/about.ts';
import { type Language, labelsOf, legendOf, weekdayName } from '../reports/labels.ts';
import type { LayoutColumn } from '../terms/schema.ts';
import type { DriverMonth } from './driver-months.ts';
import { cellOf, columnOf, valueFrom } from './layouts.ts';

export interface Layout {
  readonly title: string;
  readonly columns: readonly LayoutColumn[];
  readonly zone: string;
  readonly language: Language;
  readonly isInternal: boolean;
  /** a payroll system fetches it */
  readonly isForPrograms?: boolean;
  /** the undertaking, as it is printed */
  readonly employer?: string;
  /** `yyyy-mm-dd hh:mm` */
  readonly printedAt?: string;
}

/** Bars of the days of drivers, by driver and date; what is kept no more has none. */
export type Bars = ReadonlyMap<string, ReadonlyMap<string, DayBar['spans']>>;

export function payrollReport(driverMonths: readonly DriverMonth[], layout: Layout, bars: Bars): Report {
  const words = labelsOf(layout.language);
  return {
    title: layout.title,
    language: layout.language,
    legend: legendOf(words),
    ...(layout.isForPrograms ? { isForPrograms: true } : {}),
    sections: driverMonths.map((driverMonth) =>
      sectionOf(driverMonth, layout, bars.get(driverMonth.driver.id) ?? new Map()),
    ),
    footer: footerOf(driverMonths[0]?.driver ?? { engineVersion: null, rulesVersion: null }, words),
  };
}

function sectionOf(driverMonth: DriverMonth, layout: Layout, bars: ReadonlyMap<string, DayBar['spans']>): Section {
  const words = labelsOf(layout.language);
  const { month, driver } = driverMonth;
  const { fourMonths, totals } = month;
  const mean = fourMonths.meanWeekly === null ? '–' : `${formatMinutes(fourMonths.meanWeekly)} / 48:00`;
  const meanOf = `${mean} (${fourMonths.from} – ${fourMonths.to})`;
  const unknown = month.complete ? words.complete : `${words.incomplete} ${formatMinutes(totals.unknown)}`;
  return {
    title: `${driver.name} – ${month.month}`,
    facts: [
      ...(layout.employer ? [[words.employer, layout.employer] as const] : []),
      ...(driver.taxCode === null ? [] : [[words.taxCode, driver.taxCode] as const]),
      ...(driver.employeeNumber === null ? [] : [[words.employeeNumber, driver.employeeNumber] as const]),
      [words.card, driver.cards.join(', ')],
      [words.zone, layout.zone],
      [words.data, unknown],
      ...(layout.printedAt === undefined ? [] : [[words.printed, layout.printedAt] as const]),
      ...(hasMarkedGrades(driverMonth, layout)
        ? [[words.infringements, `* ${remarkText('grade-from-memory', layout.language)}`] as const]
        : []),
      ...(layout.isInternal ? ([[words.meanWeekly, meanOf]] as const) : []),
      ...legendOfCodes(driverMonth, layout),
    ],
    barNotes: words.workNotes,
    ...(bars.size === 0 ? {} : { bars: month.days.flatMap((day) => barOf(day, bars.get(day.date), layout)) }),
    tables: [dayTable(driverMonth, layout), weekTable(driverMonth, layout.language)],
  };
}

/** What the letters in the columns of the layout mean; of absences those of the month. */
function legendOfCodes({ month }: DriverMonth, { columns, language }: Layout): [string, string][] {
  const texts = labelsOf(language).codes;
  const shown = new Set(columns.map(({ field }) => field));
  const known = new Map(Object.values(ABSENCES).map((each) => [each.code as string, each[language]]));
  const used = [...new Set(month.days.flatMap(({ absence }) => absence ?? []))];
  const absences = used.map((code) => (known.has(code) ? `${code} ${known.get(code)}` : code)).join(', ');
  const legend = [
    ...(['presence', 'travel', 'nightAway'] as const).flatMap((field) => (shown.has(field) ? [texts[field]] : [])),
    ...(shown.has('absence') && absences !== '' ? [`${texts.absence}: ${absences}`] : []),
  ];
  return legend.length === 0 ? [] : [[texts.title, legend.join('; ')]];
}

const hasMarkedGrades = ({ infringements }: DriverMonth, { columns }: Layout): boolean =>
  columns.some(({ field }) => field === 'infringements') &&
  [...infringements.values()].flat().some((each) => each.endsWith('*'));

function dayTable(driverMonth: DriverMonth, { columns, ...layout }: Layout): Section['tables'][number] {
  const { days } = driverMonth.month;
  const context = { driverMonth, ...layout };
  const totals = columns.map((column): Cell => {
    const values = days.map((day) => valueFrom(column.field, day, context));
    if (!values.some((value) => typeof value === 'number') || column.field === 'dailyRest') return null;
    const sum = values.reduce<number>((total, value) => total + (typeof value === 'number' ? value : 0), 0);
    if (column.field === 'weekday') return null;
    return column.as === 'hours' ? Math.round((sum / 60) * 100) / 100 : Math.round(sum * 100) / 100;
  });
  // the first column that is on paper too
  const first = Math.max(
    0,
    columns.map((each) => columnOf(each, layout.language)).findIndex(({ offPage }) => !offPage),
  );
  return {
    title: `LUL ${driverMonth.month.month}`,
    columns: columns.map((each) => columnOf(each, layout.language)),
    rows: days.map((day) => columns.map((column) => cellOf(column, day, context))),
    totals: totals.map((sum, i) => (i === first ? labelsOf(layout.language).total : sum)),
  };
}

function weekTable({ month }: DriverMonth, language: Language): Section['tables'][number] {
  const words = labelsOf(language);
  return {
    title: words.week,
    columns: [
      { title: words.week, kind: 'text' },
      { title: words.from, kind: 'date' },
      { title: words.to, kind: 'date' },
      { title: language === 'it' ? 'Lavoro' : 'Work', kind: 'minutes' },
      { title: words.driving, kind: 'minutes' },
      { title: language === 'it' ? 'Straordinario' : 'Overtime', kind: 'minutes' },
      { title: '> 60 h', kind: 'text' },
      { title: words.unknown, kind: 'minutes' },
    ],
    rows: month.weeks.map(({ isoWeek, from, to, working, driving, overtime, over60, unknown }) => [
      isoWeek,
      from,
      to,
      working,
      driving,
      overtime,
      over60 ? 'x' : '',
      unknown,
    ]),
  };
}

function barOf(day: LulDay, spans: DayBar['spans'] | undefined, { language }: Layout): DayBar[] {
  if (spans === undefined) return [];
  const label = `${day.date} ${weekdayName(weekdayOf(day.date), language)}`;
  const note = `${formatMinutes(day.working)} = ${formatMinutes(day.ordinary)} + ${formatMinutes(day.overtime)}`;
  return [{ label, minutes: day.minutesInDay, spans, marks: [], note }];
}
