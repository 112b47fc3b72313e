import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import { type Field, type Report, type Table, tableOf } from '../../documents/report.ts';
import { toInstant } from '../../kernel/http/index.ts';
import type { Analysis, DailyPeriod, WeeklyRest } from '../engine/rules/index.ts';
import { clockAt, dateAt } from '../engine/timeline/zone.ts';
import { aboutOf, correctionTables, factsOf, footerOf, sourceTable, subjectShape } from './about.ts';
import { type Labels, type Language, labelsOf, legendOf } from './labels.ts';
import type { Subject } from './subject.ts';

const count = z.number().int();
const dailyRest = z.object({
  from: instant,
  to: instant.nullable().describe('null: the data end with it'),
  minutes: count.describe('known and assumed; of a rest that is not over, up to the end of the data'),
  knownMinutes: count.describe('recorded as rest; the other ones are assumed'),
  minutesInWindow: count,
  requiredMinutes: count,
  kind: z.enum(['regular', 'split', 'reduced', 'crew', 'weekly', 'insufficient', 'open']),
  firstPart: z.object({ from: instant, to: instant }).nullable().describe('of a split rest'),
  windowFrom: instant,
  windowTo: instant,
  unknownMinutes: count.describe('without data, and assumed to be rest'),
  interruptions: count.describe('on a ferry or train'),
});
const weeklyRest = z.object({
  from: instant,
  to: instant.nullable(),
  minutes: count.describe('known and assumed; of a rest that is not over, up to the end of the data'),
  knownMinutes: count,
  kind: z.enum(['regular', 'reduced', 'insufficient', 'open']).describe('`open`: not over, and not yet a regular one'),
  unknownMinutes: count.describe('without data, and assumed to be rest'),
  compensation: z.object({ minutes: count, dueBy: instant, takenFrom: instant.nullable() }).nullable(),
});

export const restsAnswer = subjectShape.extend({
  dataTo: instant.nullable().describe('end of the known data; what follows is unknown, and in none of the rests'),
  dailyRests: z.array(dailyRest),
  weeklyRests: z.array(weeklyRest),
  reducedLeft: count.describe('reduced daily rests that may still be taken before the next weekly rest'),
  debtMinutes: count.describe('of weekly rests that are still to be compensated'),
});

const at = (minute: number): string => toInstant(minute * 60_000);
const orNull = (minute: number | null): string | null => (minute === null ? null : at(minute));

const MAX_REDUCED = 3;

/** What of an analysis lies in the days of a report. */
export interface Rests {
  /** the last minute with data; `null` without any */
  readonly dataTo: number | null;
  readonly periods: readonly DailyPeriod[];
  readonly weekly: readonly WeeklyRest[];
  readonly reducedLeft: number;
  readonly debtMinutes: number;
}

export function restsOf(subject: Subject, { periods, weeklyRests, knownTo }: Analysis): Rests {
  const isWithin = (minute: number): boolean => {
    const date = dateAt(minute, subject.zone);
    return date >= subject.from && date <= subject.to;
  };
  const lastWeekly = weeklyRests.findLast(({ to, kind }) => to !== null && kind !== 'insufficient');
  const since = lastWeekly?.to ?? Number.NEGATIVE_INFINITY;
  const taken = periods.filter(({ dailyRest }) => dailyRest.kind === 'reduced' && dailyRest.from >= since).length;
  const debts = weeklyRests.map(({ compensation: debt }) => (debt?.takenFrom === null ? debt.minutes : 0));
  return {
    dataTo: knownTo,
    // a driver who was driving when the data ended has not begun a rest
    periods: periods.filter(({ dailyRest }) => dailyRest.minutes > 0 && isWithin(dailyRest.from)),
    weekly: weeklyRests.filter(({ from, to }) => isWithin(from) || (to !== null && isWithin(to))),
    reducedLeft: Math.max(0, MAX_REDUCED - taken),
    debtMinutes: debts.reduce((sum, minutes) => sum + minutes, 0),
  };
}

export function restsJson(subject: Subject, { dataTo, periods, weekly, reducedLeft, debtMinutes }: Rests): unknown {
  const json: z.output<typeof restsAnswer> = {
    ...aboutOf(subject),
    dataTo: orNull(dataTo),
    dailyRests: periods.map(({ from, windowTo, dailyRest: rest }) => ({
      from: at(rest.from),
      to: orNull(rest.to),
      minutes: rest.minutes,
      knownMinutes: rest.minutes - rest.unknownMinutes,
      minutesInWindow: rest.minutesInWindow,
      requiredMinutes: rest.requiredMinutes,
      kind: rest.kind,
      windowFrom: at(from),
      windowTo: at(windowTo),
      firstPart: rest.firstPart && { from: at(rest.firstPart.from), to: at(rest.firstPart.to) },
      unknownMinutes: rest.unknownMinutes,
      interruptions: rest.interruptions,
    })),
    weeklyRests: weekly.map(({ from, to, minutes, kind, unknownMinutes, compensation }) => ({
      from: at(from),
      to: orNull(to),
      minutes,
      knownMinutes: minutes - unknownMinutes,
      kind,
      unknownMinutes,
      compensation: compensation && {
        minutes: compensation.minutes,
        dueBy: at(compensation.dueBy),
        takenFrom: orNull(compensation.takenFrom),
      },
    })),
    reducedLeft,
    debtMinutes,
  };
  return json;
}

export function restReport(subject: Subject, rests: Rests, language: Language): Report {
  const words = labelsOf(language);
  const moment = (minute: number | null): string =>
    minute === null ? '' : `${dateAt(minute, subject.zone)} ${clockAt(minute, subject.zone)}`;
  return {
    title: words.rests,
    language,
    legend: legendOf(words),
    footer: footerOf(subject, words),
    sections: [
      {
        title: `${words.driver}: ${subject.name}`,
        facts: [
          ...factsOf(subject, words),
          ...(rests.dataTo === null ? [] : [[words.knownTo, moment(rests.dataTo)] as const]),
          [words.reducedLeft, String(rests.reducedLeft)],
        ],
        tables: [
          dailyTable(subject, rests, words, moment),
          weeklyTable(subject, rests, words, moment),
          ...correctionTables(subject, words, language),
          sourceTable(subject.verdicts, words),
        ],
      },
    ],
  };
}

/** Time without data counts as rest in favor of the driver: then the rest is assumed. */
const assumedIf = (isAssumed: boolean, kind: string, words: Labels): string =>
  isAssumed ? `${kind} (${words.assumed})` : kind;

type Moment = (minute: number | null) => string;

function dailyTable({ name }: Subject, { periods }: Rests, words: Labels, moment: Moment): Table {
  const fields: Field<DailyPeriod>[] = [
    { title: words.from, kind: 'date', weight: 1.4, cell: ({ dailyRest }) => moment(dailyRest.from) },
    { title: words.to, kind: 'date', weight: 1.4, cell: ({ dailyRest }) => moment(dailyRest.to) },
    { title: words.length, kind: 'minutes', weight: 0.8, cell: ({ dailyRest }) => dailyRest.minutes },
    { title: words.inWindow, kind: 'minutes', weight: 0.8, cell: ({ dailyRest }) => dailyRest.minutesInWindow },
    { title: words.due, kind: 'minutes', weight: 0.8, cell: ({ dailyRest }) => dailyRest.requiredMinutes },
    {
      title: words.type,
      kind: 'text',
      cell: ({ dailyRest: { kind, unknownMinutes } }) =>
        assumedIf(unknownMinutes > 0, words[kind === 'crew' ? 'crewRest' : kind], words),
    },
    { title: words.windowEnd, kind: 'date', weight: 1.4, cell: ({ windowTo }) => moment(windowTo) },
    { title: words.driving, kind: 'minutes', weight: 0.8, cell: ({ driving }) => driving },
    { title: words.unknown, kind: 'minutes', weight: 0.8, cell: ({ dailyRest }) => dailyRest.unknownMinutes },
    { title: words.driver, kind: 'text', offPage: true, cell: () => name },
  ];
  return tableOf(words.dailyRests, fields, periods);
}

function weeklyTable({ name }: Subject, { weekly }: Rests, words: Labels, moment: Moment): Table {
  const fields: Field<WeeklyRest>[] = [
    { title: words.from, kind: 'date', weight: 1.4, cell: ({ from }) => moment(from) },
    { title: words.to, kind: 'date', weight: 1.4, cell: ({ to }) => moment(to) },
    { title: words.length, kind: 'minutes', weight: 0.8, cell: ({ minutes }) => minutes },
    {
      title: words.type,
      kind: 'text',
      // the type of a rest is known once it is over
      cell: ({ kind, to, unknownMinutes }) =>
        assumedIf(unknownMinutes > 0, to === null ? words.open : words[kind], words),
    },
    {
      title: words.compensation,
      kind: 'minutes',
      weight: 0.9,
      cell: ({ compensation }) => compensation?.minutes ?? null,
    },
    {
      title: words.compensateBy,
      kind: 'date',
      weight: 1.4,
      cell: ({ compensation }) => moment(compensation?.dueBy ?? null),
    },
    {
      title: words.compensated,
      kind: 'date',
      weight: 1.4,
      cell: ({ compensation }) => moment(compensation?.takenFrom ?? null),
    },
    { title: words.unknown, kind: 'minutes', weight: 0.8, cell: ({ unknownMinutes }) => unknownMinutes },
    { title: words.driver, kind: 'text', offPage: true, cell: () => name },
  ];
  return tableOf(words.weeklyRests, fields, weekly);
}
